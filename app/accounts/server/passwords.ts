import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { type BoundedLimit, boundedLimit } from '#app/shared/server/bounds/bounded-limit.ts'
import { widestNetworkOf } from '#app/shared/server/limits/client-keys.ts'

/** OWASP's recommendation for argon2id: 19 MiB of memory, two passes, one lane. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each hash uses a thread of the pool; the other threads stay free for compression and files. */
const atOnce = boundedLimit({ concurrency: 2, queue: 64, retryAfter: 5 })

/**
 * Hashing other than for log-ins uses at most one of the two slots, so registrations, resets and
 * profile changes never delay a log-in.
 */
const nonLoginLimit = boundedLimit({ concurrency: 1, queue: 64, retryAfter: 5 })
const exceptLogIn: BoundedLimit = (work) => nonLoginLimit(() => atOnce(work))

/** Slots of one network in a queue. Its further requests wait before the queue. */
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

/**
 * The queue for hashing other than for log-ins. Requests pass their address; admins, the command
 * line and jobs pass none.
 */
const queueOf = (address?: string): BoundedLimit =>
  address === undefined ? exceptLogIn : otherFrom(address)

/** NFKC: keyboards may produce different code points for the same password. */
const ofPassword = (password: string) => password.normalize('NFKC')
/** Security answers are compared trimmed and case-insensitively. */
const ofAnswer = (answer: string) => answer.normalize('NFKC').trim().toLowerCase()

/** Verified for an unknown account, so that it takes as long as a known one. */
const unknownAccountHash = hash(randomBytes(16), STRENGTH)

/** A stored text that is not a hash matches nothing, in the same time. */
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

/** The hash of a random answer. It resets nothing until the user sets another answer. */
export const hashRandomAnswer = (address?: string) =>
  hashed(randomBytes(32).toString('base64url'), address)

/**
 * Verifies the password of a log-in from an address. False without a stored hash, after the same
 * time.
 */
export const isPassword = (stored: string | undefined, password: string, address: string) =>
  matches(stored, ofPassword(password), logInFrom(address))

/** Verifies the current password of a signed-in user. */
export const isCurrentPassword = (stored: string, password: string, address?: string) =>
  matches(stored, ofPassword(password), queueOf(address))

/** Verifies the security answer. False without a stored hash, after the same time. */
export const isAnswer = (stored: string | undefined, answer: string, address?: string) =>
  matches(stored, ofAnswer(answer), queueOf(address))
