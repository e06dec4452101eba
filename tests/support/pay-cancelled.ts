import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { paymentCalls } from '#app/payments/contract.ts'
import { sandboxCalls } from '#app/payments/server/providers/sandbox.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { createProduct, named } from './back-office.ts'
import type { Visitor } from './journey.ts'
import { SANDBOX_SECRET } from './running-shop.ts'
import { hookPath, paymentOf, report, signatureOf } from './webhook.ts'

/** Reports a captured payment as the provider of a shop with the sandbox. */
export async function reportCaptured(
  address: string,
  { id, paymentId, ...money }: { id: string; paymentId: string; amount: number; currency: string },
) {
  const text = JSON.stringify(report('payment.captured', paymentOf(id, paymentId, money)))
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': signatureOf(text, SANDBOX_SECRET),
    'x-razorpay-event-id': crypto.randomUUID(),
  }
  await fetch(`${address}${API_PREFIX}${hookPath('sandbox')}`, {
    method: 'POST',
    headers,
    body: text,
  })
}

/** A payment that the provider captures after its order was cancelled. */
export async function payCancelled({ call }: Visitor, admin: Visitor, address: string) {
  const { _id, price } = await createProduct(admin, named('Cup'))
  const body = { amount: price * 100, cart: [{ _id }] }
  const { id, currency } = await call(paymentCalls.startPayment, { body })
  const proof = await call(sandboxCalls.payInSandbox, { body: { razorpay_order_id: id } })
  const { order } = await call(paymentCalls.verifyPayment, { body: proof })
  await admin.call(orderAdminCalls.setOrderStatus, {
    params: { orderId: order._id },
    body: { status: 'cancel' },
  })
  const paymentId = proof.razorpay_payment_id
  await reportCaptured(address, { id, paymentId, amount: body.amount, currency })
}
