import { type Insertable, sql } from 'kysely'
import type { Database, Row, Schema } from '#db/schema.ts'

/** Longer than any provider is waited for: until then a refund under way is not asked again. */
const REFUND_LEASE = sql<Date>`now() - interval '5 minutes'`

export const insertPayment = (db: Database, payment: Insertable<Schema['payments']>) =>
  db.insertInto('payments').values(payment).execute()

export const insertPaymentLines = (db: Database, lines: Row<'payment_lines'>[]) =>
  db.insertInto('payment_lines').values(lines).execute()

export const selectPayment = (db: Database, providerOrderId: string) =>
  db
    .selectFrom('payments')
    .where('provider_order_id', '=', providerOrderId)
    .selectAll()
    .executeTakeFirst()

/** The payment, held until the transaction ends: whoever else wants to settle it waits. */
export const lockPayment = (tx: Database, providerOrderId: string) =>
  tx
    .selectFrom('payments')
    .where('provider_order_id', '=', providerOrderId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()

export const selectPaymentLines = (db: Database, paymentId: string) =>
  db
    .selectFrom('payment_lines')
    .where('payment_id', '=', paymentId)
    .orderBy('position')
    .select(['product_id', 'quantity', 'name', 'slug', 'description', 'price_minor'])
    .execute()

/** Books money under the provider's payment id; false when it was booked before. */
export async function bookMoney(
  tx: Database,
  money: Insertable<Schema['provider_payments']>,
): Promise<boolean> {
  const booked = await tx
    .insertInto('provider_payments')
    .values(money)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return booked !== undefined
}

export const selectMoney = (db: Database, id: string) =>
  db.selectFrom('provider_payments').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

export type Refusal = Pick<Row<'provider_payments'>, 'state' | 'refusal_code' | 'refusal'>

export const refuseMoney = (tx: Database, id: string, refusal: Refusal) =>
  tx.updateTable('provider_payments').set(refusal).where('id', '=', id).execute()

export const markSettled = (tx: Database, paymentId: string) =>
  tx.updateTable('payments').set({ settled_at: sql`now()` }).where('id', '=', paymentId).execute()

/** Takes on a refund that is due: its amount in minor units, for one taker at a time. */
export const claimRefund = (db: Database, id: string) =>
  db
    .updateTable('provider_payments')
    .from('payments')
    .whereRef('payments.id', '=', 'provider_payments.payment_id')
    .where('provider_payments.id', '=', id)
    .where('state', '=', 'refund_due')
    .where((eb) =>
      eb.or([eb('refund_tried_at', 'is', null), eb('refund_tried_at', '<', REFUND_LEASE)]),
    )
    .set({ refund_tried_at: sql`now()` })
    .returning('payments.amount_minor')
    .executeTakeFirst()

export const markRefunded = (db: Database, id: string) =>
  db
    .updateTable('provider_payments')
    .set({ state: 'refunded' })
    .where('id', '=', id)
    .where('state', '=', 'refund_due')
    .execute()

/** Does the work in a savepoint: when it throws, what it wrote is undone and the transaction lives on. */
export async function undoable(tx: Database, work: () => Promise<void>): Promise<void> {
  await sql`savepoint undoable`.execute(tx)
  try {
    await work()
  } catch (error) {
    await sql`rollback to savepoint undoable`.execute(tx)
    throw error
  }
}
