import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { type BoundedLimit, boundedLimit } from '#app/shared/server/bounds/bounded-limit.ts'
import { widestNetworkOf } from '#app/shared/server/limits/client-keys.ts'

/** OWASP's recommendation for argon2id: 19 MiB of memory, two passes, one lane. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing takes a thread each; the others stay free for compressing pages and reading files. */
const atOnce = boundedLimit({ concurrency: 2, queue: 64, retryAfter: 5 })

/**
 * All hashing except that of log-ins uses one of the two places at most, so that registrations,
 * resets and profile changes never make a log-in wait.
 */
const nonLoginLimit = boundedLimit({ concurrency: 1, queue: 64, retryAfter: 5 })
const exceptLogIn: BoundedLimit = (work) => nonLoginLimit(() => atOnce(work))

/** Places that one network takes in a queue; its further requests wait outside of it. */
const OF_NETWORK = { concurrency: 4, queue: 60, retryAfter: 5 }

/**
 * Shares a queue among networks. Of IPv6 a /48 is one network, so that it cannot fill the queue with
 * its many addresses.
 */
function sharedByNetworks(queue: BoundedLimit): (address: string) => BoundedLimit {
  const networks = new Map<string, { run: BoundedLimit; requests: number }>()
  return (address) => async (work) => {
    const network = widestNetworkOf(address)
    const entry = networks.get(network) ?? { run: boundedLimit(OF_NETWORK), requests: 0 }
    networks.set(network, entry)
    entry.requests += 1
    try {
      return await entry.run(() => queue(work))
    } finally {
      entry.requests -= 1
      if (entry.requests === 0) networks.delete(network)
    }
  }
}

const logInFrom = sharedByNetworks(atOnce)
const otherFrom = sharedByNetworks(exceptLogIn)

/** The queue for other hashing. Requests pass their address; admins, the owner and jobs pass none. */
const queueOf = (address?: string): BoundedLimit =>
  address === undefined ? exceptLogIn : otherFrom(address)

/** The same password may be typed as different code points on different keyboards. */
const ofPassword = (password: string) => password.normalize('NFKC')
/** A security answer is compared trimmed and without case. */
const ofAnswer = (answer: string) => answer.normalize('NFKC').trim().toLowerCase()

/** Compared for an unknown account, so that it takes as long as for a known one. */
const unknownAccountHash = hash(randomBytes(16), STRENGTH)

/** A stored text that is no hash is matched by nothing, in the time of one that is. */
const isHash = (stored: string) => stored.startsWith('$argon2')

const matches = async (stored: string | undefined, secret: string, run: BoundedLimit) => {
  const known = stored !== undefined && isHash(stored) ? stored : await unknownAccountHash
  const equal = await run(() => verify(known, secret))
  return stored === known && equal
}

const hashed = (secret: string, address?: string) => queueOf(address)(() => hash(secret, STRENGTH))

export const hashPassword = (password: string, address?: string) =>
  hashed(ofPassword(password), address)
export const hashAnswer = (answer: string, address?: string) => hashed(ofAnswer(answer), address)

/** The hash of a random answer: it resets nothing, until the user sets another one. */
export const hashRandomAnswer = () => hashed(randomBytes(32).toString('base64url'))

/**
 * Whether the password of a log-in from an address is the stored one; with nothing stored, no, after
 * the same time.
 */
export const isPassword = (stored: string | undefined, password: string, address: string) =>
  matches(stored, ofPassword(password), logInFrom(address))

/** Whether the password of somebody who is signed in is the stored one. */
export const isCurrentPassword = (stored: string, password: string, address?: string) =>
  matches(stored, ofPassword(password), queueOf(address))

/** Whether the answer is the stored one; with nothing stored, no, after the same time. */
export const isAnswer = (stored: string | undefined, answer: string, address?: string) =>
  matches(stored, ofAnswer(answer), queueOf(address))
