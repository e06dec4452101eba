import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's recommendation for argon2id: 19 MiB of memory, two passes, one lane. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The same password may be typed as different code points on different keyboards. */
const ofPassword = (password: string) => password.normalize('NFKC')
/** A security answer is compared trimmed and without case. */
const ofAnswer = (answer: string) => answer.normalize('NFKC').trim().toLowerCase()

/** What is compared for somebody unknown, so that it takes as long as for somebody known. */
const nobodysHash = hash(randomBytes(16), STRENGTH)

const matches = async (stored: string | undefined, secret: string) => {
  const equal = await verify(stored ?? (await nobodysHash), secret)
  return stored !== undefined && equal
}

export const hashPassword = (password: string) => hash(ofPassword(password), STRENGTH)
export const hashAnswer = (answer: string) => hash(ofAnswer(answer), STRENGTH)

/** Whether the password is the stored one; with nothing stored, no, after the same time. */
export const isPassword = (stored: string | undefined, password: string) =>
  matches(stored, ofPassword(password))

/** Whether the answer is the stored one; with nothing stored, no, after the same time. */
export const isAnswer = (stored: string | undefined, answer: string) =>
  matches(stored, ofAnswer(answer))
