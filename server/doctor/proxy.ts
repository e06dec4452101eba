import { isTestKey } from '#app/payments/contract.ts'
import { type Finding, ok, problem, warning } from '#app/shared/server/doctor/finding.ts'
import type { Config } from '../config.ts'
import { isLoopback } from '../operation/trusted-proxies.ts'

const ADVICE =
  'Behind a reverse proxy, set TRUST_PROXY=loopback if it runs on this machine, else the address of the proxy. Otherwise all customers count as one client and share its rate limits.'

/**
 * Checks whether clients' addresses are known: a trusted proxy is set, or clients connect directly.
 */
export function examineProxy({ HOST, TRUST_PROXY, RAZORPAY_KEY_ID }: Config): Finding {
  if (TRUST_PROXY) return ok('Proxy', `${TRUST_PROXY} is trusted to forward addresses`)
  if (!isLoopback(HOST))
    return warning(
      'Proxy',
      'TRUST_PROXY is not set, so clients must connect directly, without a reverse proxy',
      ADVICE,
    )
  const found = `TRUST_PROXY is not set, and other machines reach HOST ${HOST} only through a reverse proxy`
  const takesMoney = RAZORPAY_KEY_ID && !isTestKey(RAZORPAY_KEY_ID)
  return takesMoney ? problem('Proxy', found, ADVICE) : warning('Proxy', found, ADVICE)
}
