import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Desk } from './desk.ts'
import { afterPause, LEASE, secondsFromNow } from './pauses-store.ts'
import { WAITS } from './refund-store.ts'

/** The latest moment that may be written down for the next of so many tries. */
const latest = (retrySeconds: number, tries: RawBuilder<unknown>) =>
  sql<Date>`greatest(${LEASE}, ${afterPause(retrySeconds, tries)})`

/**
 * Moments that lie further ahead than any that is ever written down were written before the clock
 * was put back: what would wait for hours is due now, and a hold has its whole time again.
 */
export async function heedClock(
  db: Database,
  { retrySeconds, holdMinutes }: Pick<Desk, 'retrySeconds' | 'holdMinutes'>,
): Promise<void> {
  const longest = secondsFromNow(sql`${holdMinutes * 60}::float`)
  await db
    .updateTable('holds')
    .set({ expires_at: longest })
    .where('expires_at', '>', longest)
    .execute()
  await db
    .updateTable('payments')
    .set({ next_ask_at: sql`now()` })
    .where('next_ask_at', '>', latest(retrySeconds, sql`asks`))
    .execute()
  await db
    .updateTable('provider_payments')
    .set({ next_refund_at: sql`now()` })
    .where('next_refund_at', '>', latest(retrySeconds, WAITS))
    .execute()
}
