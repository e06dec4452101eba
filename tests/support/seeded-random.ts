/** A random generator that can be repeated by its seed. */
export type SeededRandom = {
  /** To be printed when a test fails. */
  seed: number
  /** From 0 (inclusive) to 1 (exclusive). */
  next: () => number
  pick: <Item>(items: readonly Item[]) => Item
}

/**
 * A generator with the seed of HAAT_SEED, so that a failure can be repeated, or with a new seed.
 */
export function seededRandom(
  seed = Number(process.env.HAAT_SEED ?? Math.floor(Math.random() * 2 ** 32)),
): SeededRandom {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(next() * items.length)]
    if (item === undefined) throw new Error('There is nothing to pick from.')
    return item
  }
  return { seed, next, pick }
}
