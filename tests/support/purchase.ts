import type { Order } from '#app/orders/contract.ts'
import { paymentCalls, sandboxCalls } from '#app/payments/contract.ts'
import type { Visitor } from './journey.ts'

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
