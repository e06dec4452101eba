import { setImmediate } from 'node:timers/promises'
import { type NotNull, sql } from 'kysely'
import { counts } from '#app/settings/server/demo.sql.ts'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import type { Slice } from '#app/shared/server/pagination.ts'
import { sectionOf } from '#app/shared/server/personal-data-store.ts'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import { auditedColumn, countBy, countRows } from '#app/shared/server/store.ts'
import type { Database, Row, StoredQuote } from '#db/schema.ts'
import { MAX_DESCRIPTION, type OrderStatus } from '../contract.ts'
import { byHand } from './by-hand.sql.ts'
import { NET_REVENUE_SHARE, ORDER_MONEY } from './net-revenue.sql.ts'

/**
 * Whether the buyer's e-mail, phone or address has changed since; not for a closed account. An address
 * that was given with the order need not be that of the profile.
 */
const IS_CHANGED = sql<boolean>`
  users.closed_at is null and (
    (users.email, users.phone) is distinct from (orders.buyer_email, orders.buyer_phone)
    or orders.delivery is null and users.address <> orders.buyer_address)`

/** The adjustments in their order; null for an order of goods only. */
export const ADJUSTMENTS = sql<StoredQuote['adjustments'] | null>`
  (select jsonb_agg(to_jsonb(adjustment) - 'order_id' - 'position' order by position)
    from order_adjustments as adjustment where order_id = orders.id)`

/** The fault in the capture of an order's money, once the provider was asked for it; null without one. */
const CAPTURE = sql<'pending' | 'missing' | null>`case
  when money.refunds > 0 then null
  when money.is_voided then 'missing'
  when money.is_unconfirmed and payments.attempts > 0 then 'pending' end`

/** A refund of an order that is done. */
export type OrderRefund = {
  /** ISO 8601. */
  done_at: string
  /** In the shop's time zone. */
  day: string
  amount_minor: number
  reason: string | null
  /** The number of its credit note, once it is issued. */
  credit_note: number | null
  /** What it is of; null for an amount. */
  lines: { name: string; quantity: number; amount_minor: number }[] | null
}

/** The lines of a refund with their names, by the id of the refund, as JSON; null for an amount. */
const REFUND_LINES = sql`
  (select jsonb_agg(jsonb_build_object('name', coalesce(order_lines.name, label), 'quantity', refund_lines.quantity,
      'amount_minor', refund_lines.amount_minor) order by refund_lines.kind, refund_lines.position)
    from refund_lines
      left join order_lines on kind = 'product' and order_lines.order_id = refund_lines.order_id
        and order_lines.position = refund_lines.position
      left join order_adjustments as adjustment on refund_lines.kind <> 'product'
        and adjustment.order_id = refund_lines.order_id and adjustment.position = refund_lines.position
    where refund_id = refunds.id)`

/** The refunds of an order that are done, the first one first; null without any. */
const REFUNDS = sql<OrderRefund[] | null>`
  (select jsonb_agg(jsonb_build_object('done_at', done_at, 'day', ${dayOf(sql.ref('done_at'))},
      'amount_minor', refunds.amount_minor, 'reason', reason, 'credit_note', credit_notes.number,
      'lines', ${REFUND_LINES}) order by done_at, refunds.id)
    from captures join refunds on capture_id = captures.id
      left join credit_notes on refund_id = refunds.id
    where captures.payment_id = orders.payment_id and purpose = 'order' and refunds.state = 'done'
      and refunds.amount_minor > 0)`

/** Orders with their payments, their refunds and their adjustments. */
export const orders = (db: Database) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .innerJoinLateral(ORDER_MONEY, (join) => join.onTrue())
    .innerJoin('users', 'users.id', 'orders.user_id')
    .selectAll('orders')
    .select(['payments.provider_order_id', 'money.provider_payment_id', 'money.refunded_minor'])
    .select(['money.paid_minor', 'money.refund_reason', CAPTURE.as('capture')])
    .select(byHand('payments').as('by_hand'))
    .select([
      sql<boolean>`coalesce(money.open_refund <> 'failed', false)`.as('is_refund_pending'),
      sql<boolean>`coalesce(money.open_refund = 'failed', false)`.as('is_refund_refused'),
    ])
    .select([IS_CHANGED.as('is_changed'), ADJUSTMENTS.as('adjustments'), REFUNDS.as('refunds')])
    .$narrowType<{ provider_order_id: NotNull }>()

export type OrderRow = Awaited<ReturnType<ReturnType<typeof orders>['executeTakeFirstOrThrow']>>

export const selectOrderOfPayment = (db: Database, paymentId: string) =>
  orders(db).where('orders.payment_id', '=', paymentId).executeTakeFirstOrThrow()

/** A page of a user's orders, newest first: ids are UUIDv7, so their order is that of creation. */
export const selectOrdersOfUser = (db: Database, userId: string, { limit, offset }: Slice) =>
  orders(db)
    .where('orders.user_id', '=', userId)
    .orderBy('orders.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const selectOrder = (db: Database, id: string) =>
  orders(db).where('orders.id', '=', id).executeTakeFirst()

export const countOrdersOfUser = (db: Database, userId: string): Promise<number> =>
  countRows(db.selectFrom('orders').where('user_id', '=', userId))

/** A user's orders in these statuses, without wholly refunded ones, and unpaid ones; the oldest first. */
export const selectOrdersAt = (db: Database, userId: string, statuses: OrderStatus[]) =>
  db
    .selectFrom('orders')
    .innerJoinLateral(ORDER_MONEY, (join) => join.onTrue())
    .where('orders.user_id', '=', userId)
    .innerJoin('payments', 'payments.id', 'payment_id')
    .where(({ or, and, eb }) =>
      or([
        eb('payments.state', '=', 'owed'),
        and([eb('status', 'in', statuses), eb(NET_REVENUE_SHARE, '>', 0)]),
      ]),
    )
    .orderBy('orders.id')
    .select(['orders.id', 'orders.number'])
    .execute()

/** Replaces the buyer's name on all orders of a user and empties the contact data, the shipment and the note. */
export const updateBuyerName = (db: Database, userId: string, name: string) =>
  db
    .updateTable('orders')
    .set({
      buyer_name: name,
      buyer_email: '',
      buyer_phone: '',
      buyer_address: '',
      delivery: null,
      billing: null,
      payer_address: null,
      carrier: null,
      tracking_number: null,
      customer_note: null,
    })
    .where('user_id', '=', userId)
    .execute()

/**
 * Large orders are read a few at a time, so that the event loop can serve other requests between.
 */
const ORDERS_AT_ONCE = 4

const selectLines = (db: Database, orderIds: string[]) =>
  db
    .selectFrom('order_lines')
    .where('order_id', 'in', orderIds)
    .orderBy('order_id')
    .orderBy('position')
    .select(['order_id', 'position', 'product_id', 'variant_id', 'cart_id', 'sku', 'options'])
    .select(['quantity', 'name', 'slug', 'price_minor', 'discount_minor', 'tax_minor', 'tax_rate'])
    // at most what the API returns, however long the stored text is
    .select((eb) =>
      eb.fn<string>('left', ['description', eb.lit(MAX_DESCRIPTION)]).as('description'),
    )
    .execute()

/** The lines of some orders, in the order of their carts. */
export async function selectLinesOf(db: Database, orderIds: string[]) {
  const lines: Row<'order_lines'>[] = []
  for (let at = 0; at < orderIds.length; at += ORDERS_AT_ONCE) {
    const some = await selectLines(db, orderIds.slice(at, at + ORDERS_AT_ONCE))
    for (const line of some) lines.push(line)
    // the embedded database answers without yielding to the event loop
    await setImmediate()
  }
  return lines
}

/** The number of orders in each status, without test orders. */
export const countOrdersByStatus = (db: Database): Promise<Record<string, number>> =>
  countBy(db.selectFrom('orders').where(counts('test')), 'status')

/** The orders of a user with their lines and adjustments, for the export of personal data. */
export const ordersOfUser = sectionOf(
  (userId) => sql`
    select id::text as key, to_jsonb(orders) || jsonb_build_object(
      'lines', (select coalesce(jsonb_agg(to_jsonb(line) - 'order_id' order by position), '[]')
        from order_lines as line where order_id = orders.id),
      'adjustments', (select coalesce(jsonb_agg(to_jsonb(adjustment) - 'order_id' order by position), '[]')
        from order_adjustments as adjustment where order_id = orders.id)) as item
    from orders where user_id = ${userId}`,
)

/** The name of an order in the history: the number, and the buyer. */
export const AUDITED_NAME = sql<string | null>`
  (select number || ' · ' || buyer_name from orders where id = audit_log.row_id)`

export const AUDITED_ORDERS: AuditedRows = {
  returned_lines: { name: AUDITED_NAME },
  orders: {
    name: AUDITED_NAME,
    currency: auditedColumn('orders', 'currency'),
    stored:
      `carrier currency customer_note number payment_id status stock_returned_at test total_minor tracking_number user_id`.split(
        ' ',
      ),
  },
}
