/**
 * The invariants of orders and of the money that pays for them. That a payment has one order, money one
 * payment, and a buyer one reservation are unique indexes.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Invariant } from '#app/shared/server/domain-module.ts'

/** The columns of lines and adjustments that an order copies from its quote, besides texts. */
const LINE = ['product_id', 'quantity', 'price_minor', 'discount_minor', 'tax_minor', 'tax_rate']
const ADJUSTMENT = [
  'kind',
  'source',
  'amount_minor',
  'is_included',
  'tax_minor',
  'tax_rate',
  'basis_minor',
]

/** These columns of the rows of an order, in their order, as JSON. */
const copied = (table: string, columns: string[]) => sql`
  (select jsonb_agg(jsonb_build_array(${sql.join(columns.map((name) => sql.ref(name)))}) order by position)
    from ${sql.table(table)} where order_id = orders.id)`

/** These columns of the parts of a quote, in their order, as JSON. */
const quoted = (parts: string, columns: string[]) => sql`
  (select jsonb_agg(jsonb_build_array(${sql.join(columns.map((name) => sql`part -> ${sql.lit(name)}`))})
      order by position)
    from jsonb_array_elements(quote -> ${sql.lit(parts)}) with ordinality as parts (part, position))`

/** Selects the orders for which something is true of them or their payments. */
const paidOrders = (condition: RawBuilder<unknown>) => sql<{ id: string }>`
  select orders.id from orders join payments on payments.id = payment_id where ${condition}`

/** An order has the amount, the buyer and the lines of its payment, and that was captured. */
const OF_ORDERS: Invariant[] = [
  {
    name: 'order_total',
    violation: 'an order without lines, or whose lines and adjustments are another sum',
    query: sql`
      select id from orders
      left join (select order_id, sum(quantity::bigint * price_minor) as minor from order_lines
        group by order_id) as sold on sold.order_id = id
      left join (select order_id, sum(amount_minor) as minor from order_adjustments
        where not is_included group by order_id) as adjusted on adjusted.order_id = id
      where total_minor is distinct from sold.minor + coalesce(adjusted.minor, 0)`,
  },
  {
    name: 'order_tax',
    violation: 'an order whose tax by rate is another sum than that of its lines and shipping',
    query: sql`
      select orders.id from orders
      left join (select order_id, sum(amount_minor) filter (where kind = 'tax') as by_rate,
          sum(tax_minor) as of_shipping
        from order_adjustments group by order_id) as adjusted on adjusted.order_id = orders.id
      left join (select order_id, sum(tax_minor) as of_lines from order_lines group by order_id) as sold
        on sold.order_id = orders.id
      where coalesce(by_rate, 0) <> coalesce(of_lines, 0) + coalesce(of_shipping, 0)`,
  },
  {
    name: 'order_amount',
    violation: 'an order of another amount or currency than its payment',
    query: paidOrders(sql`(total_minor, orders.currency) <> (amount_minor, payments.currency)`),
  },
  {
    name: 'order_lines',
    violation: 'an order whose lines are not those of the quote of its payment',
    query: paidOrders(
      sql`quote is not null and ${copied('order_lines', LINE)} is distinct from ${quoted('lines', LINE)}`,
    ),
  },
  {
    name: 'order_adjustments',
    violation: 'an order whose adjustments are not those of the quote of its payment',
    query: paidOrders(sql`quote is not null and ${copied('order_adjustments', ADJUSTMENT)}
        is distinct from ${quoted('adjustments', ADJUSTMENT)}`),
  },
  {
    name: 'order_buyer',
    violation: 'an order of another buyer than its payment',
    query: paidOrders(sql`orders.user_id <> payments.user_id`),
  },
  {
    name: 'order_test',
    violation: 'an order that is a test where its payment is none, or the other way round',
    query: paidOrders(sql`orders.test <> payments.test`),
  },
  {
    name: 'order_unpaid',
    violation: 'an order whose payment was not captured, or was refused',
    query: paidOrders(
      sql`state not in ('captured', 'refund_pending', 'refunded') or refusal is not null`,
    ),
  },
]

/** Money that came in paid for an order, is refunded, or is not decided on yet; and only one of these. */
const OF_MONEY: Invariant[] = [
  {
    name: 'money_unused',
    violation: 'money that was decided on, and has neither an order nor a refund',
    query: sql`
      select id from payments
      where provider_payment_id is not null and refusal is null
        and state not in ('created', 'expired')
        and not exists (select from orders where orders.payment_id = payments.id)`,
  },
  {
    name: 'order_captured',
    violation:
      'an order of which less was captured than its total, which its invoice has, or in another currency, without an issue',
    query: paidOrders(sql`confirmed_at is not null and issue is null
        and (coalesce(paid_minor, amount_minor) < total_minor
          or coalesce(paid_currency, payments.currency) <> orders.currency)`),
  },
  {
    name: 'order_refunded',
    violation: 'an order that is refunded in another sum than was requested, without an issue',
    query: paidOrders(sql`state = 'refunded' and issue is null and provider <> 'none'
        and refunded_minor + disputed_minor <> coalesce(refund_minor, paid_minor, amount_minor)`),
  },
  {
    name: 'refund_exceeds',
    violation: 'a payment of which more is refunded than was paid',
    query: sql`
      select id from payments
      where refunded_minor + disputed_minor > coalesce(paid_minor, amount_minor)`,
  },
  {
    name: 'refund_incomplete',
    violation: 'money that bought nothing, and counts as refunded before all of it is',
    query: sql`
      select id from payments
      where state = 'refunded' and refusal is not null
        and refunded_minor + disputed_minor < coalesce(paid_minor, amount_minor)`,
  },
]

/** Numbers of invoices are one after the other. Those of before were the numbers of their orders. */
const OF_INVOICES: Invariant[] = [
  {
    name: 'order_invoice',
    violation: 'an order without an invoice that is not due either, or a test order with one',
    query: sql`
      select id from orders
      where test = (
        exists (select from invoices where order_id = orders.id)
        or exists (select from invoices_due where order_id = orders.id))`,
  },
  {
    name: 'invoice_gap',
    violation: 'an invoice whose number is not one more than the number before',
    query: sql`
      select order_id as id from (
        select order_id, issued_at, number - lag(number) over (order by number) as step from invoices
      ) as numbered join orders on orders.id = order_id
      where step <> 1 and issued_at > created_at`,
  },
]

export const ORDER_INVARIANTS: Invariant[] = [...OF_ORDERS, ...OF_MONEY, ...OF_INVOICES]
