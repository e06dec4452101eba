import { sql } from 'kysely'

/** The money of orders: what was paid, refunded and lost in disputes, of their payments. */
export type OrderMoney = {
  provider_payment_id: string
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
 * its money. An order without a price was refunded as a whole or not at all.
 */
export const NET_REVENUE_SHARE = sql<number>`(1 - coalesce(
  least((money.refunded_minor + money.disputed_minor)::numeric / nullif(money.paid_minor, 0), 1),
  (money.refunds > 0)::integer))`
