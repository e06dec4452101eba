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

/** Looks coupons up by the keys of their codes. */
export type GuessLimit = <Found>(
  keys: string[],
  find: () => Promise<{ found: Found; wrong: string[] }>,
) => Promise<Found>

/**
 * The codes that a caller looked up within the hour: to look them up again is no guess. A wrong code is
 * remembered for the account and the address. A right one is remembered for the account only: on a shared
 * address, somebody above the limit could find out the codes of the others.
 */
function memoryOf(all: CounterStore, { address, userId }: Guesser) {
  const counters = all.partition('coupon codes')
  const ofAccount = (key: string) => (userId === undefined ? [] : [keyOf('account', userId, key)])
  const ofBoth = (key: string) => [...ofAccount(key), keyOf('address', address, key)]
  return {
    async isKnown(key: string): Promise<boolean> {
      const found = await Promise.all(ofBoth(key).map((name) => counters.add(name, 0, HOUR)))
      return found.some(({ count }) => count > 0)
    },
    async remember(key: string, isWrong: boolean) {
      const names = isWrong ? ofBoth(key) : ofAccount(key)
      await Promise.all(names.map((name) => counters.add(name, 1, HOUR)))
    },
  }
}

/** The counters of wrong codes. `add` throws `rate_limited` above a limit, and then counts nothing. */
function wrongCodesOf(all: CounterStore, guesser: Guesser) {
  const counters = all.partition('coupons')
  const subtract = (points: number, counts: Count[]) =>
    Promise.all(counts.map(({ key }) => counters.add(key, -points, HOUR)))
  const counts = countsOf(guesser)
  return {
    async add(points: number) {
      for (const [at, { key, most }] of counts.entries()) {
        const { count, leftMs } = await counters.add(key, points, HOUR)
        if (count <= most) continue
        await subtract(points, counts.slice(0, at + 1))
        throw tooSoon('Too many wrong codes.', leftMs)
      }
    },
    subtract: (points: number) => subtract(points, counts),
  }
}

/**
 * Runs `find`, which looks codes up and says which are wrong. Codes that the caller has not looked up
 * within the hour are counted before they are looked up, so that calls at the same time do not exceed the
 * limit, and right ones are subtracted. Throws `rate_limited`, without looking up, above a limit.
 */
export const guessLimit =
  (all: CounterStore, guesser: Guesser): GuessLimit =>
  async (keys, find) => {
    const memory = memoryOf(all, guesser)
    const areKnown = await Promise.all(keys.map(memory.isKnown))
    const guesses = keys.filter((_key, at) => !areKnown[at])
    if (guesses.length === 0) return (await find()).found
    const counted = wrongCodesOf(all, guesser)
    await counted.add(guesses.length)
    try {
      const { found, wrong } = await find()
      const right = guesses.filter((key) => !wrong.includes(key))
      if (right.length > 0) await counted.subtract(right.length)
      await Promise.all(guesses.map((key) => memory.remember(key, wrong.includes(key))))
      return found
    } catch (error) {
      await counted.subtract(guesses.length)
      throw error
    }
  }
