import type { Job } from '#app/shared/server/domain-module.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from './context.ts'
import { remindOfUnpaid } from './owed/owed.ts'
import { reconcile } from './reconciliation/reconciliation.ts'
import { endFormerPolls } from './reconciliation/reconciliation-store.ts'
import { processRefunds, refuseUnmatched } from './refunds/refunds.ts'
import { forgetUnpaid, releaseExpired } from './reservations.ts'
import { forgetOldEvents } from './webhook/webhook.ts'

const SOON_MS = 5000
const MINUTE_MS = 60_000
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
  {
    name: 'reminding of unpaid orders',
    everyMs: MINUTE_MS,
    run: (closing) => remindOfUnpaid(db, closing),
  },
  {
    name: 'deleting payments that were never paid',
    everyMs: HOURLY_MS,
    run: (closing) => forgetUnpaid(db, closing),
  },
  {
    name: 'ending polls of former providers',
    everyMs: HOURLY_MS,
    run: () =>
      endFormerPolls(
        db,
        context.providers.all.map(({ name }) => name),
      ),
  },
  { name: 'deleting old webhook events', everyMs: HOURLY_MS, run: () => forgetOldEvents(db) },
]
