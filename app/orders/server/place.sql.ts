/** SQL that places an order inside a statement of payments. */
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { orderEmailsQueued } from '#app/emails/server/queue.sql.ts'

/**
 * Common table expressions that copy the quote of `captured`, a row of payments, as an order of its
 * buyer, and queue its invoice and its e-mails: `placed` is the row of the order. A unique key allows one
 * order per payment.
 */
export const orderPlaced = (id: string): RawBuilder<unknown> => sql`
  placed as (
    insert into orders (id, payment_id, user_id, buyer_name, buyer_email, buyer_phone, buyer_address,
      delivery, total_minor, currency, test)
    select ${id}::uuid, captured.id, users.id, users.name, users.email, users.phone,
      coalesce(captured.delivery ->> 'text', users.address), captured.delivery - 'text',
      captured.amount_minor, captured.currency, captured.test
    from captured join users on users.id = captured.user_id
    returning *
  ),
  lines as (
    insert into order_lines (order_id, position, product_id, quantity, name, slug, description,
      price_minor, discount_minor, tax_minor, tax_rate)
    select placed.id, position - 1, product_id, quantity, name, slug, description, price_minor,
      discount_minor, tax_minor, tax_rate
    from placed, captured, rows from (
      jsonb_to_recordset(captured.quote -> 'lines') as (product_id uuid, quantity integer, name text,
        slug text, description text, price_minor integer, discount_minor bigint, tax_minor bigint,
        tax_rate integer)
    ) with ordinality as line (product_id, quantity, name, slug, description, price_minor,
      discount_minor, tax_minor, tax_rate, position)
  ),
  adjustments as (
    insert into order_adjustments (order_id, position, kind, label, source, amount_minor, is_included,
      tax_minor, tax_rate, basis_minor)
    select placed.id, position - 1, kind, label, source, adjustment.amount_minor, is_included, tax_minor,
      tax_rate, basis_minor
    from placed, captured, rows from (
      jsonb_to_recordset(captured.quote -> 'adjustments') as (kind text, label text, source text,
        amount_minor bigint, is_included boolean, tax_minor bigint, tax_rate integer,
        basis_minor bigint)
    ) with ordinality as adjustment (kind, label, source, amount_minor, is_included, tax_minor,
      tax_rate, basis_minor, position)
  ),
  due as (
    insert into invoices_due (order_id) select id from placed where not test
  ),
  ${orderEmailsQueued(uuidv7())}`
