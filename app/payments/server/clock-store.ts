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
 * was put back: what would wait for hours is due now, and a hold has its whole time again. What
 * somebody works on is left for the next time: who waits for nobody waits in no circle.
 */
export async function heedClock(
  db: Database,
  { retrySeconds, holdMinutes }: Pick<Desk, 'retrySeconds' | 'holdMinutes'>,
): Promise<void> {
  const longest = secondsFromNow(sql`${holdMinutes * 60}::float`)
  await sql`
    update holds set expires_at = ${longest} where payment_id in (
      select payment_id from holds where expires_at > ${longest} for update skip locked)`.execute(
    db,
  )
  await sql`
    update payments set next_ask_at = now() where id in (
      select id from payments where next_ask_at > ${latest(retrySeconds, sql`asks`)}
      for update skip locked)`.execute(db)
  await sql`
    update provider_payments set next_refund_at = now() where id in (
      select id from provider_payments where next_refund_at > ${latest(retrySeconds, WAITS)}
      for update skip locked)`.execute(db)
}
