import { v7 as uuidv7 } from 'uuid'
import type { OrderStatus } from '#app/orders/contract.ts'
import { type CartLine, totalOf } from '#app/products/server/service.ts'
import type { Database, Row } from '#db/schema.ts'
import type { Person } from './accounts.ts'

/** Two clay cups for 39.98. */
export const LINE: CartLine = {
  product_id: uuidv7(),
  quantity: 2,
  name: 'Clay cup',
  slug: 'clay-cup',
  description: 'Holds tea.',
  price_minor: 1999,
}

type Facts = {
  lines?: CartLine[]
  status?: OrderStatus
  /** The time of the order; now by default. */
  at?: Date
  /** Whether the payment was a test. */
  test?: boolean
}

async function addPayment(db: Database, buyer: Person, amount_minor: number, test: boolean) {
  const id = uuidv7()
  const provider = { provider: 'sandbox' as const, provider_order_id: `order_${id}`, test }
  const amount = { amount_minor, currency: 'INR' }
  const paidAt = new Date()
  await db
    .insertInto('payments')
    .values({
      id,
      user_id: buyer.id,
      priced_cart: true,
      prices_until: paidAt,
      settled_at: paidAt,
      ...provider,
      ...amount,
    })
    .execute()
  const money = { id: `pay_${id}`, payment_id: id, ...amount }
  await db
    .insertInto('provider_payments')
    .values({ ...money, state: 'captured', confirmed_at: paidAt })
    .execute()
  return money
}

/** Inserts an order with its payment into the database; `payment` is the provider's id. */
export async function addOrder(
  db: Database,
  buyer: Person,
  { lines = [LINE], status, at, test = false }: Facts = {},
): Promise<Row<'orders'> & { payment: string }> {
  const total_minor = totalOf(lines)
  const { id: payment, payment_id } = await addPayment(db, buyer, total_minor, test)
  const facts = { status, total_minor, created_at: at, test }
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
  return { ...order, payment }
}
