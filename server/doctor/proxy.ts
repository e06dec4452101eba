import { isTestKey } from '#app/payments/contract.ts'
import { type Finding, good, odd, wrong } from '#app/shared/server/doctor/finding.ts'
import type { Config } from '../config.ts'
import { isLoopback } from '../operation/trusted-proxies.ts'

const ADVICE =
  'If a proxy stands in front, name it: TRUST_PROXY=loopback for one on this machine, else its address. Its customers have one address otherwise, and share the limits of one.'

/**
 * Checks whether clients' addresses are known: a trusted proxy is set, or clients connect directly.
 */
export function examineProxy({ HOST, TRUST_PROXY, RAZORPAY_KEY_ID }: Config): Finding {
  if (TRUST_PROXY) return good('Proxy', `${TRUST_PROXY} tells the addresses of customers`)
  if (!isLoopback(HOST))
    return odd('Proxy', 'TRUST_PROXY is not set: customers must come without a proxy', ADVICE)
  const found = `TRUST_PROXY is not set, and from elsewhere HOST ${HOST} is reached by a proxy only`
  const takesMoney = RAZORPAY_KEY_ID && !isTestKey(RAZORPAY_KEY_ID)
  return takesMoney ? wrong('Proxy', found, ADVICE) : odd('Proxy', found, ADVICE)
}
