import type { Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { totalOf } from '#app/checkout/server/service.ts'
import type { OrderStatus } from '#app/orders/contract.ts'
import { creditNoteQueued } from '#app/orders/server/credit-notes/due.sql.ts'
import type { Database, Row, Schema } from '#db/schema.ts'
import type { Person } from './accounts.ts'

type Line = Omit<Insertable<Schema['order_lines']>, 'order_id' | 'position'>

const CURRENCY = 'INR'

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
}

async function addPayment(db: Database, buyer: Person, amount_minor: number, test: boolean) {
  const id = uuidv7()
  const payment = `pay_${id}`
  await db
    .insertInto('payments')
    .values({
      id,
      user_id: buyer.id,
      provider: amount_minor === 0 ? 'none' : 'sandbox',
      provider_order_id: `order_${id}`,
      test,
      state: 'paid',
      amount_minor,
      currency: CURRENCY,
    })
    .execute()
  await db
    .insertInto('captures')
    .values({
      id,
      payment_id: id,
      provider: 'sandbox',
      provider_payment_id: payment,
      amount_minor,
      currency: CURRENCY,
      confirmed_at: new Date(),
      purpose: 'order',
    })
    .execute()
  return { id, payment }
}

/** Inserts a refund of an order, which is done by default. */
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
}

/** Inserts an order with its payment, whose capture has its id, into the database; `payment` is the provider's id. */
export async function addOrder(
  db: Database,
  buyer: Person,
  { lines = [LINE], adjustments = [], status, at, test = false }: Facts = {},
): Promise<Row<'orders'> & { payment: string }> {
  const total_minor = totalOf({ lines, adjustments })
  const { id: payment_id, payment } = await addPayment(db, buyer, total_minor, test)
  const facts = { status, total_minor, currency: CURRENCY, created_at: at, test }
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
  if (!test) await db.insertInto('invoices_due').values({ order_id: order.id }).execute()
  if (adjustments.length > 0)
    await db
      .insertInto('order_adjustments')
      .values(adjustments.map((row, position) => ({ order_id: order.id, position, ...row })))
      .execute()
  return { ...order, payment }
}
