import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { boundedSlots, type Slots, slotsByNetwork } from '#app/shared/server/limits/slots.ts'

/** OWASP's recommendation for argon2id: 19 MiB of memory, two passes, one lane. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each hash uses a thread of the pool; the other threads stay free for compression and files. */
const hashSlots = boundedSlots({ concurrency: 2, queue: 64 })

/**
 * Hashing other than for log-ins uses at most one of the two slots, so registrations, resets and
 * profile changes never delay a log-in.
 */
const nonLoginQueue = boundedSlots({ concurrency: 1, queue: 64 })
const nonLoginSlots: Slots = (task) => nonLoginQueue(() => hashSlots(task))

const OF_NETWORK = { concurrency: 4, queue: 60 }
const loginSlotsOf = slotsByNetwork(OF_NETWORK, hashSlots)
const nonLoginSlotsOf = slotsByNetwork(OF_NETWORK, nonLoginSlots)

/**
 * The slots for hashing other than for log-ins. Requests pass their address; admins, the command
 * line and jobs pass none.
 */
const slotsOf = (address?: string): Slots =>
  address === undefined ? nonLoginSlots : nonLoginSlotsOf(address)

/** NFKC: keyboards may produce different code points for the same password. */
const ofPassword = (password: string) => password.normalize('NFKC')
/** Security answers are compared trimmed and case-insensitively. */
const ofAnswer = (answer: string) => answer.normalize('NFKC').trim().toLowerCase()

/** Verified for an unknown account, so that it takes as long as a known one. */
const unknownAccountHash = hash(randomBytes(16), STRENGTH)

/** A stored text that is not a hash matches nothing, in the same time. */
const isHash = (stored: string) => stored.startsWith('$argon2')

const matches = async (stored: string | undefined, secret: string, run: Slots) => {
  const known = stored !== undefined && isHash(stored) ? stored : await unknownAccountHash
  const equal = await run(() => verify(known, secret))
  return stored === known && equal
}

const hashed = (secret: string, address?: string) => slotsOf(address)(() => hash(secret, STRENGTH))

export const hashPassword = (password: string, address?: string) =>
  hashed(ofPassword(password), address)
export const hashAnswer = (answer: string, address?: string) => hashed(ofAnswer(answer), address)

/** The hash of a random secret: no password and no answer fits it. */
export const hashRandomAnswer = (address?: string) =>
  hashed(randomBytes(32).toString('base64url'), address)

/**
 * Verifies the password of a log-in from an address. False without a stored hash, after the same
 * time.
 */
export const isPassword = (stored: string | undefined, password: string, address: string) =>
  matches(stored, ofPassword(password), loginSlotsOf(address))

/** Verifies the current password of a signed-in user. */
export const isCurrentPassword = (stored: string, password: string, address?: string) =>
  matches(stored, ofPassword(password), slotsOf(address))

/** Verifies the security answer. False without a stored hash, after the same time. */
export const isAnswer = (stored: string | undefined, answer: string, address?: string) =>
  matches(stored, ofAnswer(answer), slotsOf(address))
