import { heedClock } from '#app/payments/server/clock-store.ts'
import type { Desk } from '#app/payments/server/desk.ts'
import { forgetOldSpells } from '#app/payments/server/fair-share/fair-share.ts'
import { readRefunds } from '#app/payments/server/given-back/service.ts'
import { endExpiredHolds } from '#app/payments/server/holds.ts'
import { removeNeverPaid } from '#app/payments/server/never-paid/never-paid.ts'
import { chooseProvider } from '#app/payments/server/providers/choose-provider.ts'
import type { Log, PaymentProvider } from '#app/payments/server/providers/provider.ts'
import { reconcile } from '#app/payments/server/reconciliation.ts'
import { refuseUnclaimed, retryRefunds } from '#app/payments/server/refunds.ts'
import { readCaptured } from '#app/payments/server/unknown/read-captured.ts'
import { settleKnown } from '#app/payments/server/unknown/service.ts'
import { forgetOldReports } from '#app/payments/server/webhook/service.ts'
import type { Database } from '#db/schema.ts'
import type { Config } from './config.ts'
import type { Job } from './jobs.ts'
import type { Trace } from './operation/tracing.ts'

/** The same provider, whose calls over the network are traced. */
const traced = (provider: PaymentProvider, trace: Trace): PaymentProvider => ({
  ...provider,
  createOrder: (demand) =>
    trace(`${provider.name} createOrder`, () => provider.createOrder(demand)),
  paymentsOf: (id) => trace(`${provider.name} paymentsOf`, () => provider.paymentsOf(id)),
  capture: (id, amount) => trace(`${provider.name} capture`, () => provider.capture(id, amount)),
  orderOf: (id) => trace(`${provider.name} orderOf`, () => provider.orderOf(id)),
  refund: (id, amount) => trace(`${provider.name} refund`, () => provider.refund(id, amount)),
  givenBack: (id) => trace(`${provider.name} givenBack`, () => provider.givenBack(id)),
  refundedSince: (moment) =>
    trace(`${provider.name} refundedSince`, () => provider.refundedSince(moment)),
  capturedSince: (moment) =>
    trace(`${provider.name} capturedSince`, () => provider.capturedSince(moment)),
  receiptOf: (id) => trace(`${provider.name} receiptOf`, () => provider.receiptOf(id)),
})

type Options = { config: Config; db: Database; isDemo: boolean; trace?: Trace | undefined }

export type Payments = Awaited<ReturnType<typeof openDesk>>

/** The payment desk that the settings ask for: provider, currency and times. A process opens it once. */
export async function openDesk({ config, db, isDemo, trace }: Options, log: Log) {
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
  const desk: Desk = {
    provider: trace ? traced(provider, trace) : provider,
    log,
    currency: config.CURRENCY_CHARGE,
    holdMinutes: config.HOLD_MINUTES,
    retrySeconds: config.RETRY_SECONDS,
  }
  return { desk, ...rest }
}

/** The lines at the start of a shop whose payments take no money. */
export function paymentLines({ provider: { mode, name } }: Desk): string[] {
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
const DAILY_MS = 24 * HOURLY_MS

/** What has to be done about payments without anybody asking. Whose turn it is, the database says. */
export const paymentJobs = (db: Database, desk: Desk): Job[] => [
  { name: 'heeding the clock', everyMs: SOON_MS, run: () => heedClock(db, desk) },
  { name: 'ending holds', everyMs: SOON_MS, run: (closing) => endExpiredHolds(db, closing) },
  {
    name: 'asking about payments',
    everyMs: SOON_MS,
    run: (closing) => reconcile(db, desk, closing),
  },
  {
    name: 'refunds',
    everyMs: SOON_MS,
    run: async (closing) => {
      await refuseUnclaimed(db, desk, closing)
      await retryRefunds(db, desk, closing)
    },
  },
  {
    name: 'removing payments never paid',
    everyMs: DAILY_MS,
    run: (closing) => removeNeverPaid(db, closing),
  },
  { name: 'forgetting old holds', everyMs: HOURLY_MS, run: () => forgetOldSpells(db, desk) },
  {
    name: 'settling what is known again',
    everyMs: SOON_MS,
    run: (stop) => settleKnown(db, desk, stop),
  },
  { name: 'reading what came in', everyMs: DAILY_MS, run: (stop) => readCaptured(db, desk, stop) },
  { name: 'reading refunds', everyMs: HOURLY_MS, run: (stop) => readRefunds(db, desk, stop) },
  { name: 'forgetting old reports', everyMs: HOURLY_MS, run: () => forgetOldReports(db) },
]
