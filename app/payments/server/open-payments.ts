import type { ModuleContext, Trace } from '#app/shared/server/domain-module.ts'
import type { PaymentContext } from './context.ts'
import { chooseProvider } from './providers/choose-provider.ts'
import type { PaymentProvider } from './providers/provider.ts'
import type { PaymentSettings } from './settings.ts'

/** The provider with its network calls traced. */
const traced = (provider: PaymentProvider, trace: Trace): PaymentProvider => ({
  ...provider,
  createOrder: (order) => trace(`${provider.name} createOrder`, () => provider.createOrder(order)),
  paymentsOf: (id) => trace(`${provider.name} paymentsOf`, () => provider.paymentsOf(id)),
  capture: (id, amount) => trace(`${provider.name} capture`, () => provider.capture(id, amount)),
  orderOf: (id) => trace(`${provider.name} orderOf`, () => provider.orderOf(id)),
  refund: (id, amount) => trace(`${provider.name} refund`, () => provider.refund(id, amount)),
  refundProgress: (id) =>
    trace(`${provider.name} refundProgress`, () => provider.refundProgress(id)),
})

type Options = Omit<
  ModuleContext<PaymentSettings>,
  'auditedRows' | 'counters' | 'examine' | 'personalData'
>

/** Builds the payment context from the settings. A process does it once. */
export async function openPayments({ settings, db, isDemo, log, trace }: Options) {
  const { provider, ...rest } = await chooseProvider(
    {
      allowsSandbox: isDemo || settings.PAYMENTS === 'sandbox',
      keyId: settings.RAZORPAY_KEY_ID,
      keySecret: settings.RAZORPAY_KEY_SECRET,
      webhookSecret: settings.RAZORPAY_WEBHOOK_SECRET,
      apiUrl: settings.RAZORPAY_API_URL,
      sandboxSecret: settings.SANDBOX_SECRET,
    },
    db,
    log,
  )
  const context: PaymentContext = {
    provider: trace ? traced(provider, trace) : provider,
    log,
    currency: settings.CURRENCY_CHARGE,
    reservationMinutes: settings.RESERVATION_MINUTES,
    retrySeconds: settings.RETRY_SECONDS,
  }
  return { context, ...rest }
}

/** The startup messages of a shop whose payments take no money. */
export function paymentLines({ provider: { mode, name } }: PaymentContext): string[] {
  if (mode === 'live') return []
  if (mode === 'none')
    return [
      'Payments are not set up: nobody can buy. Set RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET, or PAYMENTS=sandbox to try.',
    ]
  const why = name === 'sandbox' ? 'they go to the sandbox' : 'RAZORPAY_KEY_ID is a test key'
  return [`Payments are tests: ${why}. No money is taken, and such orders count in no figure.`]
}
