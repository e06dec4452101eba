/**
 * Credit notes: what was refunded of an order, with its tax. They are issued after their refund, with the
 * invoices, and never change.
 */
import type { CreditNote } from '#app/orders/contract.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { toMajor } from '#app/shared/server/minor-units.ts'
import type { Database } from '#db/schema.ts'
import { amountsOf, presentAdjustment } from '../invoice.ts'
import { type SoldOrder, selectSold } from '../invoice-store.ts'
import { creditedTaxes } from './credited-taxes.ts'
import { selectCreditNote } from './store.ts'

type Amounts = Pick<CreditNote, 'lines' | 'subtotal' | 'adjustments' | 'total'>

/** The last of these amounts of an order: of all of it the lines of its invoice, of a part the tax by rate. */
function credited(order: SoldOrder, amounts: number[]): Amounts {
  const { lines, subtotal, adjustments, total } = amountsOf(order)
  const amount = amounts.at(-1) ?? 0
  if (amount === order.total_minor) return { lines, subtotal, adjustments, total }
  const taxes = (order.adjustments ?? []).filter(({ kind }) => kind === 'tax')
  const shares = creditedTaxes({ totalMinor: order.total_minor, taxes }, amounts).at(-1)
  return {
    lines: [],
    subtotal: toMajor(amount),
    adjustments: taxes.map((tax, at) =>
      presentAdjustment({ ...tax, ...shares?.[at], is_included: true }),
    ),
    total: toMajor(amount),
  }
}

/** An issued credit note; with `buyerId` only of this buyer's order. Throws `not_found` when there is none. */
export async function openCreditNote(
  db: Database,
  { number, buyerId }: { number: number; buyerId?: string },
): Promise<CreditNote> {
  const note = await selectCreditNote(db, number)
  const [order] = note ? await selectSold(db, [note.order_id]) : []
  if (!note || !order || (buyerId !== undefined && order.user_id !== buyerId))
    throw notFound('There is no such credit note.')
  const { currency, buyer } = amountsOf(order)
  return {
    number,
    date: note.issued_on,
    invoiceNumber: note.invoice_number,
    invoiceDate: note.invoiced_on,
    orderNumber: order.number,
    orderDate: order.ordered_on,
    orderId: order.id,
    refundDate: note.refunded_on,
    reason: note.reason,
    currency,
    seller: {
      name: note.seller_name,
      address: note.seller_address,
      taxNumber: note.seller_tax_number,
    },
    buyer,
    ...credited(order, note.amounts),
  }
}
