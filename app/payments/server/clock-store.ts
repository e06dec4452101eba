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
 * What somebody works on is left for the next time: who waits for nobody waits in no circle.
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
      select id from payments where id in (${OPEN})
        and next_ask_at > ${latest(nextAsk(retrySeconds, sql`asks`))}
      for update skip locked)`.execute(db)
  // a look is worth something only some time later
  await sql`
    update payments set next_ask_at = ${FIRST_LOOK} where id in (
      select id from payments where next_ask_at > ${LAST_LOOK} and settled_at is not null
      for update skip locked)`.execute(db)
  await sql`
    update provider_payments set next_refund_at = now() where id in (
      select id from provider_payments
      where next_refund_at > ${latest(afterPause(retrySeconds, WAITS))}
      for update skip locked)`.execute(db)
}
