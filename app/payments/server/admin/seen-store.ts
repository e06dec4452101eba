import { sql } from 'kysely'
import { DOUBTS } from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'
import { doubtful } from './doubtful-store.ts'
import { unknown } from './unknown-store.ts'

type Seen = { id: string; note: string }

/** Said again it changes nothing; with another note it is seen to anew. */
const mark = (note: string) => ({
  seen_note: note,
  seen_to_at: sql<Date>`case when seen_note = ${note} then seen_to_at else now() end`,
})

/** False when nothing speaks against this money, or time will mend it. */
export async function markDoubtful(tx: Database, { id, note }: Seen): Promise<boolean> {
  const open = doubtful(tx, [...DOUBTS, 'seen_to']).as('open')
  const { numUpdatedRows } = await tx
    .updateTable('provider_payments')
    .where('id', '=', id)
    .where('id', 'in', tx.selectFrom(open).select('open.id'))
    .set(mark(note))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when there is no such money of an order that is not here, or it is done with. */
export async function markUnknown(tx: Database, { id, note }: Seen): Promise<boolean> {
  const open = unknown(tx, ['unknown', 'seen_to']).as('open')
  const { numUpdatedRows } = await tx
    .updateTable('unknown_money')
    .where('id', '=', id)
    .where('id', 'in', tx.selectFrom(open).select('open.id'))
    .set(mark(note))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether anybody has heard of this payment; one that was only started goes by its own id. */
export async function isHere(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ here: boolean }>`
    select exists (select from provider_payments where id = ${id})
      or exists (select from unknown_money where id = ${id})
      or exists (select from payments where id::text = ${id}) as here`.execute(db)
  return rows[0]?.here ?? false
}
