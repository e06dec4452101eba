import { networksOf } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { countAttempts, keyOf, tooManyRequests } from '#app/shared/server/limits/limits.ts'
import type { KnownNetworks } from './known-places-store.ts'

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
 * which doubles every `each` attempts and is at most `max` seconds.
 */
type BackoffRule = { after: number; each: number; max: number }
/** The rules of an address (IPv6: /64), and of the /56 and /48 networks that it belongs to. */
const NETWORK_RULES: BackoffRule[] = [
  { after: 5, each: 1, max: 60 },
  { after: 10, each: 1, max: 60 },
  { after: 20, each: 1, max: 60 },
]
const ACCOUNT_RULE: BackoffRule = { after: 100, each: 5, max: 600 }

/**
 * Limits of wrong security answers, which are far easier to guess than passwords. They apply to all
 * unknown networks of an account together, and for each of its known networks. A period begins with
 * the first wrong answer.
 */
const ANSWERS = [
  { max: 5, seconds: 60 * 60 },
  { max: 20, seconds: DAY },
]

const pauseAfter = (tries: number, { after, each, max }: BackoffRule) =>
  tries < after ? 0 : Math.min(max, 2 ** Math.floor((tries - after) / each))

const pauseOf = (key: string) => `${key}/pause`

const TOO_MANY = 'Too many attempts.'

type Undo = () => Promise<unknown>

/**
 * Counts an attempt, and adds to `undo` what subtracts it again. During a pause it throws `rate_limited`: the
 * client may be innocent, because other clients failed, or a correct attempt is still being checked. Otherwise
 * it starts the next pause, and returns the attempts so far.
 */
async function countPassword(
  counters: CounterStore,
  undo: Undo[],
  key: string,
  rule: BackoffRule,
): Promise<number> {
  const { count: attempts } = await counters.add(key, 1, DAY)
  undo.push(() => counters.add(key, -1, DAY))
  const seconds = pauseAfter(attempts, rule)
  const starts = seconds > 0 ? 1 : 0
  const pause = await counters.add(pauseOf(key), starts, seconds)
  if (pause.count > starts) throw tooManyRequests(TOO_MANY, pause.leftMs)
  if (starts > 0) undo.push(() => counters.delete(pauseOf(key)))
  return attempts
}

type Attempt = { counters: CounterStore; undo: Undo[]; account: string; isKnown: boolean }
type Networks = ReturnType<typeof networksOf>

/**
 * Counts a password for its networks, narrowest first, then for all networks together. For a network known
 * for the account only the narrowest counts, so attempts of its neighbours do not slow it down.
 */
async function countPasswords(
  { counters, undo, account, isKnown }: Attempt,
  networks: Networks,
): Promise<void> {
  let group = isKnown ? networks[0] : 'few'
  for (const [at, rule] of NETWORK_RULES.entries()) {
    const network = networks[at]
    if (network === undefined || (isKnown && at > 0)) continue
    const attempts = await countPassword(counters, undo, keyOf('password', account, network), rule)
    if (!isKnown && attempts >= rule.after) group = 'many'
  }
  await countPassword(counters, undo, keyOf('password', account, group, 'all'), ACCOUNT_RULE)
}

async function countAnswer(
  { counters, undo, account, isKnown }: Attempt,
  [network]: Networks,
): Promise<void> {
  const counts = ANSWERS.map((limit) => ({
    ...limit,
    key: keyOf('answer', account, isKnown ? network : 'elsewhere', limit.seconds),
  }))
  const subtract = await countAttempts(counters, counts, TOO_MANY)
  undo.push(() => subtract(1))
}

const COUNT = { password: countPasswords, answer: countAnswer }

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
  { counters: all, known }: AttemptStorage,
  { secret, account, address }: AttemptSubject,
  prove: (isKnown: boolean) => Promise<Result | null>,
): Promise<Result | null> {
  const networks = networksOf(address)
  const [network] = networks
  const isKnown = await known.has(account, network)
  // floods of other requests evict no attempts, and attempts with passwords none with answers
  const attempt: Attempt = { counters: all.partition(secret), undo: [], account, isKnown }
  const undo = () => Promise.all(attempt.undo.splice(0).map((one) => one()))
  try {
    await COUNT[secret](attempt, networks)
    const result = await prove(isKnown)
    if (result === null) return null
    await undo()
    const passwords = all.partition('password')
    const key = keyOf('password', account, network)
    await Promise.all([passwords.delete(key), passwords.delete(pauseOf(key))])
    await known.add(account, network)
    return result
  } catch (error) {
    // it was refused, or its result is not known to the client, so it does not count
    await undo()
    throw error
  }
}
