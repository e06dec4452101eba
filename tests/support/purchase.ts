import type { Order } from '#app/orders/contract.ts'
import { paymentCalls, sandboxCalls } from '#app/payments/contract.ts'
import { openDatabase } from '#db/connect.ts'
import type { Visitor } from './journey.ts'
import { addOrder, LINE } from './orders.ts'

/** Buys these through the API, one entry a piece, and answers the order. */
export async function buy(
  { call }: Visitor,
  products: { _id: string; price: number }[],
): Promise<Order> {
  const cart = products.map(({ _id }) => ({ _id }))
  const amount = Math.round(products.reduce((sum, { price }) => sum + price * 100, 0))
  const { id } = await call(paymentCalls.startPayment, { body: { amount, cart } })
  const proof = await call(sandboxCalls.payInSandbox, { body: { razorpay_order_id: id } })
  return (await call(paymentCalls.verifyPayment, { body: { ...proof, cart } })).order
}

/** Puts an order that was paid with money into the database of the running shop, which takes tests only. */
export async function sellForMoney(
  { user: { _id: id, name }, email, token }: Visitor,
  product: { _id: string; name: string },
  quantity = LINE.quantity,
): Promise<void> {
  const { SHOP_DATABASE_URL, SHOP_DATA_DIR = '' } = process.env
  const { db, close } = await openDatabase({
    ...(SHOP_DATABASE_URL && { databaseUrl: SHOP_DATABASE_URL }),
    dataDir: SHOP_DATA_DIR,
    throughDoor: true,
  })
  const line = { ...LINE, quantity, product_id: product._id, name: product.name }
  await addOrder(db, { id, name, email, token }, { lines: [line] })
  await close()
}
