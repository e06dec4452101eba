import { isTestKey } from '#app/payments/contract.ts'
import { type Finding, ok, problem, warning } from '#app/shared/server/doctor/finding.ts'
import type { Config } from '../config.ts'
import { isLoopback } from '../operation/trusted-proxies.ts'

const ADVICE =
  'If the shop is behind a proxy, set TRUST_PROXY: loopback for one on this machine, else its address. Otherwise all its customers share the limits of one address.'

/**
 * Checks whether clients' addresses are known: a trusted proxy is set, or clients connect directly.
 */
export function examineProxy({ HOST, TRUST_PROXY, RAZORPAY_KEY_ID }: Config): Finding {
  if (TRUST_PROXY) return ok('Proxy', `${TRUST_PROXY} is trusted to forward addresses`)
  if (!isLoopback(HOST))
    return warning('Proxy', 'TRUST_PROXY is not set: clients must connect directly', ADVICE)
  const found = `TRUST_PROXY is not set, and from elsewhere HOST ${HOST} is reached by a proxy only`
  const takesMoney = RAZORPAY_KEY_ID && !isTestKey(RAZORPAY_KEY_ID)
  return takesMoney ? problem('Proxy', found, ADVICE) : warning('Proxy', found, ADVICE)
}
