import { networksOf } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { keyOf, tooSoon } from '#app/shared/server/limits/limits.ts'
import type { KnownNetworks } from './known-networks.ts'

/** The subject of an attempt: the account's e-mail as it is compared, known or not, and the address. */
export type AttemptSubject = { secret: 'password' | 'answer'; account: string; address: string }

/** Storage of attempts: counters of wrong ones, and the networks where an account was right. */
export type AttemptStorage = { counters: CounterStore; known: KnownNetworks }

const DAY = 24 * 60 * 60

/** From how many wrong tries a day on there are pauses; each so many more double them, in seconds. */
type BackoffRule = { after: number; each: number; most: number }
/** Of an address, and of the wider networks of IPv6 that it is in: there are many addresses in one. */
const NETWORK_RULES: BackoffRule[] = [
  { after: 5, each: 1, most: 60 },
  { after: 10, each: 1, most: 60 },
  { after: 20, each: 1, most: 60 },
]
const ACCOUNT_RULE: BackoffRule = { after: 100, each: 5, most: 600 }

/**
 * Wrong answers to a security question, which are far easier to guess than passwords: so many of all
 * networks together where the account was never used, and so many of each where it was. A period
 * begins with the first of them.
 */
const ANSWERS = [
  { most: 5, seconds: 60 * 60 },
  { most: 20, seconds: DAY },
]

const pauseAfter = (tries: number, { after, each, most }: BackoffRule) =>
  tries < after ? 0 : Math.min(most, 2 ** Math.floor((tries - after) / each))

const pauseOf = (key: string) => `${key}/pause`

/** A try that was counted, before it is known to be right or wrong. */
type Counted = { tries: number; waitMs: number; undo: () => Promise<void> }

/** Counts a try, unless there is a pause: whoever comes first may, and begins the next one. */
async function count(counters: CounterStore, key: string, rule: BackoffRule): Promise<Counted> {
  const { count: tries } = await counters.add(key, 1, DAY)
  const seconds = pauseAfter(tries, rule)
  const pause = await counters.add(pauseOf(key), seconds > 0 ? 1 : 0, seconds)
  const isRefused = pause.count > (seconds > 0 ? 1 : 0)
  const uncount = () => counters.add(key, -1, DAY)
  if (isRefused) await uncount()
  return {
    tries,
    waitMs: isRefused ? pause.leftMs : 0,
    undo: async () => {
      await uncount()
      if (seconds > 0) await counters.delete(pauseOf(key))
    },
  }
}

/** Counts a wrong answer, unless there were as many as there may be. */
async function countAnswer(
  counters: CounterStore,
  key: string,
  { most, seconds }: (typeof ANSWERS)[number],
): Promise<Counted> {
  const { count: tries, leftMs } = await counters.add(key, 1, seconds)
  const undo = async () => {
    await counters.add(key, -1, seconds)
  }
  if (tries <= most) return { tries, waitMs: 0, undo }
  await undo()
  return { tries, waitMs: Math.max(1, leftMs), undo }
}

type Networks = ReturnType<typeof networksOf>
type Network = { name: string; rule: BackoffRule }

/**
 * Where a try comes from, from the narrowest on. Where the account is known no neighbour's tries
 * count: that place alone.
 */
const countedNetworks = (networks: string[], isKnown: boolean): Network[] =>
  NETWORK_RULES.flatMap((rule, at) => {
    const name = networks[at]
    return name === undefined || (isKnown && at > 0) ? [] : [{ name, rule }]
  })

const undoAll = (counted: Counted[]) => Promise.all(counted.map((one) => one.undo()))

/** Counts each in turn; throws `rate_limited`, and gives all back, at the first with a pause. */
async function countAll(steps: (() => Promise<Counted>)[]): Promise<Counted[]> {
  const counted: Counted[] = []
  for (const step of steps) {
    const one = await step()
    if (one.waitMs > 0) {
      await undoAll(counted)
      // whoever waits may be innocent: others tried, or a right one is still being judged
      throw tooSoon('There were too many attempts.', one.waitMs)
    }
    counted.push(one)
  }
  return counted
}

/** What counts a password, in turn: the places that it comes from, and all places together. */
function passwordSteps(
  counters: CounterStore,
  account: string,
  networks: Networks,
  isKnown: boolean,
) {
  let group = isKnown ? networks[0] : 'few'
  const networkSteps = countedNetworks(networks, isKnown).map(({ name, rule }) => async () => {
    const one = await count(counters, keyOf('password', account, name), rule)
    if (!isKnown && one.tries >= rule.after) group = 'many'
    return one
  })
  return [
    ...networkSteps,
    () => count(counters, keyOf('password', account, group, 'all'), ACCOUNT_RULE),
  ]
}

const answerSteps = (
  counters: CounterStore,
  account: string,
  [network]: Networks,
  isKnown: boolean,
) =>
  ANSWERS.map((limit) => {
    const key = keyOf('answer', account, isKnown ? network : 'elsewhere', limit.seconds)
    return () => countAnswer(counters, key, limit)
  })

const STEPS = { password: passwordSteps, answer: answerSteps }

/** Lets a try begin, and counts it; throws `rate_limited` while there is a pause. */
async function begin(
  { counters, known }: AttemptStorage,
  { secret, account, address }: AttemptSubject,
) {
  const networks = networksOf(address)
  const [network] = networks
  const isKnown = await known.has(account, network)
  const counted = await countAll(STEPS[secret](counters, account, networks, isKnown))
  return {
    isKnown,
    undo: () => undoAll(counted),
    succeed: async () => {
      await undoAll(counted)
      const passwordKey = keyOf('password', account, network)
      await Promise.all([passwordKey, pauseOf(passwordKey)].map((key) => counters.delete(key)))
      await known.add(account, network)
    },
  }
}

/**
 * Lets a secret be tried; `prove` answers what it opens, or null when it is wrong, and is told
 * whether the account has been used at this network. Wrong passwords of an address, or of the
 * networks that it is in, make it wait, longer with each. Those of all addresses together are slowed
 * down, too, much later: apart from each other those that tried a few times, those that tried often,
 * and each that the account is known to use; so a stranger alone never keeps out the owner. Wrong
 * answers are counted for the account, whoever sends them. Throws `rate_limited`, without trying,
 * while there is a pause. What comes of no account counts alike.
 */
export async function withAttemptLimit<Result>(
  storage: AttemptStorage,
  subject: AttemptSubject,
  prove: (isKnown: boolean) => Promise<Result | null>,
): Promise<Result | null> {
  const attempt = await begin(storage, subject)
  try {
    const result = await prove(attempt.isKnown)
    if (result !== null) await attempt.succeed()
    return result
  } catch (error) {
    // nobody got to know whether it was right
    await attempt.undo()
    throw error
  }
}
