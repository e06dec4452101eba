/**
 * The invariants of orders and of the money that pays for them. That a payment has one order, money one
 * payment, and a buyer one reservation are unique indexes.
 */
import { type RawBuilder, sql } from 'kysely'
import { counts } from '#app/settings/server/demo.sql.ts'
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

/** An order that was cancelled before it was paid, which no provider was to take the money of. */
const WAS_NEVER_PAID = sql`(state = 'cancelled' and status = 'cancel' and due_at is not null)`

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
    name: 'order_contact',
    violation:
      'a payment that may be paid without the contact of its account, or one of a closed account with a contact',
    query: sql`
      select payments.id from payments join users on users.id = user_id
      where case when closed_at is null
        then state in ('open', 'expired') and buyer is distinct from contact_of(users)
        else buyer is not null end`,
  },
  {
    name: 'order_test',
    violation: 'an order that is a test where its payment is none, or the other way round',
    query: paidOrders(sql`orders.test <> payments.test`),
  },
  {
    name: 'order_unpaid',
    violation:
      'an order whose payment was not captured, or was refused, and that is not owed either',
    query: paidOrders(sql`case state
      when 'paid' then not exists (
        select from captures where captures.payment_id = payments.id and purpose = 'order')
      when 'owed' then status = 'cancel'
      else true end and not ${WAS_NEVER_PAID}`),
  },
  {
    name: 'order_owed',
    violation: 'an order that is owed and paid in full, or for which more came in than its total',
    query: sql`
      select payments.id from payments join (
        select payment_id, sum(amount_minor) as minor from captures where received_by is not null group by 1
      ) as received on payment_id = payments.id
      where minor > amount_minor or state = 'owed' and minor = amount_minor`,
  },
  {
    name: 'order_stock_kept',
    violation: 'an order that was cancelled before it was paid, and whose stock is not returned',
    query: paidOrders(sql`state = 'cancelled' and (stock_returned_at is null or exists (
      select from order_lines
      where order_id = orders.id and returned_of(order_id, position, quantity) < quantity))`),
  },
  {
    name: 'order_stock_unmarked',
    violation: 'an order that is returned as a whole and not marked so, or the other way round',
    query: sql`
      select id from orders
      where (stock_returned_at is not null) <> not exists (select from order_lines
        where order_id = orders.id and returned_of(order_id, position, quantity) < quantity)`,
  },
]

/** The refunds of each capture that are done. */
const REFUNDED = sql`captures cross join lateral refunds_of(captures.id) as refunded`

/** Money that came in paid for an order, goes back, or is not decided on yet; and only one of these. */
const OF_MONEY: Invariant[] = [
  {
    name: 'money_unused',
    violation: 'money that counts for an order, and has none',
    query: sql`
      select id from captures
      where purpose = 'order'
        and not exists (select from orders where orders.payment_id = captures.payment_id)`,
  },
  {
    name: 'money_undecided',
    violation: 'undecided money of a payment that is paid or over',
    query: sql`
      select captures.id from captures join payments on payments.id = payment_id
      where purpose = 'undecided' and payments.state in ('paid', 'cancelled')`,
  },
  {
    name: 'order_captured',
    violation:
      'an order of which less was captured than its total, which its invoice has, or in another currency, without an issue',
    query: paidOrders(sql`state = 'paid' and (
      select bool_and(confirmed_at is not null and issue is null)
        and (sum(captures.amount_minor) < total_minor or bool_or(captures.currency <> orders.currency))
      from captures where captures.payment_id = payments.id and purpose = 'order')`),
  },
  {
    name: 'refund_exceeds',
    violation: 'money of which more is refunded, or to be refunded, than was paid',
    query: sql`
      select captures.id from captures where disputed_minor + (
        select coalesce(sum(amount_minor), 0) from refunds
        where capture_id = captures.id and state <> 'given_up') > amount_minor`,
  },
  {
    name: 'refund_line_exceeds',
    violation: 'an order of which more of a line is refunded, or to be refunded, than was sold',
    query: sql`
      select refund_lines.order_id as id
      from refund_lines join refunds on refunds.id = refund_id
        left join order_lines as line on refund_lines.kind = 'product'
          and line.order_id = refund_lines.order_id and line.position = refund_lines.position
      where state <> 'given_up'
      group by refund_lines.order_id, refund_lines.kind, refund_lines.position
      having sum(refund_lines.quantity) > coalesce(min(line.quantity), 1)`,
  },
  {
    name: 'refund_incomplete',
    violation: 'captured money that bought nothing, and of which a part is not to be refunded',
    query: sql`
      select captures.id from ${REFUNDED}
      where purpose = 'nothing' and confirmed_at is not null and open_refund is null
        and refunded_minor + disputed_minor < amount_minor`,
  },
]

/** Numbers of invoices are one after the other. Those of before were the numbers of their orders. */
const OF_INVOICES: Invariant[] = [
  {
    name: 'order_invoice',
    violation:
      'a paid order without an invoice that is not due either, or an unpaid order with one, or a test outside the demo',
    query: paidOrders(sql`(state = 'paid' and ${counts('orders.test')}) <> (
        exists (select from invoices where order_id = orders.id)
        or exists (select from invoices_due where order_id = orders.id))`),
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

/** When the first version with credit notes has upgraded the shop. */
const CREDITED_SINCE = sql`
  (select timestamp::timestamptz from kysely_migration where name like '0004%')`

const OF_CREDIT_NOTES: Invariant[] = [
  {
    name: 'credit_note_missing',
    violation: 'a refund of an order without a credit note that is not due either',
    query: sql`
      select refunds.id
      from refunds join captures on captures.id = capture_id join orders using (payment_id)
      where refunds.state = 'done' and refunds.amount_minor > 0 and purpose = 'order' and ${counts('test')}
        and done_at > ${CREDITED_SINCE}
        and exists (select from invoices where order_id = orders.id)
        and not exists (select from credit_notes where refund_id = refunds.id)
        and not exists (select from credit_notes_due where refund_id = refunds.id)
        -- what was paid beyond the total needs none
        and total_minor > (select coalesce(sum(amount_minor), 0)
          from credit_notes join invoices on invoices.number = invoice_number
          where order_id = orders.id)`,
  },
  {
    name: 'credit_note_due',
    violation: 'a credit note that is due of a refund that has one, or needs none',
    query: sql`
      select refund_id as id from credit_notes_due
      where refund_id in (select refund_id from credit_notes)
        or not exists (
          select from refunds join captures on captures.id = capture_id join orders using (payment_id)
          where refunds.id = refund_id and refunds.state = 'done' and purpose = 'order' and ${counts('test')})`,
  },
  {
    name: 'credit_note_refund',
    violation: 'a credit note without a refund of that order that is done, or of more than it',
    query: sql`
      select refund_id as id from credit_notes
      where not exists (
        select from refunds join captures on captures.id = capture_id
          join orders using (payment_id) join invoices on order_id = orders.id
        where refunds.id = refund_id and invoices.number = invoice_number and purpose = 'order'
          and refunds.state = 'done' and refunds.amount_minor >= credit_notes.amount_minor)`,
  },
  {
    name: 'credit_note_exceeds',
    violation: 'an order whose credit notes have more than its total',
    query: sql`
      select orders.id
      from credit_notes join invoices on invoices.number = invoice_number
        join orders on orders.id = order_id
      group by orders.id having sum(amount_minor) > total_minor`,
  },
  {
    name: 'credit_note_gap',
    violation: 'a credit note whose number is not one more than the number before',
    query: sql`
      select refund_id as id from (
        select refund_id, number - coalesce(lag(number) over (order by number), 0) as step
        from credit_notes
      ) as numbered
      where step <> 1`,
  },
]

export const ORDER_INVARIANTS: Invariant[] = [
  ...OF_ORDERS,
  ...OF_MONEY,
  ...OF_INVOICES,
  ...OF_CREDIT_NOTES,
]
