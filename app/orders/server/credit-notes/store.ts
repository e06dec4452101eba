import { sql } from 'kysely'
import type { Invoice } from '#app/orders/contract.ts'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import type { Database, Row } from '#db/schema.ts'

/**
 * Issues the credit notes that are due and whose invoice is issued, in the order of their refunds, from the
 * number after the largest on. The caller holds the lock of invoices, as for `insertInvoices`.
 */
export const insertCreditNotes = (tx: Database, { name, address, taxNumber }: Invoice['seller']) =>
  sql`
    with due as (
      delete from credit_notes_due
      using refunds join captures on captures.id = capture_id
        join orders using (payment_id) join invoices on order_id = orders.id
      where refund_id = refunds.id
      returning refund_id, done_at, refunds.amount_minor, invoices.number as invoice_number, total_minor
    ),
    credited as (
      select refund_id, done_at, invoice_number, least(amount_minor, total_minor
          - (select coalesce(sum(amount_minor), 0) from credit_notes as earlier
              where earlier.invoice_number = due.invoice_number)
          - coalesce(sum(amount_minor) over (partition by invoice_number order by done_at, refund_id
              rows between unbounded preceding and 1 preceding), 0)) as amount_minor
      from due
    )
    insert into credit_notes (number, refund_id, invoice_number, amount_minor, issued_on,
      seller_name, seller_address, seller_tax_number)
    select (select coalesce(max(number), 0) from credit_notes)
        + row_number() over (order by done_at, refund_id),
      refund_id, invoice_number, amount_minor, ${dayOf(sql`clock_timestamp()`)},
      ${name}, ${address}, ${taxNumber}
    from credited where amount_minor > 0`.execute(tx)

/** A line of a refund, or its shipping or fee. */
export type RefundedLine = Pick<
  Row<'refund_lines'>,
  'kind' | 'position' | 'quantity' | 'amount_minor' | 'discount_minor' | 'tax_minor'
>

/** The amount of a credit note, and the lines of its refund; null for an amount. */
export type CreditedAmount = { amount_minor: number; lines: RefundedLine[] | null }

/** A credit note, with the amounts and lines of those of its order up to it, in their order. */
export const selectCreditNote = (db: Database, number: number) =>
  db
    .selectFrom('credit_notes')
    .innerJoin('invoices', 'invoices.number', 'invoice_number')
    .innerJoin('refunds', 'refunds.id', 'refund_id')
    .where('credit_notes.number', '=', number)
    .select(['credit_notes.number', 'invoice_number', 'order_id', 'refunds.reason'])
    .select([
      'credit_notes.seller_name',
      'credit_notes.seller_address',
      'credit_notes.seller_tax_number',
    ])
    .select([
      sql<string>`credit_notes.issued_on::text`.as('issued_on'),
      sql<string>`invoices.issued_on::text`.as('invoiced_on'),
      sql<string>`${dayOf(sql.ref('done_at'))}::text`.as('refunded_on'),
      sql<CreditedAmount[]>`
        (select jsonb_agg(jsonb_build_object('amount_minor', amount_minor, 'lines', (
            select jsonb_agg(to_jsonb(line) order by kind, position) from refund_lines as line
            where line.refund_id = earlier.refund_id)) order by number)
          from credit_notes as earlier
          where earlier.invoice_number = credit_notes.invoice_number
            and earlier.number <= credit_notes.number)`.as('notes'),
    ])
    .executeTakeFirst()
