import { isIPv4, isIPv6 } from 'node:net'

/** E-mails are compared trimmed and without case. */
export const emailKey = (email: string) => email.normalize('NFC').trim().toLowerCase()

/** The eight groups of an IPv6 address, written out. */
function groupsOf(address: string): string[] {
  const [front = '', back] = address.split('::')
  const head = front.split(':').filter(Boolean)
  if (back === undefined) return head
  const tail = back.split(':').filter(Boolean)
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
}

/**
 * What an address counts as: IPv4 itself, also where it is written as IPv6; of IPv6 the first 64
 * bits, because whoever has one address there has all that share them.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%')
  const mapped = /^::ffff:([\d.]+)$/.exec(plain)?.[1]
  if (mapped && isIPv4(mapped)) return mapped
  if (!isIPv6(plain)) return plain
  const groups = groupsOf(plain).slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
