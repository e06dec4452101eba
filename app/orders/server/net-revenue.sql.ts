import { sql } from 'kysely'

/** The money of orders: what was paid, refunded and lost in disputes, of their payments. */
export type OrderMoney = {
  /** Null of an order that nothing was paid for yet. */
  provider_payment_id: string | null
  paid_minor: number
  refunded_minor: number
  disputed_minor: number
  /** How many refunds are done. */
  refunds: number
  /** The state of the refund in progress. */
  open_refund: 'pending' | 'accepted' | 'failed' | null
  refund_reason: string | null
  is_voided: boolean
  is_unconfirmed: boolean
}

/** To join laterally to orders. */
export const ORDER_MONEY = sql<OrderMoney>`money_of(orders.payment_id)`.as('money')

/**
 * The share of an order's money that was neither refunded nor lost in a dispute, from 0 to 1, from its row and
 * its money. An order that nothing was paid for, because it has no price or is unpaid, was refunded as a whole or
 * not at all.
 */
export const NET_REVENUE_SHARE = sql<number>`(1 - case money.paid_minor
  when 0 then (money.refunds > 0)::integer
  else least((money.refunded_minor + money.disputed_minor)::numeric / money.paid_minor, 1) end)`

/**
 * The share of an order's total that was received and kept. Of one that is not paid in full only a part was
 * received; such orders are few, and found once a statement.
 */
export const REVENUE_SHARE = sql<number>`(${NET_REVENUE_SHARE} * case
  when orders.payment_id in (select id from payments where state = 'owed')
  then least(money.paid_minor::numeric / orders.total_minor, 1) else 1 end)`
