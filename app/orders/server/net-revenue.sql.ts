import { sql } from 'kysely'

/**
 * The share of an order's money that was neither refunded nor lost in a dispute, from 0 to 1, from its row and
 * that of its payment. An order without a price was refunded as a whole or not at all.
 */
export const NET_REVENUE_SHARE = sql<number>`(1 - coalesce(
  least((refunded_minor + disputed_minor)::numeric / nullif(coalesce(paid_minor, amount_minor), 0), 1),
  (payments.state = 'refunded')::integer))`
