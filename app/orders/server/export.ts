import { toMajor } from '#app/shared/model/minor-units.ts'
import { type CsvColumns, csvText, pagesOf } from '#app/shared/server/csv/write.ts'
import type { Database } from '#db/schema.ts'
import { issueInvoices } from './invoice.ts'
import { type SoldOrder, selectSoldAfter } from './invoice-store.ts'
import { percentOf, presentByHand } from './presenter.ts'
import type { OrderRefund } from './store.ts'

type SoldLine = SoldOrder['lines'][number]
type Adjustment = NonNullable<SoldOrder['adjustments']>[number]

/** The cells that differ between the rows of an order, named as in its lines; money in minor units. */
type Part = Pick<SoldLine, 'tax_rate'> & {
  sku?: string | null
  kind: 'product' | 'refund' | Adjustment['kind']
  name: string | null
  quantity: number | null
  price_minor: number | null
  /** Its share of the discounts, which have rows of their own. */
  discount_minor: number | null
  tax_minor: number | null
  /** The name and rate of the tax, as on the invoice. */
  taxLabel: string
  refund?: OrderRefund
}

/**
 * The label of the tax of a rate: that of the order's tax row. Several taxes of one rate are all named,
 * because a line stores its rate only.
 */
const labelOfRate = (adjustments: Adjustment[], rate: number | null): string =>
  adjustments
    .filter(({ kind, tax_rate }) => kind === 'tax' && rate !== null && tax_rate === rate)
    .map(({ label }) => label)
    .join(', ')

const UNTAXED = { tax_minor: null, tax_rate: null }

/** A tax row has no tax cell: its tax is in the rows of the products, of shipping and of the fee. */
const partOfAdjustment = ({ kind, label, ...row }: Adjustment, all: Adjustment[]): Part => ({
  kind,
  name: label,
  quantity: 1,
  price_minor: row.amount_minor,
  discount_minor: null,
  ...(kind === 'shipping' || kind === 'fee' ? row : UNTAXED),
  taxLabel: kind === 'tax' ? label : labelOfRate(all, row.tax_rate),
})

/** A refund has its amount in a cell of its own, so that the line totals stay what was paid. */
const partOfRefund = (refund: OrderRefund): Part => ({
  kind: 'refund',
  name: refund.reason,
  quantity: null,
  price_minor: null,
  discount_minor: null,
  ...UNTAXED,
  taxLabel: '',
  refund,
})

/** The rows of an order: its lines, the adjustments that its prices do not contain, and its refunds. */
function partsOf({ lines, adjustments: stored, refunds }: SoldOrder): Part[] {
  const adjustments = stored ?? []
  const added = adjustments.filter(({ is_included }) => !is_included)
  return [
    ...lines.map((line) => ({
      ...line,
      kind: 'product' as const,
      taxLabel: labelOfRate(adjustments, line.tax_rate),
    })),
    ...added.map((row) => partOfAdjustment(row, adjustments)),
    ...(refunds ?? []).map(partOfRefund),
  ]
}

type ExportedRow = { order: SoldOrder; part: Part; isFirst: boolean }

const majorOf = (minor: number | null, { order: { currency } }: ExportedRow) =>
  minor === null ? null : toMajor(minor, currency)

const lineTotal = ({ part: { price_minor, quantity } }: ExportedRow) =>
  price_minor && quantity && price_minor * quantity

const COLUMNS: CsvColumns<ExportedRow> = {
  order_id: ({ order }) => order.id,
  date: ({ order }) => order.created_at.toISOString(),
  status: ({ order }) => order.status,
  buyer: ({ order }) => order.buyer_name,
  email: ({ order }) => order.buyer_email,
  payment_id: ({ order }) => order.provider_payment_id,
  product: ({ part }) => part.name,
  pieces: ({ part }) => part.quantity,
  unit_price: (row) => majorOf(row.part.price_minor, row),
  line_total: (row) => majorOf(lineTotal(row), row),
  currency: ({ order }) => order.currency,
  phone: ({ order }) => order.buyer_phone,
  address: ({ order }) => order.buyer_address,
  test: ({ order }) => (order.test ? 'yes' : 'no'),
  // the delivery address in parts; empty when the order has only the text
  recipient: ({ order }) => order.delivery?.name ?? null,
  recipient_phone: ({ order }) => order.delivery?.phone ?? null,
  street: ({ order }) => order.delivery?.street ?? null,
  city: ({ order }) => order.delivery?.city ?? null,
  region: ({ order }) => order.delivery?.region ?? null,
  postal_code: ({ order }) => order.delivery?.postalCode ?? null,
  country: ({ order }) => order.delivery?.country ?? null,
  kind: ({ part }) => part.kind,
  discount: (row) => majorOf(row.part.discount_minor, row),
  tax: (row) => majorOf(row.part.tax_minor, row),
  tax_rate: ({ part }) => percentOf(part.tax_rate),
  invoice: ({ order }) => order.invoice?.number ?? null,
  refunded: (row) => majorOf(row.part.refund?.amount_minor ?? null, row),
  tax_label: ({ part }) => part.taxLabel,
  order_number: ({ order }) => order.number,
  refund_date: ({ part: { refund } }) => (refund ? new Date(refund.done_at).toISOString() : null),
  credit_note: ({ part: { refund } }) => refund?.credit_note ?? null,
  owed: ({ order, isFirst }) => (isFirst ? (presentByHand(order).unpaid?.owed ?? null) : null),
  sku: ({ part }) => part.sku ?? null,
  // the billing address; empty where none was given
  billing_name: ({ order }) => order.billing?.name ?? null,
  billing_phone: ({ order }) => order.billing?.phone ?? null,
  billing_street: ({ order }) => order.billing?.street ?? null,
  billing_city: ({ order }) => order.billing?.city ?? null,
  billing_region: ({ order }) => order.billing?.region ?? null,
  billing_postal_code: ({ order }) => order.billing?.postalCode ?? null,
  billing_country: ({ order }) => order.billing?.country ?? null,
}

async function* pages(db: Database) {
  await issueInvoices(db)
  for await (const orders of pagesOf((id, limit) => selectSoldAfter(db, id, limit)))
    yield orders.flatMap((order) =>
      partsOf(order).map((part, at) => ({ order, part, isFirst: at === 0 })),
    )
}

/**
 * Exports every order as CSV for bookkeeping, oldest first: one row per order line, as sold, and one
 * per discount, shipping, fee and added tax, so that the line totals of an order add up to its total; then
 * one per refund, which has no line total.
 * The tax of each row, contained or added, is in its tax cell, with its rate and label. With the buyer's
 * e-mail, phone and address of that time, the charged currency, whether the payment was a test, the
 * number of the invoice, the number of the order, the amount, time and credit note of each refund, what is still owed, and
 * the SKU of each line.
 */
export const exportOrders = (db: Database) => csvText(COLUMNS, pages(db))
