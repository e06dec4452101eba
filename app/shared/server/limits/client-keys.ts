import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The normalized e-mail: NFKC, trimmed, lower case. */
export const emailKey = (email: string) => email.normalize('NFKC').trim().toLowerCase()

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

/**
 * The networks of an address, narrowest first. IPv4 (also IPv4-mapped IPv6) is the address itself;
 * IPv6 is its /64, because one client can use all addresses in it, and its /56 and /48, because
 * providers assign those to one customer.
 */
export function networksOf(address: string): [narrowest: string, ...wider: string[]] {
  const [plain = ''] = withoutPort(address.trim()).toLowerCase().split('%')
  if (!isIPv6(plain)) return [plain]
  const address6 = ipaddr.IPv6.parse(plain)
  if (address6.isIPv4MappedAddress()) return [address6.toIPv4Address().toString()]
  const [narrowest = plain, ...wider] = WIDTHS.map((bits) => prefixOf(address6.parts, bits))
  return [narrowest, ...wider]
}

/** The narrowest network of an address. */
export const networkOf = (address: string): string => networksOf(address)[0]

/** The widest network of an address: for IPv6 its /48, which may belong to one customer. */
export const widestNetworkOf = (address: string): string => networksOf(address).at(-1) ?? address
