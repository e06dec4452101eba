import { type RawBuilder, sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'

/** Money of one provider with what is known to be back of it: kept, not claimed yet, or unknown here. */
export const selectGivenBack = (
  db: Database,
  provider: Row<'payments'>['provider'],
  ids: string[],
) =>
  db
    .selectFrom('provider_payments as money')
    .innerJoin('payments', 'payments.id', 'money.payment_id')
    .where('payments.provider', '=', provider)
    .where('money.id', '=', sql<string>`any(${ids}::text[])`)
    .where('money.state', 'in', ['kept', 'unclaimed'])
    .select(['money.id', 'money.given_back_minor'])
    .unionAll(
      db
        .selectFrom('unknown_money')
        .where('provider', '=', provider)
        .where('id', '=', sql<string>`any(${ids}::text[])`)
        .select(['id', 'given_back_minor']),
    )
    .execute()

async function set(db: Database, id: string, given_back_minor: RawBuilder<number>) {
  await db
    .updateTable('provider_payments')
    .set({ given_back_minor })
    .where('id', '=', id)
    .where('state', 'in', ['kept', 'unclaimed'])
    .execute()
  await db.updateTable('unknown_money').set({ given_back_minor }).where('id', '=', id).execute()
}

/** So much is back, as the provider counts it. */
export const setGivenBack = (tx: Database, id: string, minor: number): Promise<void> =>
  set(tx, id, sql<number>`${minor}::bigint`)

/** At least so much is back. */
export const raiseGivenBack = (tx: Database, id: string, minor: number): Promise<void> =>
  set(tx, id, sql<number>`greatest(given_back_minor, ${minor}::bigint)`)
