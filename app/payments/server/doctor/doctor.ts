import { isTestKey } from '#app/payments/contract.ts'
import { compareClocks } from '#app/shared/server/doctor/clock.ts'
import { type Finding, ok, problem, reason, warning } from '#app/shared/server/doctor/finding.ts'
import type { Examination } from '#app/shared/server/domain-module.ts'
import { checkRazorpayKeys } from '../providers/check-razorpay-keys.ts'
import type { PaymentSettings } from '../settings.ts'

function examineReports({ RAZORPAY_WEBHOOK_SECRET }: PaymentSettings): Finding {
  if (RAZORPAY_WEBHOOK_SECRET) return ok('Payment reports', 'their secret is set')
  return warning(
    'Payment reports',
    'RAZORPAY_WEBHOOK_SECRET is not set, so the shop asks about each payment by itself',
    'Add a webhook to https://YOUR-SHOP/api/v1/payment/webhook/razorpay in the Razorpay dashboard, and set its secret here.',
  )
}

/** The cause of a failed request: the message "fetch failed" alone says nothing. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error ? reason(error.cause ?? '') : ''
  return cause === '' ? reason(error) : cause
}

/**
 * Advice for a provider that cannot be reached; an API URL other than Razorpay's is rarely
 * intended.
 */
const adviceOf = ({ RAZORPAY_API_URL: url }: PaymentSettings) =>
  url
    ? `RAZORPAY_API_URL is ${url}: is that correct? The default is api.razorpay.com.`
    : 'Check that this machine may reach api.razorpay.com by HTTPS.'

const SET_KEYS = 'Set RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET to take real payments.'

/** Test payments are a warning, and an error where the settings are those of a real shop. */
function examineTests({ signOfRealShop }: Examination, why: string, advice = SET_KEYS): Finding {
  const found = `${why}: no money is taken`
  if (!signOfRealShop) return warning('Test payments', found, advice)
  return problem('Test payments', `${found}, and ${signOfRealShop}`, advice)
}

function examineWithoutKeys({ PAYMENTS }: PaymentSettings, shop: Examination): Finding {
  if (PAYMENTS === 'sandbox')
    return examineTests(shop, 'they go to the sandbox', `${SET_KEYS} Then remove PAYMENTS=sandbox.`)
  if (shop.isDemo) return examineTests(shop, 'they go to the sandbox')
  return problem('Payments', 'not set up: customers cannot pay yet', SET_KEYS)
}

/** Asks the provider whether it knows the keys, and for its time. */
export async function examinePayments(
  settings: PaymentSettings,
  shop: Examination,
): Promise<Finding[]> {
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret } = settings
  if (!keyId || !keySecret) return [examineWithoutKeys(settings, shop)]
  const kind = isTestKey(keyId) ? 'test' : 'live'
  const tests = kind === 'test' ? [examineTests(shop, 'the keys are test keys')] : []
  const requestedAt = Date.now()
  try {
    const { keys, at } = await checkRazorpayKeys({
      keyId,
      keySecret,
      apiUrl: settings.RAZORPAY_API_URL,
    })
    const clock = at ? [compareClocks('Razorpay', at, [requestedAt - 1000, Date.now()])] : []
    return [
      keys === 'known'
        ? ok('Payments', `Razorpay knows the ${kind} keys`)
        : problem(
            'Payments',
            `Razorpay does not know the ${kind} keys`,
            'Copy both keys anew from the Razorpay dashboard; they belong together.',
          ),
      ...tests,
      examineReports(settings),
      ...clock,
    ]
  } catch (error) {
    return [
      problem('Payments', `Razorpay cannot be reached: ${causeOf(error)}`, adviceOf(settings)),
      ...tests,
      examineReports(settings),
    ]
  }
}
