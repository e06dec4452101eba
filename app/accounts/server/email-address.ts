/** E-mail addresses of new accounts: one spelling for each mailbox. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { invalid } from '#app/shared/server/failure.ts'

/** The address with its domain in Unicode and in ASCII (`xn--`). */
function spellingsOf(address: string): string[] {
  const at = address.lastIndexOf('@') + 1
  const ascii = domainToASCII(address.slice(at))
  return [...new Set([domainToUnicode(ascii), ascii])].map(
    (domain) => address.slice(0, at) + domain,
  )
}

/**
 * The normalized e-mails by which the mailbox of a new account may have an account already: its domain may
 * be spelled in Unicode or in ASCII. Throws `invalid` where a mail server would read another address than
 * the shop compares, such as one in full-width letters, which normalization changes.
 */
export function emailKeysOf(email: string, key: string): string[] {
  const keys = spellingsOf(key)
  const isNormal = email.trim().normalize('NFKC') === email.trim()
  if (!isNormal || !keys.includes(key)) throw invalid('email is not valid.', 'email')
  return keys
}
