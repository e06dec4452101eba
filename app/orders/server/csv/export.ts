import { type CsvRow, csvText } from '#app/shared/server/csv/write.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { Database } from '#db/schema.ts'
import { selectOrdersAfter, selectSoldOf } from './store.ts'

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
]

type Order = Awaited<ReturnType<typeof selectOrdersAfter>>[number]
type Sold = Awaited<ReturnType<typeof selectSoldOf>>[number]

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

const cellsOf = (order: Order, line: Sold): CsvRow => [
  order.id,
  order.created_at.toISOString(),
  order.status,
  order.buyer_name,
  order.buyer_email,
  order.provider_payment_id,
  line.name,
  line.quantity,
  toMajor(line.price_minor),
  toMajor(line.price_minor * line.quantity),
  order.currency,
  order.buyer_phone,
  order.buyer_address,
  order.test ? 'yes' : 'no',
  ...deliveryCells(order),
]

async function rowsOf(db: Database, orders: Order[]) {
  const lines = await selectSoldOf(
    db,
    orders.map(({ id }) => id),
  )
  const byOrder = Map.groupBy(lines, ({ order_id }) => order_id)
  return orders.flatMap((order) =>
    (byOrder.get(order.id) ?? []).map((line) => cellsOf(order, line)),
  )
}

async function* pages(db: Database) {
  let orders = await selectOrdersAfter(db, null, PAGE)
  while (orders.length > 0) {
    yield await rowsOf(db, orders)
    orders = await selectOrdersAfter(db, orders.at(-1)?.id ?? null, PAGE)
  }
}

/**
 * Exports every order as CSV for bookkeeping, oldest first: one row per order line, as sold, with
 * the buyer's e-mail, phone and address of that time, the charged currency, and whether the payment
 * was a test.
 */
export const exportOrders = (db: Database) => csvText(COLUMNS, pages(db))
