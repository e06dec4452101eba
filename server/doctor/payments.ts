import { isTestKey } from '#app/payments/contract.ts'
import { askRazorpay } from '#app/payments/server/providers/ask-razorpay.ts'
import type { Config } from '../config.ts'
import { signOfRealShop } from '../demo/real-shop.ts'
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

const SET_KEYS = 'Set RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET to take real payments.'

/** Test payments are odd, and wrong where the settings are those of a real shop. */
function examineTests(config: Config, why: string): Finding {
  const sign = signOfRealShop(config)
  const found = `${why}: nobody pays anything`
  if (!sign) return odd('Test payments', found, SET_KEYS)
  return wrong('Test payments', `${found}, and ${sign}`, SET_KEYS)
}

function examineWithoutKeys(config: Config, isDemo: boolean): Finding {
  if (isDemo || config.PAYMENTS === 'sandbox') return examineTests(config, 'they go to the sandbox')
  return wrong(
    'Payments',
    'none can be made: customers are told that they cannot pay yet',
    SET_KEYS,
  )
}

/** Asks the provider whether it knows the keys, and the time. */
export async function examinePayments(
  config: Config,
  { isDemo }: { isDemo: boolean },
): Promise<Finding[]> {
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret } = config
  if (!keyId || !keySecret) return [examineWithoutKeys(config, isDemo)]
  const kind = isTestKey(keyId) ? 'test' : 'live'
  const tests = kind === 'test' ? [examineTests(config, 'the keys are test keys')] : []
  const asked = Date.now()
  try {
    const { keys, at } = await askRazorpay({ keyId, keySecret, apiUrl: config.RAZORPAY_API_URL })
    const clock = at ? [compareClocks('Razorpay', at, [asked - 1000, Date.now()])] : []
    return [
      keys === 'known'
        ? good('Payments', `Razorpay knows the ${kind} keys`)
        : wrong(
            'Payments',
            `Razorpay does not know the ${kind} keys`,
            'Copy both keys anew from the Razorpay dashboard; they belong together.',
          ),
      ...tests,
      examineReports(config),
      ...clock,
    ]
  } catch (error) {
    return [
      wrong('Payments', `Razorpay cannot be asked: ${whyNot(error)}`, adviceOf(config)),
      ...tests,
      examineReports(config),
    ]
  }
}
