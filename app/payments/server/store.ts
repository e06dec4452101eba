import { type Insertable, sql } from 'kysely'
import type { Database, Row, Schema } from '#db/schema.ts'
import { type PollSchedule, pollSchedule } from './backoff.ts'

/** A moment by the database's clock; null seconds are no moment. */
export const secondsFromNow = <Seconds extends number | null>(seconds: Seconds) =>
  sql<Seconds extends number ? Date : Date | null>`now() + ${seconds}::float * interval '1 second'`

/**
 * Until when a row that a job has taken is its own: longer than any provider is waited for, and
 * rounded to what a Date holds, so that the job can compare it.
 */
export const leaseEnd = () => sql<Date>`date_trunc('milliseconds', ${secondsFromNow(60)})`

type NewPayment = Omit<Insertable<Schema['payments']>, 'prices_until'> & {
  /** For how many minutes the prices of its lines are honoured. */
  pricesMinutes: number
}

export const insertPayment = (db: Database, { pricesMinutes, ...payment }: NewPayment) =>
  db
    .insertInto('payments')
    .values({ ...payment, prices_until: secondsFromNow(pricesMinutes * 60) })
    .execute()

/** Stores the id of the provider's order; the payment is polled after `seconds`. */
export const setProviderOrder = (
  db: Database,
  { id, providerOrderId, seconds }: { id: string; providerOrderId: string; seconds: number },
) =>
  db
    .updateTable('payments')
    .set({ provider_order_id: providerOrderId, next_poll_at: secondsFromNow(seconds) })
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

/** Selects and locks a payment: others that want to settle it wait until the transaction ends. */
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
 * Whether the buyer has cancelled a payment, or closed the account. Waits for an account that is
 * being closed.
 */
export async function isCancelled(tx: Database, { user_id, cancelled_at }: Row<'payments'>) {
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

type NewProviderPayment = Pick<
  Row<'provider_payments'>,
  'id' | 'payment_id' | 'amount_minor' | 'currency'
>

/** Inserts money as unmatched, by the provider's payment id; false when it is there already. */
export async function insertProviderPayment(
  tx: Database,
  money: NewProviderPayment,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('provider_payments')
    .values({ ...money, state: 'unmatched' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

type Confirmed = { id: string; amount_minor: number; currency: string; isExpected: boolean }

/**
 * The provider itself confirms the capture, and its amount; false when it had done so before. A
 * voided payment becomes refundable. Money for a cancelled order is left to the merchant.
 */
export async function confirmCapture(
  tx: Database,
  { id, isExpected, ...amount }: Confirmed,
): Promise<boolean> {
  const issue = sql<'amount_mismatch' | 'paid_cancelled' | null>`case
    when state <> 'captured' then null
    when exists (select from orders
      where orders.payment_id = provider_payments.payment_id and status = 'cancel')
      then 'paid_cancelled'
    when not ${isExpected}::boolean then 'amount_mismatch' end`
  const { numUpdatedRows } = await tx
    .updateTable('provider_payments')
    .set({ ...amount, issue, confirmed_at: sql`now()`, resolved_at: null, resolution_note: null })
    .set({
      state: sql`case state when 'voided' then 'refund_pending' else state end`,
      next_refund_at: sql`case state when 'voided' then now() else next_refund_at end`,
    })
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .where('state', 'not in', ['refunding', 'refunded'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const findProviderPayment = (db: Database, id: string) =>
  db.selectFrom('provider_payments').where('id', '=', id).selectAll().executeTakeFirst()

export const selectProviderPayment = (db: Database, id: string) =>
  db.selectFrom('provider_payments').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

/** The money pays its order. */
export const markCaptured = (tx: Database, id: string) =>
  tx
    .updateTable('provider_payments')
    .set({ state: 'captured' })
    .where('id', '=', id)
    .where('state', '=', 'unmatched')
    .execute()

/** The reason why money bought nothing; `refusal` is a sentence for its payer. */
export type Refusal = {
  refusal_code: 'out_of_stock' | 'price_changed' | 'payment_failed'
  refusal: string
}

/** Unmatched money is to be refunded; false when it was decided on meanwhile. */
export async function markRefundPending(
  tx: Database,
  id: string,
  refusal: Refusal,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('provider_payments')
    .set({ ...refusal, state: 'refund_pending', next_refund_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'unmatched')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The payment is decided on: it has an order, or is refunded. */
export const markSettled = (tx: Database, paymentId: string) =>
  tx.updateTable('payments').set({ settled_at: sql`now()` }).where('id', '=', paymentId).execute()

const isUnconfirmed = sql<boolean>`exists (
  select from provider_payments where payment_id = payments.id
    and confirmed_at is null and state not in ('refunding', 'refunded', 'voided'))`

/** The next poll of a payment: one with unconfirmed money is polled as if it was unsettled. */
export const nextPoll = ({ unsettled, settled }: PollSchedule) => sql<Date | null>`
  case when settled_at is null or ${isUnconfirmed}
    then ${secondsFromNow(unsettled)} else ${secondsFromNow(settled)} end`

/** Starts the polling anew, after money came in or was confirmed. */
export const restartPolling = (tx: Database, id: string, retrySeconds: number) =>
  tx
    .updateTable('payments')
    .set({
      poll_attempts: 0,
      last_poll_error: null,
      next_poll_at: nextPoll(pollSchedule(retrySeconds, 0)),
    })
    .where('id', '=', id)
    .execute()

/** Runs the work in a savepoint: when it throws, its writes are undone and the transaction goes on. */
export async function inSavepoint(tx: Database, work: () => Promise<void>): Promise<void> {
  await sql`savepoint work`.execute(tx)
  try {
    await work()
  } catch (error) {
    await sql`rollback to savepoint work`.execute(tx)
    throw error
  }
}
