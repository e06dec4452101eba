import { isIPv4, isIPv6 } from 'node:net'

/** The normalized e-mail: NFKC, trimmed, lower case. */
export const emailKey = (email: string) => email.normalize('NFKC').trim().toLowerCase()

/** The eight groups of an IPv6 address, expanded. */
function groupsOf(address: string): string[] {
  const [front = '', back] = address.split('::')
  const head = front.split(':').filter(Boolean)
  if (back === undefined) return head
  const tail = back.split(':').filter(Boolean)
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
}

/**
 * Removes the port (`203.0.113.7:1234`) or the brackets (`[2001:db8::1]:443`) that some proxies add
 * to an address; any other text is unchanged.
 */
export const withoutPort = (address: string): string => {
  const [, inBrackets, v4] = /^(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*)$/.exec(address) ?? []
  return inBrackets ?? v4 ?? address
}

/** Prefix lengths of IPv6 networks: one customer has a /64 to a /48. */
const WIDTHS = [64, 56, 48]

/** The network prefix of an address, as text. */
function prefixOf(groups: number[], bits: number): string {
  const prefix = groups.slice(0, Math.ceil(bits / 16))
  const last = prefix.length - 1
  const spare = prefix.length * 16 - bits
  const cut = prefix.map((group, at) => (at === last ? (group >> spare) << spare : group))
  return `${cut.map((group) => group.toString(16)).join(':')}::/${bits}`
}

/** Whether an address is an IPv4-mapped one, `::ffff:0:0/96`. */
const isMapped = (groups: number[]) => groups.slice(0, 6).join() === '0,0,0,0,0,65535'

/** The IPv4 address in the last two groups. */
const dotted = (groups: number[]) =>
  groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')

/**
 * The networks of an address, narrowest first. IPv4 (also IPv4-mapped IPv6) is the address itself;
 * IPv6 is its /64, because one client can use all addresses in it, and its /56 and /48, because
 * providers assign those to one customer.
 */
export function networksOf(address: string): [narrowest: string, ...wider: string[]] {
  const [plain = ''] = withoutPort(address.trim()).toLowerCase().split('%')
  const mapped = /^::ffff:([\d.]+)$/.exec(plain)?.[1]
  if (mapped && isIPv4(mapped)) return [mapped]
  if (!isIPv6(plain)) return [plain]
  const groups = groupsOf(plain).map((group) => Number.parseInt(group, 16))
  if (isMapped(groups)) return [dotted(groups)]
  const [narrowest = plain, ...wider] = WIDTHS.map((bits) => prefixOf(groups, bits))
  return [narrowest, ...wider]
}

/** The narrowest network of an address. */
export const networkOf = (address: string): string => networksOf(address)[0]

/** The widest network of an address: for IPv6 its /48, which may belong to one customer. */
export const widestNetworkOf = (address: string): string => networksOf(address).at(-1) ?? address
