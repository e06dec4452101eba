import { networksOf } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { keyOf, tooSoon } from '#app/shared/server/limits/limits.ts'
import type { KnownNetworks } from './known-networks.ts'

/**
 * The subject of an attempt: the kind of secret, the normalized e-mail (of an account or not), and
 * the client's address.
 */
export type AttemptSubject = { secret: 'password' | 'answer'; account: string; address: string }

/** Storage of attempts: counters of failed ones, and the networks known for each account. */
export type AttemptStorage = { counters: CounterStore; known: KnownNetworks }

const DAY = 24 * 60 * 60

/**
 * Exponential backoff: from `after` failed attempts a day on, each attempt is followed by a pause,
 * which doubles every `each` attempts and is at most `most` seconds.
 */
type BackoffRule = { after: number; each: number; most: number }
/** The rules of an address (IPv6: /64), and of the /56 and /48 networks that it belongs to. */
const NETWORK_RULES: BackoffRule[] = [
  { after: 5, each: 1, most: 60 },
  { after: 10, each: 1, most: 60 },
  { after: 20, each: 1, most: 60 },
]
const ACCOUNT_RULE: BackoffRule = { after: 100, each: 5, most: 600 }

/**
 * Limits of wrong security answers, which are far easier to guess than passwords. They hold for all
 * unknown networks of an account together, and for each of its known networks. A period begins with
 * the first wrong answer.
 */
const ANSWERS = [
  { most: 5, seconds: 60 * 60 },
  { most: 20, seconds: DAY },
]

const pauseAfter = (tries: number, { after, each, most }: BackoffRule) =>
  tries < after ? 0 : Math.min(most, 2 ** Math.floor((tries - after) / each))

const pauseOf = (key: string) => `${key}/pause`

/** A counted attempt whose result is not known yet. `undo` removes it from the counter. */
type Counted = { tries: number; waitMs: number; undo: () => Promise<void> }

/**
 * Counts an attempt. During a pause the attempt is refused (`waitMs` > 0) and not counted;
 * otherwise it starts the next pause.
 */
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

/** Counts a wrong answer. Above the limit it is refused (`waitMs` > 0) and not counted. */
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
 * The networks that an attempt counts for, narrowest first. For a network known for the account
 * only the narrowest counts, so attempts of its neighbours do not slow it down.
 */
const countedNetworks = (networks: string[], isKnown: boolean): Network[] =>
  NETWORK_RULES.flatMap((rule, at) => {
    const name = networks[at]
    return name === undefined || (isKnown && at > 0) ? [] : [{ name, rule }]
  })

const undoAll = (counted: Counted[]) => Promise.all(counted.map((one) => one.undo()))

/** Counts one step after the other. At the first pause it undoes all and throws `rate_limited`. */
async function countAll(steps: (() => Promise<Counted>)[]): Promise<Counted[]> {
  const counted: Counted[] = []
  for (const step of steps) {
    const one = await step()
    if (one.waitMs > 0) {
      await undoAll(counted)
      // the client may be innocent: other clients failed, or a correct attempt is still being
      // checked
      throw tooSoon('Too many attempts.', one.waitMs)
    }
    counted.push(one)
  }
  return counted
}

/** The counters of a password attempt: its networks, then all networks together. */
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

/** Counts an attempt and starts it. Throws `rate_limited` during a pause. */
async function begin(
  { counters: all, known }: AttemptStorage,
  { secret, account, address }: AttemptSubject,
) {
  // floods of other requests evict no attempts, and attempts with passwords none with answers
  const counters = all.partition(secret)
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
      const passwords = all.partition('password')
      await Promise.all([passwordKey, pauseOf(passwordKey)].map((key) => passwords.delete(key)))
      await known.add(account, network)
    },
  }
}

/**
 * Runs `prove`, which returns what the secret opens, or null when it is wrong; its argument says
 * whether the network is known for the account. Failed passwords delay the networks that they come
 * from, with exponential backoff. Failed passwords of all networks together are delayed much later,
 * and separately for networks with few attempts, networks with many, and each known network, so
 * that a stranger never locks out the owner. Wrong security answers are counted for the account.
 * Throws `rate_limited`, without running `prove`, during a pause. E-mails without an account are
 * treated alike.
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
    // the result is not known to the client, so the attempt does not count
    await attempt.undo()
    throw error
  }
}
