import type { PaymentContext } from '#app/payments/server/context.ts'
import { chooseProvider } from '#app/payments/server/providers/choose-provider.ts'
import type { Log, PaymentProvider } from '#app/payments/server/providers/provider.ts'
import { reconcile } from '#app/payments/server/reconciliation.ts'
import { processRefunds, refuseUnmatched } from '#app/payments/server/refunds.ts'
import { releaseExpired } from '#app/payments/server/reservations.ts'
import { forgetOldEvents } from '#app/payments/server/webhook.ts'
import type { Database } from '#db/schema.ts'
import type { Config } from './config.ts'
import type { Job } from './jobs.ts'
import type { Trace } from './operation/tracing.ts'

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

type Options = { config: Config; db: Database; isDemo: boolean; trace?: Trace | undefined }

export type Payments = Awaited<ReturnType<typeof openPayments>>

/** Builds the payment context from the settings. A process does it once. */
export async function openPayments({ config, db, isDemo, trace }: Options, log: Log) {
  const { provider, ...rest } = await chooseProvider(
    {
      allowsSandbox: isDemo || config.PAYMENTS === 'sandbox',
      keyId: config.RAZORPAY_KEY_ID,
      keySecret: config.RAZORPAY_KEY_SECRET,
      webhookSecret: config.RAZORPAY_WEBHOOK_SECRET,
      apiUrl: config.RAZORPAY_API_URL,
      sandboxSecret: config.SANDBOX_SECRET,
      dataDir: config.DATA_DIR,
    },
    db,
    log,
  )
  const context: PaymentContext = {
    provider: trace ? traced(provider, trace) : provider,
    log,
    currency: config.CURRENCY_CHARGE,
    reservationMinutes: config.HOLD_MINUTES,
    retrySeconds: config.RETRY_SECONDS,
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

const SOON_MS = 5000
const HOURLY_MS = 60 * 60 * 1000

/** The background jobs of payments. Several processes may run them: each takes rows of its own. */
export const paymentJobs = (db: Database, context: PaymentContext): Job[] => [
  {
    name: 'releasing expired reservations',
    everyMs: SOON_MS,
    run: (closing) => releaseExpired(db, closing),
  },
  {
    name: 'polling payments',
    everyMs: SOON_MS,
    run: (closing) => reconcile(db, context, closing),
  },
  {
    name: 'refunds',
    everyMs: SOON_MS,
    run: async (closing) => {
      await refuseUnmatched(db, context, closing)
      await processRefunds(db, context, closing)
    },
  },
  { name: 'forgetting old webhooks', everyMs: HOURLY_MS, run: () => forgetOldEvents(db) },
]
