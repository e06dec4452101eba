import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Desk } from './desk.ts'
import {
  afterAskOfUnconfirmed,
  afterAskOfUnpaid,
  afterPause,
  FIRST_LOOK,
  LAST_LOOK,
  LEASE,
  MOST_ASKS,
  nextAsk,
  secondsFromNow,
  UNCONFIRMED,
} from './pauses-store.ts'
import { WAITS } from './refund-store.ts'

/** The latest that may be written down, where `moment` is that of the next try. */
const latest = (moment: RawBuilder<unknown>) => sql<Date>`greatest(${LEASE}, ${moment})`

/** What may wait for too long to be asked about: never long, and found by the number of asks. */
const waiting = (first: number) => sql<string>`
  select waiting.id from generate_series(0, ${MOST_ASKS}::integer) as times (asked)
  cross join lateral (
    select id from payments
    where settled_at is null and asks = times.asked
      and next_ask_at > ${latest(afterAskOfUnpaid(first, sql`times.asked`))}) as waiting
  union
  select id from payments
  where id in (${UNCONFIRMED})
    and next_ask_at > ${latest(afterAskOfUnconfirmed(first, sql`asks`))}`

/** What is settled and would be looked at later than ever. */
const TO_LOOK = sql<string>`
  select waiting.id from generate_series(0, ${MOST_ASKS}::integer) as times (asked)
  cross join lateral (
    select id from payments
    where asks = times.asked and next_ask_at > ${LAST_LOOK} and settled_at is not null) as waiting`

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
      select id from payments where id in (${waiting(retrySeconds)})
        and next_ask_at > ${latest(nextAsk(retrySeconds, sql`asks`))}
      for update skip locked)`.execute(db)
  // a look is worth something only some time later
  await sql`
    update payments set next_ask_at = ${FIRST_LOOK} where id in (
      select id from payments where id in (${TO_LOOK}) for update skip locked)`.execute(db)
  await sql`
    update provider_payments set next_refund_at = now() where id in (
      select id from provider_payments
      where next_refund_at > ${latest(afterPause(retrySeconds, WAITS))}
      for update skip locked)`.execute(db)
}
