import { type Insertable, sql } from 'kysely'
import type { Database, Row, Schema } from '#db/schema.ts'

/** False when it was kept before; then it only gets the receipt that was not told of yet. */
export async function insertUnknown(
  db: Database,
  money: Insertable<Schema['unknown_money']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('unknown_money')
    .values(money)
    .onConflict((known) => known.column('id').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows > 0n) return true
  const { receipt } = money
  if (receipt)
    await db.updateTable('unknown_money').set({ receipt }).where('id', '=', money.id).execute()
  return false
}

/** It was none of this shop's. */
export const deleteUnknown = (db: Database, id: string) =>
  db.deleteFrom('unknown_money').where('id', '=', id).execute()

/** Which of the provider's payments were never heard of. */
export async function selectNeverHeard(db: Database, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as told (id)
    where not exists (select from provider_payments where id = told.id)
      and not exists (select from unknown_money where id = told.id)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Money whose payment is here by now, and that did not go back meanwhile. */
export const selectNowKnown = (
  db: Database,
  provider: Row<'payments'>['provider'],
  limit: number,
) =>
  db
    .selectFrom('unknown_money as money')
    .innerJoin('payments', 'payments.provider_order_id', 'money.provider_order_id')
    .where('money.provider', '=', provider)
    .whereRef('payments.provider', '=', 'money.provider')
    .whereRef('money.given_back_minor', '<', 'money.amount_minor')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('provider_payments')
            .select('id')
            .whereRef('provider_payments.id', '=', 'money.id'),
        ),
      ),
    )
    .limit(limit)
    .selectAll('money')
    .execute()
