/** The invoice of an order: its amounts as charged, with rates of tax. */
import { notFound } from '#app/shared/server/failure.ts'
import { toMajor } from '#app/shared/server/money.ts'
import { selectSeller } from '#app/taxes/server/service.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import type { Invoice } from '../invoice-contract.ts'
import { percentOf } from './percent.ts'
import { selectInvoiced, selectLinesOf } from './store.ts'

const rateOf = (rate: number | null) => (rate === null ? null : percentOf(rate))

const presentLine = (line: StoredQuote['lines'][number]): Invoice['lines'][number] => ({
  _id: line.product_id,
  name: line.name,
  quantity: line.quantity,
  price: toMajor(line.price_minor),
  discount: toMajor(line.discount_minor),
  taxRate: rateOf(line.tax_rate),
  tax: toMajor(line.tax_minor),
  amount: toMajor(line.price_minor * line.quantity - line.discount_minor),
})

const presentAdjustment = (
  adjustment: StoredQuote['adjustments'][number],
): Invoice['adjustments'][number] => ({
  kind: adjustment.kind,
  label: adjustment.label,
  amount: toMajor(adjustment.amount_minor),
  included: adjustment.is_included,
  taxRate: rateOf(adjustment.tax_rate),
  tax: toMajor(adjustment.tax_minor),
  basis: adjustment.basis_minor === null ? null : toMajor(adjustment.basis_minor),
})

/**
 * The invoice of an order, with `buyerId` only of this buyer's. Throws `not_found` when there is no
 * such order.
 */
export async function invoiceOf(
  db: Database,
  { orderId, buyerId }: { orderId: string; buyerId?: string },
): Promise<Invoice> {
  const order = await selectInvoiced(db, orderId)
  if (!order || (buyerId !== undefined && order.user_id !== buyerId))
    throw notFound('There is no such order.')
  const [lines, seller] = await Promise.all([selectLinesOf(db, [order.id]), selectSeller(db)])
  const subtotal = lines.reduce((sum, line) => sum + line.price_minor * line.quantity, 0)
  return {
    number: order.number,
    date: order.created_at.toISOString(),
    orderId: order.id,
    paymentId: order.provider_payment_id,
    currency: order.currency,
    test: order.test,
    seller,
    buyer: {
      name: order.buyer_name,
      email: order.buyer_email,
      phone: order.buyer_phone,
      address: order.buyer_address,
    },
    lines: lines.map(presentLine),
    subtotal: toMajor(subtotal),
    adjustments: (order.adjustments ?? []).map(presentAdjustment),
    total: toMajor(order.total_minor),
    refunded: toMajor(order.refunded_minor),
  }
}
