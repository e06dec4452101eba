import { isIPv4, isIPv6 } from 'node:net'

/** E-mails are compared trimmed, without case, and without a letter's look-alikes of other widths. */
export const emailKey = (email: string) => email.normalize('NFKC').trim().toLowerCase()

/** The eight groups of an IPv6 address, written out. */
function groupsOf(address: string): string[] {
  const [front = '', back] = address.split('::')
  const head = front.split(':').filter(Boolean)
  if (back === undefined) return head
  const tail = back.split(':').filter(Boolean)
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
}

/**
 * An address as some proxies write it, with its port (`203.0.113.7:1234`) or in brackets
 * (`[2001:db8::1]:443`), without them; any other text stays as it is.
 */
export const withoutPort = (address: string): string => {
  const [, inBrackets, v4] = /^(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*)$/.exec(address) ?? []
  return inBrackets ?? v4 ?? address
}

/** How many bits a network of IPv6 is told by: a customer's house, or a whole company's or host's. */
const WIDTHS = [64, 56, 48]

/** The first so many bits of an address, as it is written. */
function prefixOf(groups: number[], bits: number): string {
  const prefix = groups.slice(0, Math.ceil(bits / 16))
  const last = prefix.length - 1
  const spare = prefix.length * 16 - bits
  const cut = prefix.map((group, at) => (at === last ? (group >> spare) << spare : group))
  return `${cut.map((group) => group.toString(16)).join(':')}::/${bits}`
}

/**
 * What an address counts as, from the narrowest on: IPv4 itself, also where it is written as IPv6;
 * of IPv6 the first 64 bits, because whoever has one address there has all that share them, and the
 * first 56 and 48, because so many are handed out at once.
 */
export function networksOf(address: string): [narrowest: string, ...wider: string[]] {
  const [plain = ''] = withoutPort(address.trim()).toLowerCase().split('%')
  const mapped = /^::ffff:([\d.]+)$/.exec(plain)?.[1]
  if (mapped && isIPv4(mapped)) return [mapped]
  if (!isIPv6(plain)) return [plain]
  const groups = groupsOf(plain)
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16))
  const [narrowest = plain, ...wider] = WIDTHS.map((bits) => prefixOf(groups, bits))
  return [narrowest, ...wider]
}

/** The narrowest that an address counts as. */
export const networkOf = (address: string): string => networksOf(address)[0]

/** Of IPv6 the first 48 bits: one customer of a host may have all that share them. */
export const widestNetworkOf = (address: string): string => networksOf(address).at(-1) ?? address
