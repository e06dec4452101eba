import { BlockList, isIP } from 'node:net'
import { withoutPort } from '#app/shared/server/limits/who.ts'

/** The ranges that have a name in TRUST_PROXY. */
const NAMED: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Addresses that a verdict is remembered for. */
const MOST_KNOWN = 1000

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether what a peer says of others counts. */
export type IsTrusted = (address: string | undefined) => boolean

/** Makes the test whether an address is among these addresses and ranges. */
export function trustedPeers(proxies: string[]): IsTrusted {
  const trusted = new BlockList()
  for (const range of proxies.flatMap((proxy) => NAMED[proxy] ?? [proxy])) {
    const [address = '', bits] = range.split('/')
    if (bits) trusted.addSubnet(address, Number(bits), familyOf(address))
    else trusted.addAddress(address, familyOf(address))
  }
  const isTrusted = (told: string) => {
    const address = withoutPort(told)
    return isIP(address) > 0 && trusted.check(address, familyOf(address))
  }
  if (proxies.length === 0) return () => false
  // a proxy comes again with every request
  const known = new Map<string, boolean>()
  return (address = '') => {
    const told = known.get(address)
    if (told !== undefined) return told
    if (known.size >= MOST_KNOWN) known.clear()
    const verdict = isTrusted(address)
    known.set(address, verdict)
    return verdict
  }
}

const isLoopbackAddress = trustedPeers(['loopback'])

/** Whether a host name or an address means this machine itself. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)
}
