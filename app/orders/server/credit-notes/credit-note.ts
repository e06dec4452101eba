/**
 * Credit notes: what was refunded of an order, with its tax. They are issued after their refund, with the
 * invoices, and never change.
 */
import type { CreditNote } from '#app/orders/contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { sum } from '#app/shared/server/shares.ts'
import type { Adjustment, Database } from '#db/schema.ts'
import { amountsOf, partiesOf, presentAdjustment, presentLine } from '../invoice.ts'
import { type SoldOrder, selectSold } from '../invoice-store.ts'
import { type Credited, creditedTaxes } from './credited-taxes.ts'
import { type CreditedAmount, type RefundedLine, selectCreditNote } from './store.ts'

type Amounts = Pick<CreditNote, 'lines' | 'subtotal' | 'adjustments' | 'total'>

const taxesOf = ({ adjustments }: SoldOrder): Adjustment[] =>
  (adjustments ?? []).filter(({ kind }) => kind === 'tax')

/** The row of a refunded line, or of refunded shipping or fee, as sold. */
const soldRow = ({ lines, adjustments }: SoldOrder, { kind, position }: RefundedLine) => {
  if (kind === 'product') return lines.find((line) => line.position === position)
  return adjustments?.[position]
}

/** The lines of a credit note as those of its order, with the quantities and shares that were refunded. */
const linesOf = (order: SoldOrder, refunded: RefundedLine[]) =>
  order.lines.flatMap((line) => {
    const own = refunded.find(
      ({ kind, position }) => kind === 'product' && position === line.position,
    )
    if (!own) return []
    const { quantity, discount_minor, tax_minor } = own
    return [{ ...line, quantity, discount_minor, tax_minor }]
  })

/** The taxes by rate that refunded lines contain, in the order of the rates. */
function taxesOfLines(order: SoldOrder, refunded: RefundedLine[]) {
  const taxes = taxesOf(order)
  const own = taxes.map(({ basis_minor }) => ({ basis_minor: basis_minor && 0, amount_minor: 0 }))
  for (const line of refunded) {
    const rate = soldRow(order, line)?.tax_rate ?? null
    const tax = own[rate === null ? -1 : taxes.findIndex(({ tax_rate }) => tax_rate === rate)]
    if (!tax) continue
    tax.amount_minor += line.tax_minor
    if (tax.basis_minor !== null) tax.basis_minor += line.amount_minor - line.tax_minor
  }
  return own
}

const creditedOf = (order: SoldOrder, { amount_minor, lines }: CreditedAmount): Credited => ({
  amountMinor: amount_minor,
  lines: lines && {
    amountMinor: sum(lines.map((line) => line.amount_minor)),
    taxes: taxesOfLines(order, lines),
  },
})

const ROW = { source: '', is_included: false, tax_minor: 0, tax_rate: null, basis_minor: null }

/** What a credit note has beside its lines: discount, shipping and fee of a refund by lines. */
function besideLines(order: SoldOrder, refunded: RefundedLine[]): Adjustment[] {
  const discountMinor = sum(refunded.map(({ discount_minor }) => discount_minor))
  const discounts: Adjustment[] =
    discountMinor === 0
      ? []
      : [{ ...ROW, kind: 'discount', label: 'Discounts', amount_minor: -discountMinor }]
  const others = refunded.flatMap(({ kind, position }) =>
    kind === 'product' ? [] : (order.adjustments?.[position] ?? []),
  )
  return [...discounts, ...others]
}

/** The difference of the refunded amount to the sum of the parts: the merchant has refunded more, or less. */
function differenceRow(amountMinor: number): Adjustment[] {
  if (amountMinor === 0) return []
  const kind = amountMinor < 0 ? 'discount' : 'fee'
  return [{ ...ROW, kind, label: 'Difference', amount_minor: amountMinor }]
}

/**
 * The last of these amounts of an order: of all of it the lines of its invoice; of lines these, with their tax by rate
 * and the difference to the amount; of a part the tax by rate.
 */
function credited(order: SoldOrder, notes: CreditedAmount[]): Amounts {
  const note = notes.at(-1) ?? { amount_minor: 0, lines: null }
  const { amount_minor: amount } = note
  if (amount === order.total_minor) {
    const { lines, subtotal, adjustments, total } = amountsOf(order)
    return { lines, subtotal, adjustments, total }
  }
  const { currency } = order
  const present = presentAdjustment(currency)
  const taxes = taxesOf(order)
  const all = notes.map((one) => creditedOf(order, one))
  const shares = creditedTaxes({ totalMinor: order.total_minor, taxes }, all).at(-1)
  const taxRows = taxes.map((tax, at) => ({ ...tax, ...shares?.[at] }))
  if (!note.lines) {
    const adjustments = taxRows.map((tax) => present({ ...tax, is_included: true }))
    return {
      lines: [],
      subtotal: toMajor(amount, currency),
      adjustments,
      total: toMajor(amount, currency),
    }
  }
  const lines = linesOf(order, note.lines)
  const subtotal = sum(lines.map(({ price_minor, quantity }) => price_minor * quantity))
  const rows = [...besideLines(order, note.lines), ...taxRows]
  const added = sum(rows.map((row) => (row.is_included ? 0 : row.amount_minor)))
  return {
    lines: lines.map(presentLine(currency)),
    subtotal: toMajor(subtotal, currency),
    adjustments: [...rows, ...differenceRow(amount - subtotal - added)].map(present),
    total: toMajor(amount, currency),
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
  const { currency, test } = amountsOf(order)
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
    test,
    seller: {
      name: note.seller_name,
      address: note.seller_address,
      taxNumber: note.seller_tax_number,
    },
    ...partiesOf(order),
    ...credited(order, note.notes),
  }
}
