/** Wrong codes are counted, so that codes cannot be guessed. */
import { networksOf } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { keyOf, tooSoon } from '#app/shared/server/limits/limits.ts'

const HOUR = 60 * 60

/** Wrong codes an hour of an account, and of an address; its wider networks have more. */
const OF_ACCOUNT = 20
const OF_NETWORK = [30, 120, 480]

/** The caller of a quote: a guest has only an address. */
type Guesser = { address: string; userId?: string | undefined }

type Count = { key: string; most: number }

const countsOf = ({ address, userId }: Guesser): Count[] => [
  ...networksOf(address).flatMap((network, at) => {
    const most = OF_NETWORK[at]
    return most === undefined ? [] : [{ key: keyOf('network', network), most }]
  }),
  ...(userId === undefined ? [] : [{ key: keyOf('account', userId), most: OF_ACCOUNT }]),
]

/** Counts the wrong codes of one caller. */
export type GuessLimit = <Found>(
  codes: number,
  find: () => Promise<{ found: Found; wrong: number }>,
) => Promise<Found>

/**
 * Runs `find`, which looks codes up and says how many are wrong. Codes are counted before they are looked
 * up, so that calls at the same time do not exceed the limit, and right ones are subtracted. Throws
 * `rate_limited`, without looking up, above a limit.
 */
export const guessLimit =
  (all: CounterStore, guesser: Guesser): GuessLimit =>
  async (codes, find) => {
    const counters = all.partition('coupons')
    const counts = countsOf(guesser)
    const counted: Count[] = []
    const subtract = (points: number) =>
      Promise.all(counted.map(({ key }) => counters.add(key, -points, HOUR)))
    for (const one of counts) {
      const { count, leftMs } = await counters.add(one.key, codes, HOUR)
      counted.push(one)
      if (count <= one.most) continue
      await subtract(codes)
      throw tooSoon('Too many wrong codes.', leftMs)
    }
    try {
      const { found, wrong } = await find()
      if (wrong < codes) await subtract(codes - wrong)
      return found
    } catch (error) {
      await subtract(codes)
      throw error
    }
  }
