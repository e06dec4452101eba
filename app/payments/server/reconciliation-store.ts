import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { afterPause, LEASE } from './pauses-store.ts'

/** Nobody pays later than that; the webhook would still be heard. */
const LONGEST_WAIT = sql<Date>`now() - interval '3 days'`

/** Takes on the payment that has waited longest to be asked about; one taker at a time. */
export const takePaymentToAsk = (db: Database, provider: Row<'payments'>['provider']) =>
  db
    .updateTable('payments')
    .set({ next_ask_at: LEASE })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('next_ask_at', '<=', sql<Date>`now()`)
        .where('provider', '=', provider)
        .orderBy('next_ask_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'provider_order_id'])
    .executeTakeFirst()

/** It was asked about and is not settled: to be asked again after a pause that grows. */
export const noteAsk = (db: Database, id: string, retrySeconds: number) =>
  db
    .updateTable('payments')
    .set({ asks: sql<number>`asks + 1`, next_ask_at: afterPause(retrySeconds, sql`asks + 1`) })
    .where('id', '=', id)
    .where('next_ask_at', 'is not', null)
    .execute()

/** Payments that nobody has paid for so long are asked about no more. */
export const stopAsking = (db: Database) =>
  db
    .updateTable('payments')
    .set({ next_ask_at: null })
    .where('next_ask_at', 'is not', null)
    .where('created_at', '<', LONGEST_WAIT)
    .execute()
