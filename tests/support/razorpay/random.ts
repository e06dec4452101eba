import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Random numbers of a seed: the same seed, the same sequence. */
export type Random = {
  /** Whether an event of this probability, from 0 to 1, happens. */
  chance: (probability: number) => boolean
  /** An integer from `min` to `max`. */
  between: (min: number, max: number) => number
  pick: <Item>(from: readonly [Item, ...Item[]]) => Item
}

const STEPS = 1_000_000

export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed)
  const between = (min: number, max: number) => uniformInt(generator, min, max)
  return {
    chance: (probability) => between(0, STEPS - 1) < probability * STEPS,
    between,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
  }
}
