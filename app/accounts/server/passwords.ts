import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { gate } from '#app/shared/server/bounds/gate.ts'

/** OWASP's recommendation for argon2id: 19 MiB of memory, two passes, one lane. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing takes a thread each; the others stay free for compressing pages and reading files. */
const atOnce = gate({ running: 2, waiting: 64, seconds: 5 })

/** The same password may be typed as different code points on different keyboards. */
const ofPassword = (password: string) => password.normalize('NFKC')
/** A security answer is compared trimmed and without case. */
const ofAnswer = (answer: string) => answer.normalize('NFKC').trim().toLowerCase()

/** What is compared for somebody unknown, so that it takes as long as for somebody known. */
const nobodysHash = hash(randomBytes(16), STRENGTH)

const matches = async (stored: string | undefined, secret: string) => {
  const known = stored ?? (await nobodysHash)
  const equal = await atOnce(() => verify(known, secret))
  return stored !== undefined && equal
}

export const hashPassword = (password: string) => atOnce(() => hash(ofPassword(password), STRENGTH))
export const hashAnswer = (answer: string) => atOnce(() => hash(ofAnswer(answer), STRENGTH))

/** Whether the password is the stored one; with nothing stored, no, after the same time. */
export const isPassword = (stored: string | undefined, password: string) =>
  matches(stored, ofPassword(password))

/** Whether the answer is the stored one; with nothing stored, no, after the same time. */
export const isAnswer = (stored: string | undefined, answer: string) =>
  matches(stored, ofAnswer(answer))
