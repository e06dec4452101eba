import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type Order, orderCalls } from '#app/orders/contract.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { paymentCalls } from '#app/payments/contract.ts'
import { sandboxCalls } from '#app/payments/server/providers/sandbox.ts'
import { openDatabase } from '#db/connect.ts'
import { addMoneyOrder, type MoneyOrder, socketAt } from './add-money-order.ts'
import { expect, type Visitor } from './journey.ts'
import { LINE } from './orders.ts'

/** Buys products through the API, one entry a piece, and returns the order. */
export async function buy(
  { call }: Pick<Visitor, 'call'>,
  products: { _id: string; price: number }[],
): Promise<Order> {
  const cart = products.map(({ _id }) => ({ _id }))
  const amount = Math.round(products.reduce((sum, { price }) => sum + price * 100, 0))
  const { id } = await call(paymentCalls.startPayment, { body: { amount, cart } })
  const proof = await call(sandboxCalls.payInSandbox, { body: { razorpay_order_id: id } })
  return (await call(paymentCalls.verifyPayment, { body: { ...proof, cart } })).order
}

/** Inserts an order into the embedded database of the running shop (see money-orders.ts). */
async function sendOrder(socketPath: string, order: MoneyOrder) {
  const sending = request({ socketPath, method: 'POST' }).end(JSON.stringify(order))
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`The order was answered ${answer.statusCode}.`)
  answer.resume()
}

/**
 * Inserts an order paid with money into the database of the running shop, or of the own one at an
 * address, which take only test payments.
 */
export async function sellForMoney(
  { user: { _id: id, name }, email, token }: Visitor,
  product: { _id: string; name: string },
  { quantity = LINE.quantity, refundRefused = false, address = '' } = {},
): Promise<void> {
  const { SHOP_DATABASE_URL: databaseUrl, SHOP_MONEY_ORDERS: socket = '' } = process.env
  const buyer = { id, name, email, token }
  const lines = [{ ...LINE, quantity, product_id: product._id, name: product.name }]
  const order = { buyer, lines, refundRefused }
  if (address) return sendOrder(socketAt(address), order)
  if (!databaseUrl) return sendOrder(socket, order)
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  await addMoneyOrder(db, order).finally(close)
}

/** Sells a product for money, refunds a part of it, and waits until its credit note is issued. */
export async function sellAndRefund(
  { admin, customer, address }: { admin: Visitor; customer: Visitor; address?: string },
  product: { _id: string; name: string },
): Promise<{ order: Order; creditNote: number }> {
  await sellForMoney(customer, product, address ? { address } : {})
  const newest = async () => (await customer.call(orderCalls.getOrders, { query: {} }))[0]
  const order = await newest()
  if (!order) throw new Error('There is no order.')
  await admin.call(paymentAdminCalls.refundOrder, {
    params: { orderId: order._id },
    body: { amount: 2.5, reason: 'A cup was cracked.' },
  })
  let creditNote = 0
  await expect
    .poll(async () => {
      creditNote = (await newest())?.refunds?.[0]?.creditNote ?? 0
      return creditNote
    })
    .toBeGreaterThan(0)
  return { order, creditNote }
}
