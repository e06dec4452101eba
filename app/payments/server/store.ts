import { type Insertable, sql } from 'kysely'
import type { Database, Row, Schema } from '#db/schema.ts'
import { secondsFromNow } from './pauses-store.ts'

type NewPayment = Omit<Insertable<Schema['payments']>, 'prices_until'> & {
  /** For how many minutes the prices of its lines are honoured. */
  pricesMinutes: number
}

export const insertPayment = (db: Database, { pricesMinutes, ...payment }: NewPayment) =>
  db
    .insertInto('payments')
    .values({ ...payment, prices_until: secondsFromNow(sql`${pricesMinutes * 60}::float`) })
    .execute()

/** The provider has opened its order: from `seconds` on it may be asked what became of it. */
export const setProviderOrder = (
  db: Database,
  { id, providerOrderId, seconds }: { id: string; providerOrderId: string; seconds: number },
) =>
  db
    .updateTable('payments')
    .set({ provider_order_id: providerOrderId, next_ask_at: secondsFromNow(sql`${seconds}`) })
    .where('id', '=', id)
    .execute()

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

/** The same, by the shop's own id. */
export const lockPaymentById = (tx: Database, id: string) =>
  tx.selectFrom('payments').where('id', '=', id).selectAll().forUpdate().executeTakeFirst()

export const selectPaymentLines = (db: Database, paymentId: string) =>
  db
    .selectFrom('payment_lines')
    .where('payment_id', '=', paymentId)
    .orderBy('position')
    .select(['product_id', 'quantity', 'name', 'slug', 'description', 'price_minor'])
    .execute()

/**
 * Whether a payment is over: its buyer has cancelled it, or closed the account. An account that is
 * being closed is waited for.
 */
export async function isOver(tx: Database, { user_id, cancelled_at }: Row<'payments'>) {
  const buyer = await tx
    .selectFrom('users')
    .select('closed_at')
    .where('id', '=', user_id)
    .forKeyShare()
    .executeTakeFirstOrThrow()
  return cancelled_at !== null || buyer.closed_at !== null
}

/** Marks a payment as cancelled by its buyer; one that is settled or cancelled already stays as it is. */
export const markCancelled = (tx: Database, id: string) =>
  tx
    .updateTable('payments')
    .set({ cancelled_at: sql`now()` })
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .execute()

type NewMoney = Pick<Row<'provider_payments'>, 'id' | 'payment_id' | 'amount_minor' | 'currency'>

/** Books money under the provider's payment id, nobody's yet; false when it was booked before. */
export async function bookMoney(tx: Database, money: NewMoney): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('provider_payments')
    .values({ ...money, state: 'unclaimed' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

type Captured = { id: string; amount_minor: number; currency: string; asAsked: boolean }

/**
 * The provider itself says that it has the money, and how much; false when it had said so before.
 * What was taken to never come goes back now; what comes for a cancelled order is the merchant's to
 * give back.
 */
export async function confirmMoney(
  tx: Database,
  { id, asAsked, ...amount }: Captured,
): Promise<boolean> {
  const doubt = sql<'other_amount' | 'paid_cancelled' | null>`case
    when state <> 'kept' then null
    when exists (select from orders
      where orders.payment_id = provider_payments.payment_id and status = 'cancel')
      then 'paid_cancelled'
    when not ${asAsked}::boolean then 'other_amount' end`
  const { numUpdatedRows } = await tx
    .updateTable('provider_payments')
    .set({ ...amount, doubt, captured_at: sql`now()` })
    .set({
      state: sql`case state when 'never_came' then 'refund_due' else state end`,
      next_refund_at: sql`case state when 'never_came' then now() else next_refund_at end`,
    })
    .where('id', '=', id)
    .where('captured_at', 'is', null)
    .where('state', 'not in', ['refunding', 'refunded'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const findMoney = (db: Database, id: string) =>
  db.selectFrom('provider_payments').where('id', '=', id).selectAll().executeTakeFirst()

/** Money that was booked. */
export const selectMoney = (db: Database, id: string) =>
  db.selectFrom('provider_payments').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

export const keepMoney = (tx: Database, id: string) =>
  tx
    .updateTable('provider_payments')
    .set({ state: 'kept' })
    .where('id', '=', id)
    .where('state', '=', 'unclaimed')
    .execute()

/** Why money buys nothing; the sentence is what its payer is told, now and when they ask again. */
export type Refusal = {
  refusal_code: 'out_of_stock' | 'price_changed' | 'payment_failed'
  refusal: string
}

/** Money that nobody has claimed is to go back; false when it was decided on meanwhile. */
export async function refuseMoney(tx: Database, id: string, refusal: Refusal): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('provider_payments')
    .set({ ...refusal, state: 'refund_due', next_refund_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'unclaimed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Decided for good. */
export const markSettled = (tx: Database, paymentId: string) =>
  tx.updateTable('payments').set({ settled_at: sql`now()` }).where('id', '=', paymentId).execute()

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
