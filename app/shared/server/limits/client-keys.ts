import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { STRIPPED } from '#app/shared/model/visible-text.ts'

/** The normalized e-mail: NFKC, without characters that are not seen, trimmed, lower case. */
export const emailKey = (email: string) =>
  STRIPPED.words(email.normalize('NFKC')).trim().toLowerCase()

/**
 * Removes the port (`203.0.113.7:1234`) or the brackets (`[2001:db8::1]:443`) that some proxies add
 * to an address; any other text is unchanged.
 */
export const withoutPort = (address: string): string => {
  const [, inBrackets, v4] = /^(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*)$/.exec(address) ?? []
  return inBrackets ?? v4 ?? address
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
  const [a = 0, b = 0, c = 0, d = 0] = address6.parts
  const prefix = (...groups: number[]) => groups.map((group) => group.toString(16)).join(':')
  return [
    `${prefix(a, b, c, d)}::/64`,
    `${prefix(a, b, c, d & 0xff00)}::/56`,
    `${prefix(a, b, c)}::/48`,
  ]
}

/** The narrowest network of an address. */
export const networkOf = (address: string): string => networksOf(address)[0]

/** The widest network of an address: for IPv6 its /48, which may belong to one customer. */
export const widestNetworkOf = (address: string): string => networksOf(address).at(-1) ?? address
