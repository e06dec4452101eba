import { type NotNull, sql } from 'kysely'
import {
  PAYMENT_STATES,
  type PaymentState,
  RESOLVABLE_STATES,
} from '#app/payments/admin-contract.ts'
import type { Database } from '#db/schema.ts'
import type { Payment } from '../store.ts'

type Page = { limit: number; offset: number }

/** When the shop learned of the money, or of the payment. */
const moment = sql<Date>`coalesce(payments.received_at, payments.created_at)`

/** The payments that need attention; with a state, those in it. */
const listed = (db: Database, state: PaymentState | undefined) =>
  state === undefined
    ? db.selectFrom('payments_needing_attention').select(['id', 'state']).as('overview')
    : db
        .selectFrom('payment_overview')
        .where('state', '=', state)
        .select(['id', 'state'])
        .$narrowType<{ state: NotNull }>()
        .as('overview')

/** A page of the payments that need attention or are in a state, the most urgent first, then the newest. */
export const selectPayments = (
  db: Database,
  state: PaymentState | undefined,
  { limit, offset }: Page,
) =>
  db
    .selectFrom(listed(db, state))
    .innerJoin('payments', 'payments.id', 'overview.id')
    .leftJoin('payments as of', 'of.id', 'payments.surplus_of')
    .leftJoin('orders', 'orders.payment_id', 'payments.id')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .orderBy(sql`array_position(${[...PAYMENT_STATES]}::text[], overview.state)`)
    .orderBy(moment, 'desc')
    .orderBy('overview.id')
    .limit(limit)
    .offset(offset)
    .selectAll('payments')
    .select([
      sql<PaymentState>`overview.state`.as('listed_state'),
      moment.as('listed_at'),
      'users.name',
      'users.email',
      'orders.number as order_number',
      sql<string | null>`coalesce(payments.provider_order_id, "of".provider_order_id)`.as(
        'order_id',
      ),
    ])
    .execute()

export type PaymentRow = Awaited<ReturnType<typeof selectPayments>>[number]

export async function countPayments(
  db: Database,
  state: PaymentState | undefined,
): Promise<number> {
  const { total } = await db
    .selectFrom(listed(db, state))
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Resolves an issue with a note; false when the payment has none that an admin can resolve. */
export async function markResolved(
  tx: Database,
  { id, note }: { id: string; note: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payments')
    .set({
      resolution_note: note,
      resolved_at: sql`case when resolution_note = ${note} then resolved_at else now() end`,
    })
    .where('provider_payment_id', '=', id)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payment_overview')
        .select('id')
        .where('state', 'in', [...RESOLVABLE_STATES, 'resolved']),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether there is a payment of this id: the provider's, or the shop's of one that is started. */
export async function isKnown(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from payments where provider_payment_id = ${id} or id::text = ${id})
      as known`.execute(db)
  return rows[0]?.known ?? false
}

/** The payment of an order, locked until the transaction ends. */
export const lockPaymentOfOrder = (tx: Database, orderId: string): Promise<Payment | undefined> =>
  tx
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .where('orders.id', '=', orderId)
    .selectAll('payments')
    .forUpdate('payments')
    .executeTakeFirst()

/** The job refunds a payment from now on, until `refund_minor` is refunded in all. */
export const requestRefund = (
  tx: Database,
  id: string,
  request: { refund_minor: number | null; refund_reason: string },
) =>
  tx
    .updateTable('payments')
    .set({
      ...request,
      state: 'refund_pending',
      refund_id: null,
      refund_accepted: false,
      refund_attempt: sql<number>`refund_attempt + 1`,
      next_attempt_at: sql<Date>`now()`,
      attempts: 0,
      last_error: null,
    })
    .where('id', '=', id)
    .execute()

/** An order without money is refunded. */
export const markNothingRefunded = (tx: Database, id: string, refund_reason: string) =>
  tx
    .updateTable('payments')
    .set({ state: 'refunded', refund_reason })
    .where('id', '=', id)
    .execute()
