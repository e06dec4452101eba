import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Desk } from './desk.ts'
import {
  afterPause,
  FIRST_LOOK,
  LAST_LOOK,
  LEASE,
  nextAsk,
  secondsFromNow,
  UNCONFIRMED,
} from './pauses-store.ts'
import { WAITS } from './refund-store.ts'

/** The latest that may be written down, where `moment` is that of the next try. */
const latest = (moment: RawBuilder<unknown>) => sql<Date>`greatest(${LEASE}, ${moment})`

/** What is asked about because it is open, not to look once more. */
const OPEN = sql<string>`
  select id from payments where settled_at is null and next_ask_at is not null
  union ${UNCONFIRMED}`

/**
 * Moments that lie further ahead than any that is ever written down were written before the clock
 * was put back: what would wait for hours is due now or soon, and a hold has its whole time again.
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
    .where('id', 'in', sql<string>`(${OPEN})`)
    .where('next_ask_at', '>', latest(nextAsk(retrySeconds, sql`asks`)))
    .execute()
  // a look is worth something only some time later
  await db
    .updateTable('payments')
    .set({ next_ask_at: FIRST_LOOK })
    .where('next_ask_at', '>', LAST_LOOK)
    .where('settled_at', 'is not', null)
    .execute()
  await db
    .updateTable('provider_payments')
    .set({ next_refund_at: sql`now()` })
    .where('next_refund_at', '>', latest(afterPause(retrySeconds, WAITS)))
    .execute()
}
