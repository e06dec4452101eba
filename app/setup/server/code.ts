import { hash, randomBytes } from 'node:crypto'

/** Crockford's base 32: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16

/** A random code of 80 bits, such as 7K2M-XQ4T-09BN-W3HZ. */
export function randomCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** The code as it is compared: without case, spaces and hyphens, and with look-alikes read as digits. */
const plain = (code: string) =>
  code
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')

/** The stored form of a code. It has too many bits to be found from its hash. */
export const hashOfCode = (code: string): Buffer => hash('sha256', plain(code), 'buffer')
