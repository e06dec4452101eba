import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { LEASE, nextAsk } from './pauses-store.ts'

/**
 * Takes on the payment that has waited longest to be asked about; one taker at a time, until
 * `next_ask_at`.
 */
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
    .returning(['id', 'provider_order_id', 'public_key', 'next_ask_at'])
    .executeTakeFirst()

export type Taken = NonNullable<Awaited<ReturnType<typeof takePaymentToAsk>>>

type Answer = { retrySeconds: number; error: string | null }

/** It was asked about: when it is the next time, unless somebody has said so meanwhile. */
export const noteAsk = (
  db: Database,
  { id, next_ask_at }: Taken,
  { retrySeconds, error }: Answer,
) =>
  db
    .updateTable('payments')
    .set({
      asks: sql<number>`asks + 1`,
      ask_error: error,
      next_ask_at: nextAsk(retrySeconds, sql`asks + 1`),
    })
    .where('id', '=', id)
    .where('next_ask_at', '=', next_ask_at)
    .execute()

/** Something has come in, or was confirmed: the asking begins anew. */
export const beginAsking = (tx: Database, id: string, retrySeconds: number) =>
  tx
    .updateTable('payments')
    .set({ asks: 0, ask_error: null, next_ask_at: nextAsk(retrySeconds, sql`0`) })
    .where('id', '=', id)
    .execute()

/** Notes of a payment's money that the provider did not confirm why not, and answers what is news. */
export const doubtMoney = (tx: Database, paymentId: string, lapsed: string[]) => {
  const doubt = sql<'lapsed' | 'uncaptured'>`
    case when id = any(${lapsed}::text[]) then 'lapsed' else 'uncaptured' end`
  return tx
    .updateTable('provider_payments')
    .set({ doubt })
    .where('payment_id', '=', paymentId)
    .where('captured_at', 'is', null)
    .where('state', 'not in', ['refunding', 'refunded'])
    .where('doubt', 'is distinct from', doubt)
    .returning(['id', 'state', 'doubt'])
    .execute()
}
