/** SQL that places an order inside a statement of payments. */
import { type RawBuilder, sql } from 'kysely'
import { counts } from '#app/settings/server/demo.sql.ts'
import { eventsInserted } from '#app/shared/server/outbox/events-store.ts'
import type { StoredQuote } from '#db/schema.ts'

/** Copies the parts of the quote of `paid` to a table, whose columns they have as keys, in their order. */
const partsPlaced = (table: 'order_lines' | 'order_adjustments', parts: keyof StoredQuote) => sql`
    insert into ${sql.table(table)}
    select stored.*
    from placed, paid,
      jsonb_array_elements(paid.quote -> ${sql.lit(parts)}) with ordinality as parts (part, at),
      jsonb_populate_record(null::${sql.table(table)},
        part || jsonb_build_object('order_id', placed.id, 'position', at - 1)) as stored`

/**
 * Common table expressions that copy the quote of `paid`, a row of payments, as an order of the
 * buyer whom it stores, queue its invoice and record its events: `placed` is the row of the order. A unique key allows one
 * order per payment. Without `mails` nobody gets an e-mail. That about an order says that it is paid.
 */
export const orderPlaced = (
  id: string,
  { mails = true }: { mails?: boolean } = {},
): RawBuilder<unknown> => sql`
  placed as (
    insert into orders (id, payment_id, user_id, buyer_name, buyer_email, buyer_phone, buyer_address,
      delivery, billing, payer_address, total_minor, currency, test)
    select ${id}::uuid, paid.id, paid.user_id, paid.buyer ->> 'name', paid.buyer ->> 'email',
      paid.buyer ->> 'phone', coalesce(paid.delivery ->> 'text', paid.buyer ->> 'address'),
      paid.delivery - 'text', paid.billing,
      case when paid.billing is null and folded(paid.delivery ->> 'name') <> folded(paid.buyer ->> 'name')
        then paid.buyer ->> 'address' end,
      paid.amount_minor, paid.currency, paid.test
    from paid
    returning *
  ),
  lines as (${partsPlaced('order_lines', 'lines')}),
  adjustments as (${partsPlaced('order_adjustments', 'adjustments')}),
  due as (
    -- an unpaid order has its invoice when it is paid
    insert into invoices_due (order_id) select placed.id from placed, paid
    where ${counts('placed.test')} and paid.state = 'paid'
  ),
  happened as (
    ${eventsInserted(sql`
      select event.kind, placed.id, event.notify, jsonb_build_object('number', placed.number)
      from placed, paid, (values ('order_placed', ${mails}::boolean), ('order_paid', false)) as event (kind, notify)
      where event.kind = 'order_placed' or paid.state = 'paid'`)}
  )`
