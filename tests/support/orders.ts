import type { Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { totalOf } from '#app/checkout/server/service.ts'
import type { OrderStatus, PaymentMethod } from '#app/orders/contract.ts'
import { creditNoteQueued } from '#app/orders/server/documents-due.sql.ts'
import type { Database, Row, Schema } from '#db/schema.ts'
import type { Person } from './accounts.ts'

type Line = Omit<Insertable<Schema['order_lines']>, 'order_id' | 'position'>

/** The currency of the shop, which an unstarted one does not have yet. */
const currencyOf = async (db: Database): Promise<string> => {
  const shop = await db.selectFrom('settings').select('currency').executeTakeFirst()
  return shop?.currency ?? 'INR'
}

/** Two clay cups for 39.98. */
export const LINE: Line = {
  product_id: uuidv7(),
  quantity: 2,
  name: 'Clay cup',
  slug: 'clay-cup',
  description: 'Holds tea.',
  price_minor: 1999,
}

type Adjustment = Omit<Row<'order_adjustments'>, 'order_id' | 'position'>

type Facts = {
  lines?: Line[]
  adjustments?: Adjustment[]
  status?: OrderStatus
  /** The time of the order; now by default. */
  at?: Date
  /** Whether the payment was a test. */
  test?: boolean
  /** Of an order that is not paid in full. */
  unpaid?: Unpaid
}

type Unpaid = {
  method: PaymentMethod
  dueAt: Date
  /** What came in, in minor units. */
  received?: number
}

async function addPayment(
  db: Database,
  buyer: Person,
  amount_minor: number,
  { test = false, unpaid }: Facts,
) {
  const id = uuidv7()
  const currency = await currencyOf(db)
  const payment = `pay_${id}`
  const provider = unpaid?.method ?? 'sandbox'
  const received = unpaid ? (unpaid.received ?? 0) : amount_minor
  await db
    .insertInto('payments')
    .values({
      id,
      user_id: buyer.id,
      provider: amount_minor === 0 ? 'none' : provider,
      provider_order_id: `order_${id}`,
      test,
      state: unpaid ? 'owed' : 'paid',
      due_at: unpaid?.dueAt,
      amount_minor,
      currency,
    })
    .execute()
  if (unpaid && received === 0) return { id, payment, currency }
  await db
    .insertInto('captures')
    .values({
      // refunds refer to it, which an unpaid order has none of
      id: unpaid ? uuidv7() : id,
      payment_id: id,
      provider,
      provider_payment_id: payment,
      amount_minor: received,
      currency,
      confirmed_at: new Date(),
      purpose: 'order',
    })
    .execute()
  return { id, payment, currency }
}

/** Inserts a refund of an order, which is done by default, and returns its id. */
export async function addRefund(
  db: Database,
  { payment_id }: { payment_id: string },
  amount_minor: number,
  facts: Partial<Insertable<Schema['refunds']>> = { state: 'done', done_at: new Date() },
) {
  const id = uuidv7()
  await db
    .insertInto('refunds')
    .values({ id, capture_id: payment_id, amount_minor, state: 'pending', ...facts })
    .execute()
  await creditNoteQueued(id).execute(db)
  return id
}

/** Inserts an order with its payment, whose capture has its id, into the database; `payment` is the provider's id. */
export async function addOrder(
  db: Database,
  buyer: Person,
  given: Facts = {},
): Promise<Row<'orders'> & { payment: string }> {
  const { lines = [LINE], adjustments = [], status, at, test = false, unpaid } = given
  const total_minor = totalOf({ lines, adjustments })
  const { id: payment_id, payment, currency } = await addPayment(db, buyer, total_minor, given)
  const facts = { status, total_minor, currency, created_at: at, test }
  const snapshot = {
    buyer_email: buyer.email,
    buyer_phone: '555 0100',
    buyer_address: '1 Market Lane',
  }
  const order = await db
    .insertInto('orders')
    .values({
      id: uuidv7(),
      payment_id,
      user_id: buyer.id,
      buyer_name: buyer.name,
      ...snapshot,
      ...facts,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .insertInto('order_lines')
    .values(lines.map((line, position) => ({ order_id: order.id, position, ...line })))
    .execute()
  if (!(test || unpaid))
    await db.insertInto('invoices_due').values({ order_id: order.id }).execute()
  if (adjustments.length > 0)
    await db
      .insertInto('order_adjustments')
      .values(adjustments.map((row, position) => ({ order_id: order.id, position, ...row })))
      .execute()
  return { ...order, payment }
}
