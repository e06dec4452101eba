/** Inserts the refunds, invoices and credit notes of the demo's orders with their times. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { setActor } from '#app/shared/server/actor/actor-store.ts'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import { selectSeller } from '#app/taxes/server/service.ts'
import { acquireLock, LOCKS } from '#db/locks.ts'
import type { Database } from '#db/schema.ts'
import { atTime, type People } from './insert-orders.ts'
import type { PlannedOrder } from './plan-orders.ts'

type Seller = { name: string; address: string; taxNumber: string }

const isCancelled = ({ moves }: PlannedOrder) => moves.at(-1)?.to === 'cancel'

/** The pieces of a cancelled order are in stock again. */
async function insertReturn(tx: Database, { id, lines, moves }: PlannedOrder) {
  const returned_at = moves.at(-1)?.at ?? new Date()
  const rows = lines.map(({ quantity }, position) => ({
    order_id: id,
    position,
    sold: quantity,
    quantity,
    returned_at,
  }))
  await tx.insertInto('returned_lines').values(rows).execute()
  await tx
    .updateTable('orders')
    .set({ stock_returned_at: returned_at })
    .where('id', '=', id)
    .execute()
}

type Refund = NonNullable<PlannedOrder['refund']>

async function insertRefund(
  tx: Database,
  { id: order_id, paymentId, lines }: PlannedOrder,
  { at, reason, pieces }: Refund,
  requested_by: string,
) {
  const refunded = pieces.map(({ position, quantity }) => ({
    kind: 'product' as const,
    order_id,
    position,
    quantity,
    amount_minor: (lines[position]?.product.price_minor ?? 0) * quantity,
    discount_minor: 0,
    tax_minor: 0,
  }))
  const amount_minor = refunded.reduce((total, piece) => total + piece.amount_minor, 0)
  const id = uuidv7({ msecs: at.getTime() })
  const times = { created_at: at, done_at: at }
  await tx
    .insertInto('refunds')
    .values({
      id,
      capture_id: paymentId,
      amount_minor,
      reason,
      requested_by,
      state: 'done',
      ...times,
      is_mailed: true,
    })
    .execute()
  await tx
    .insertInto('refund_lines')
    .values(refunded.map((line) => ({ refund_id: id, ...line })))
    .execute()
  return { id, at, paymentId, amount_minor }
}

/** Refunds orders, by the admin. Returns the refunds, oldest first. */
async function insertRefunds(tx: Database, orders: PlannedOrder[], { adminId }: People) {
  await setActor(tx, { kind: 'admin', id: adminId })
  const refunds: Awaited<ReturnType<typeof insertRefund>>[] = []
  for (const order of orders) {
    const { refund } = order
    if (!refund) continue
    await atTime(tx, refund.at, async () => {
      refunds.push(await insertRefund(tx, order, refund, adminId))
      if (isCancelled(order)) await insertReturn(tx, order)
    })
  }
  await setActor(tx, SHOP)
  return refunds.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** The largest number of a table of documents: others may have been issued since the shop is open. */
async function lastNumber(tx: Database, table: 'invoices' | 'credit_notes'): Promise<number> {
  const { max } = await tx
    .selectFrom(table)
    .select(sql<number>`coalesce(max(number), 0)::integer`.as('max'))
    .executeTakeFirstOrThrow()
  return max
}

const issuedBy = ({ name, address, taxNumber }: Seller) => ({
  seller_name: name,
  seller_address: address,
  seller_tax_number: taxNumber,
})

/** The moment and the day of an issue. */
const issuedAt = (at: Date) => ({
  issued_at: at,
  issued_on: dayOf(sql`${at.toISOString()}::timestamptz`),
})

/** Inserts the refunds and all documents, numbered by their times. */
export async function insertDocuments(
  tx: Database,
  orders: PlannedOrder[],
  people: People & { shopName: string },
): Promise<void> {
  await acquireLock(tx, LOCKS.invoices)
  const own = await selectSeller(tx)
  const seller = issuedBy({ ...own, name: own.name || people.shopName })
  const firstInvoice = (await lastNumber(tx, 'invoices')) + 1
  const invoices = orders
    .filter(({ isPaid }) => isPaid)
    .map(({ id, paymentId, at }, place) => ({ number: firstInvoice + place, id, paymentId, at }))
  await tx
    .insertInto('invoices')
    .values(
      invoices.map(({ number, id: order_id, at }) => ({
        number,
        order_id,
        ...issuedAt(at),
        ...seller,
      })),
    )
    .execute()
  const numbers = new Map(invoices.map(({ paymentId, number }) => [paymentId, number]))
  const firstNote = (await lastNumber(tx, 'credit_notes')) + 1
  const refunds = await insertRefunds(tx, orders, people)
  const notes = refunds.map(({ id: refund_id, at, paymentId, amount_minor }, place) => ({
    number: firstNote + place,
    refund_id,
    invoice_number: numbers.get(paymentId) ?? 0,
    amount_minor,
    ...issuedAt(at),
    ...seller,
  }))
  await tx.insertInto('credit_notes').values(notes).execute()
}
