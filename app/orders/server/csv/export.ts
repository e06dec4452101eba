import { type CsvRow, csvText } from '#app/shared/server/csv/write.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { Database } from '#db/schema.ts'
import { issueInvoices } from '../invoices/issue.ts'
import { percentOf } from '../percent.ts'
import { selectAdjustmentsOf, selectOrdersAfter, selectSoldOf } from './store.ts'

/** Orders in memory at a time. */
const PAGE = 500

const COLUMNS = [
  'order_id',
  'date',
  'status',
  'buyer',
  'email',
  'payment_id',
  'product',
  'pieces',
  'unit_price',
  'line_total',
  'currency',
  'phone',
  'address',
  'test',
  'recipient',
  'recipient_phone',
  'street',
  'city',
  'region',
  'postal_code',
  'country',
  'kind',
  'discount',
  'tax',
  'tax_rate',
  'invoice',
  'refunded',
  'tax_label',
  'order_number',
]

type Order = Awaited<ReturnType<typeof selectOrdersAfter>>[number]
type SoldLine = Awaited<ReturnType<typeof selectSoldOf>>[number]
type Adjustment = Awaited<ReturnType<typeof selectAdjustmentsOf>>[number]

/** The delivery address in parts; empty cells when the order has only the text. */
const deliveryCells = ({ delivery }: Order): CsvRow => [
  delivery?.name ?? '',
  delivery?.phone ?? '',
  delivery?.street ?? '',
  delivery?.city ?? '',
  delivery?.region ?? '',
  delivery?.postalCode ?? '',
  delivery?.country ?? '',
]

/** The cells that differ between the rows of an order; money in minor units. */
type Part = {
  kind: 'product' | Adjustment['kind']
  name: string
  pieces: number
  priceMinor: number
  /** Its share of the discounts, which have rows of their own. */
  discountMinor?: number
  taxMinor?: number
  rate?: number | null
  /** The name and rate of the tax, as on the invoice. */
  taxLabel?: string | undefined
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

const partOfLine = (line: SoldLine, adjustments: Adjustment[]): Part => ({
  kind: 'product',
  name: line.name,
  pieces: line.quantity,
  priceMinor: line.price_minor,
  discountMinor: line.discount_minor,
  taxMinor: line.tax_minor,
  rate: line.tax_rate,
  taxLabel: labelOfRate(adjustments, line.tax_rate),
})

/** A tax row has no tax cell: its tax is in the rows of the products and of shipping. */
function partOfAdjustment({ kind, label, ...row }: Adjustment, all: Adjustment[]): Part {
  const part: Part = { kind, name: label, pieces: 1, priceMinor: row.amount_minor }
  if (kind === 'tax') return { ...part, taxLabel: label }
  if (kind === 'discount') return part
  return {
    ...part,
    taxMinor: row.tax_minor,
    rate: row.tax_rate,
    taxLabel: labelOfRate(all, row.tax_rate),
  }
}

/** The rows of an order: its lines, and the adjustments that its prices do not contain. */
function partsOf(lines: SoldLine[], adjustments: Adjustment[]): Part[] {
  const added = adjustments.filter(({ is_included }) => !is_included)
  return [
    ...lines.map((line) => partOfLine(line, adjustments)),
    ...added.map((row) => partOfAdjustment(row, adjustments)),
  ]
}

const cellOf = (minor: number | undefined) => (minor === undefined ? '' : toMajor(minor))

/** A row of an order. The first one has what was refunded of the order, so that the column adds up. */
const cellsOf = (order: Order, part: Part, isFirst: boolean): CsvRow => [
  order.id,
  order.created_at.toISOString(),
  order.status,
  order.buyer_name,
  order.buyer_email,
  order.provider_payment_id,
  part.name,
  part.pieces,
  toMajor(part.priceMinor),
  toMajor(part.priceMinor * part.pieces),
  order.currency,
  order.buyer_phone,
  order.buyer_address,
  order.test ? 'yes' : 'no',
  ...deliveryCells(order),
  part.kind,
  cellOf(part.discountMinor),
  cellOf(part.taxMinor),
  part.rate == null ? '' : percentOf(part.rate),
  order.invoice_number ?? '',
  isFirst ? toMajor(order.refunded_minor) : '',
  part.taxLabel ?? '',
  order.number,
]

async function rowsOf(db: Database, orders: Order[]) {
  const ids = orders.map(({ id }) => id)
  const [lines, adjustments] = await Promise.all([
    selectSoldOf(db, ids),
    selectAdjustmentsOf(db, ids),
  ])
  const linesOf = Map.groupBy(lines, ({ order_id }) => order_id)
  const adjustmentsOf = Map.groupBy(adjustments, ({ order_id }) => order_id)
  return orders.flatMap((order) =>
    partsOf(linesOf.get(order.id) ?? [], adjustmentsOf.get(order.id) ?? []).map((part, at) =>
      cellsOf(order, part, at === 0),
    ),
  )
}

async function* pages(db: Database) {
  await issueInvoices(db)
  let orders = await selectOrdersAfter(db, null, PAGE)
  while (orders.length > 0) {
    yield await rowsOf(db, orders)
    orders = await selectOrdersAfter(db, orders.at(-1)?.id ?? null, PAGE)
  }
}

/**
 * Exports every order as CSV for bookkeeping, oldest first: one row per order line, as sold, and one
 * per discount, shipping and added tax, so that the line totals of an order add up to what was paid.
 * The tax of each row, contained or added, is in its tax cell, with its rate and label. With the buyer's
 * e-mail, phone and address of that time, the charged currency, whether the payment was a test, the
 * number of the invoice, the refunded amount, and the number of the order.
 */
export const exportOrders = (db: Database) => csvText(COLUMNS, pages(db))
