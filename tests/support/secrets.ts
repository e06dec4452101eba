/** Secrets that must not appear in logs, and the search for them. */
import { Writable } from 'node:stream'
import { logOptions } from '#server/operation/request-log.ts'

/** Passwords and answers of the tests, and secrets in their settings. */
const TEST_SECRETS = [
  'correct-horse',
  'correct horse',
  'another-horse',
  'stolen-horse',
  'admin-demo',
  'customer-demo',
  'a long secret',
  'first secret',
  'second secret',
  'stolen secret',
  'not the secret',
  'the owner of it',
  'Seven Seas',
  'cricket',
  'test-secret',
  'hook-secret',
  'sandbox-secret-of-the-browser-tests',
]

/** Patterns of secrets. */
const LOOKS: Record<string, RegExp> = {
  'a hashed password': /\$argon2/,
  'a signature or a hash': /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i,
  'a row of somebody with a secret': /(password|answer|token)_hash/,
  'a value that is kept under a secret name':
    /"(authorization|cookie|set-cookie|x-razorpay-signature|password|newPassword|currentPassword|answer|token|secret|razorpay_signature)":(?!"\[secret\]")/,
}

/** As long as a session token, and not part of a longer text. */
const TOKENS = /(?<![\w-])[\w-]{43}(?![\w-])/g
/** Random text contains letters of both cases and digits; a long word does not. */
const isToken = (word: string) => /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word)

/** The kinds of secrets in a line. */
export function secretsIn(line: string): string[] {
  const looks = Object.entries(LOOKS).filter(([, look]) => look.test(line))
  return [
    ...looks.map(([kind]) => kind),
    ...(line.match(TOKENS) ?? []).filter(isToken).map(() => "a session's token"),
    ...TEST_SECRETS.filter((secret) => line.includes(secret)),
  ]
}

/** The lines with secrets; none in a safe log. */
export const linesWithSecrets = (log: string): string[] =>
  log.split('\n').flatMap((line) => {
    const found = secretsIn(line)
    return found.length > 0 ? [`${found.join(', ')}: ${line.slice(0, 1000)}`] : []
  })

function refuse(found: string[]) {
  if (found.length > 0) throw new Error(`The log shows secrets:\n${found.join('\n')}`)
}

/** Throws with the lines of a log that contain secrets. */
export const refuseSecrets = (log: string): void => refuse(linesWithSecrets(log))

/** A log at the most verbose level, which collects lines with secrets. */
export function searchedLog() {
  const found: string[] = []
  const stream = new Writable({
    write(line, _encoding, done) {
      found.push(...linesWithSecrets(String(line)))
      done()
    },
  })
  return { logger: { ...logOptions('debug'), stream }, refuse: () => refuse(found) }
}
