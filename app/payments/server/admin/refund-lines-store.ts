import { sql } from 'kysely'
import type { RefundKind } from '#app/payments/model.ts'
import type { Database, Row } from '#db/schema.ts'

/** A line of an order, its shipping or its fee, and what was refunded and returned of it. */
export type PartRow = {
  kind: RefundKind
  position: number
  name: string
  quantity: number
  price_minor: number
  discount_minor: number
  tax_minor: number
  refunded: number
  returned: number
  is_tax_added: boolean
}

/** How many of a part of an order are refunded, or to be refunded: refunds that were given up are not. */
const refunded = (kind: string) => sql`
  (select coalesce(sum(refund_lines.quantity), 0)::integer
    from refund_lines join refunds on refunds.id = refund_id
    where refund_lines.order_id = sold.order_id and kind = ${sql.raw(kind)}
      and refund_lines.position = sold.position and state <> 'given_up')`

/** The parts of an order that can be refunded: its lines, then shipping and fee that cost something. */
export async function selectParts(db: Database, orderId: string): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    with tax as (
      select coalesce(bool_or(not is_included), false) as is_tax_added
      from order_adjustments where order_id = ${orderId}::uuid and kind = 'tax'
    )
    select * from (
    select 'product' as kind, position, name, quantity, price_minor, discount_minor, tax_minor,
      ${refunded(`'product'`)} as refunded, returned_of(order_id, position, quantity) as returned, is_tax_added
    from order_lines as sold, tax where order_id = ${orderId}::uuid
    union all
    select kind, position, label, 1, amount_minor, 0, tax_minor, ${refunded('sold.kind')}, 0, is_tax_added
    from order_adjustments as sold, tax
    where order_id = ${orderId}::uuid and kind in ('shipping', 'fee') and amount_minor > 0
    ) as parts order by kind = 'product' desc, position`.execute(db)
  return rows
}

type NewLines = {
  refundId: string
  orderId: string
  lines: Pick<
    Row<'refund_lines'>,
    'kind' | 'position' | 'quantity' | 'amount_minor' | 'discount_minor' | 'tax_minor'
  >[]
}

/**
 * Stores what a refund is of. A statement of its own after the payment is locked, so that it sees every refund that
 * was requested before: false, when more of a part would be refunded than was sold.
 */
export async function insertRefundLines(
  tx: Database,
  { refundId, orderId, lines }: NewLines,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into refund_lines (refund_id, order_id, kind, position, quantity, amount_minor, discount_minor, tax_minor)
    select ${refundId}::uuid, ${orderId}::uuid, line.kind, line.position, line.quantity, line.amount_minor,
      line.discount_minor, line.tax_minor
    from jsonb_populate_recordset(null::refund_lines, ${JSON.stringify(lines)}::jsonb) as line
    where line.quantity + (
      select coalesce(sum(other.quantity), 0) from refund_lines as other join refunds on refunds.id = other.refund_id
      where other.order_id = ${orderId}::uuid and (other.kind, other.position) = (line.kind, line.position)
        and state <> 'given_up'
    ) <= case line.kind when 'product' then (
        select quantity from order_lines
        where order_lines.order_id = ${orderId}::uuid and order_lines.position = line.position)
      else (
        select 1 from order_adjustments
        where order_adjustments.order_id = ${orderId}::uuid and order_adjustments.position = line.position
          and order_adjustments.kind = line.kind) end`.execute(tx)
  return Number(numAffectedRows) === lines.length
}
