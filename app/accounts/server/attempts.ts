import { keyOf, tooSoon } from '#app/shared/server/limits/limits.ts'
import type { Tally } from '#app/shared/server/limits/tally.ts'
import { networkOf } from '#app/shared/server/limits/who.ts'

/** What can be guessed. */
const SECRETS = ['password', 'answer'] as const

/** Who tries: the account's e-mail as it is compared, known here or not, and the address. */
export type Who = { secret: (typeof SECRETS)[number]; account: string; address: string }

const DAY = 24 * 60 * 60
/** So long an address is known to an account from its last success there, in seconds. */
const KNOWN_FOR = 30 * DAY

/** From how many wrong tries a day on there are pauses; each so many more double them, in seconds. */
type Pace = { after: number; each: number; most: number }
const OF_ONE: Pace = { after: 5, each: 1, most: 60 }
const OF_ALL: Pace = { after: 100, each: 5, most: 600 }

const pauseAfter = (tries: number, { after, each, most }: Pace) =>
  tries < after ? 0 : Math.min(most, 2 ** Math.floor((tries - after) / each))

const pauseOf = (key: string) => `${key}/pause`

/** A try that was counted, before it is known to be right or wrong. */
type Counted = { tries: number; waitMs: number; giveBack: () => Promise<void> }

/** Counts a try, unless there is a pause: whoever comes first may, and begins the next one. */
async function count(tally: Tally, key: string, pace: Pace): Promise<Counted> {
  const { count: tries } = await tally.add(key, 1, DAY)
  const seconds = pauseAfter(tries, pace)
  const pause = await tally.add(pauseOf(key), seconds > 0 ? 1 : 0, seconds)
  const isRefused = pause.count > (seconds > 0 ? 1 : 0)
  const uncount = () => tally.add(key, -1, DAY)
  if (isRefused) await uncount()
  return {
    tries,
    waitMs: isRefused ? pause.leftMs : 0,
    giveBack: async () => {
      await uncount()
      if (seconds > 0) await tally.forget(pauseOf(key))
    },
  }
}

/** Lets a try begin, and counts it; throws `rate_limited` while there is a pause. */
async function begin(tally: Tally, { secret, account, address }: Who) {
  const network = networkOf(address)
  const known = keyOf('known', account, network)
  const refuse = (leftMs: number) => tooSoon('There were too many wrong tries.', leftMs)

  const isKnown = (await tally.add(known, 0, KNOWN_FOR)).count > 0
  const one = await count(tally, keyOf(secret, account, network), OF_ONE)
  if (one.waitMs > 0) throw refuse(one.waitMs)
  const crowd = one.tries < OF_ONE.after ? 'few' : 'many'
  const all = await count(tally, keyOf(secret, account, isKnown ? network : crowd, 'all'), OF_ALL)
  if (all.waitMs > 0) {
    await one.giveBack()
    throw refuse(all.waitMs)
  }
  return {
    giveBack: () => Promise.all([one.giveBack(), all.giveBack()]),
    succeed: async () => {
      await all.giveBack()
      const mine = SECRETS.map((each) => keyOf(each, account, network))
      await Promise.all([...mine, ...mine.map(pauseOf), known].map((key) => tally.forget(key)))
      await tally.add(known, 1, KNOWN_FOR)
    },
  }
}

/**
 * Lets a secret be tried; `prove` answers what it opens, or null when it is wrong. Wrong tries of
 * an address make that address wait, longer with each. Those of all addresses together are slowed
 * down, too, much later: apart from each other those that tried a few times, those that tried
 * often, and each that the account is known to use; so a stranger alone never keeps out the owner.
 * Throws `rate_limited`, without trying, while there is a pause. What comes of no account counts
 * alike.
 */
export async function guarded<Result>(
  tally: Tally,
  who: Who,
  prove: () => Promise<Result | null>,
): Promise<Result | null> {
  const attempt = await begin(tally, who)
  try {
    const result = await prove()
    if (result !== null) await attempt.succeed()
    return result
  } catch (error) {
    // nobody got to know whether it was right
    await attempt.giveBack()
    throw error
  }
}
