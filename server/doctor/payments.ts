import { askRazorpay } from '#app/payments/server/providers/ask-razorpay.ts'
import type { Config } from '../config.ts'
import { compareClocks } from './clock.ts'
import { type Finding, good, odd, reason, wrong } from './finding.ts'

function examineReports({ RAZORPAY_WEBHOOK_SECRET }: Config): Finding {
  if (RAZORPAY_WEBHOOK_SECRET) return good('Payment reports', 'their secret is set')
  return odd(
    'Payment reports',
    'RAZORPAY_WEBHOOK_SECRET is not set, so the shop asks about each payment by itself',
    'Add a webhook to https://YOUR-SHOP/api/v1/payment/webhook/razorpay in the Razorpay dashboard, and set its secret here.',
  )
}

/** Why nothing came back: "fetch failed" says nothing, but what caused it does. */
const whyNot = (error: unknown): string => {
  const cause = error instanceof Error ? reason(error.cause ?? '') : ''
  return cause === '' ? reason(error) : cause
}

/** Where it should be reachable; another address than Razorpay's own is rarely meant. */
const adviceOf = ({ RAZORPAY_API_URL: url }: Config) =>
  url
    ? `RAZORPAY_API_URL is ${url}: is Razorpay there? Without that setting it is asked at api.razorpay.com.`
    : 'Check that this machine may reach api.razorpay.com by HTTPS.'

/** Asks the provider whether it knows the keys, and the time. */
export async function examinePayments(config: Config): Promise<Finding[]> {
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret } = config
  if (!keyId || !keySecret)
    return [
      odd(
        'Payments',
        'they go to the sandbox: nobody pays anything',
        'Set RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET to take real payments.',
      ),
    ]
  const asked = Date.now()
  try {
    const { keys, at } = await askRazorpay({ keyId, keySecret, apiUrl: config.RAZORPAY_API_URL })
    const clock = at ? [compareClocks('Razorpay', at, [asked - 1000, Date.now()])] : []
    const kind = keyId.startsWith('rzp_live_') ? 'live' : 'test'
    return [
      keys === 'known'
        ? good('Payments', `Razorpay knows the ${kind} keys`)
        : wrong(
            'Payments',
            `Razorpay does not know the ${kind} keys`,
            'Copy both keys anew from the Razorpay dashboard; they belong together.',
          ),
      examineReports(config),
      ...clock,
    ]
  } catch (error) {
    return [
      wrong('Payments', `Razorpay cannot be asked: ${whyNot(error)}`, adviceOf(config)),
      examineReports(config),
    ]
  }
}
