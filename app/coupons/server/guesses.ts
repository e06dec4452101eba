/** Wrong codes are counted, so that codes cannot be guessed. */
import { networksOf } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { type Count, countAttempts, keyOf } from '#app/shared/server/limits/limits.ts'

const HOUR = 60 * 60

/** Wrong codes an hour of an account, and of an address; its wider networks have more. */
const OF_ACCOUNT = 20
const OF_NETWORK = [30, 120, 480]

/** The caller of a quote: a guest has only an address. */
type Guesser = { address: string; userId?: string | undefined }

const countsOf = ({ address, userId }: Guesser): Count[] => [
  ...networksOf(address).map((network, at) => ({
    key: keyOf('network', network),
    max: OF_NETWORK[at] ?? 0,
    seconds: HOUR,
  })),
  ...(userId === undefined
    ? []
    : [{ key: keyOf('account', userId), max: OF_ACCOUNT, seconds: HOUR }]),
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
    const subtract = await countAttempts(
      all.partition('coupons'),
      countsOf(guesser),
      'Too many wrong codes.',
      guesses.length,
    )
    try {
      const { found, wrong } = await find()
      const right = guesses.filter((key) => !wrong.includes(key)).length
      if (right > 0) await subtract(right)
      await Promise.all(guesses.map((key) => memory.remember(key, wrong.includes(key))))
      return found
    } catch (error) {
      await subtract(guesses.length)
      throw error
    }
  }
