import { createHmac, randomUUID } from 'node:crypto'
import { SECRET } from './payments.ts'
import type { TestShop } from './shop.ts'

/** Signs webhooks, of the sandbox in test shops and of Razorpay where a test sets it. */
export const HOOK_SECRET = SECRET
/** The webhook of a provider. */
export const hookPath = (name: string) => `/payment/webhook/${name}`

type Facts = { amount?: number; currency?: string; error_description?: string }

/** A payment in Razorpay's format. */
export const paymentOf = (order_id: string, id = `pay_${randomUUID()}`, facts: Facts = {}) => ({
  id,
  entity: 'payment',
  order_id,
  amount: 1250,
  currency: 'INR',
  status: 'captured',
  ...facts,
})
type Payment = ReturnType<typeof paymentOf>

export const report = (event: string, payment: Payment) => ({
  entity: 'event',
  account_id: 'acc_1',
  event,
  contains: ['payment'],
  payload: { payment: { entity: payment }, order: { entity: { id: payment.order_id } } },
})

export const refundReport = (event: string, payment: Payment, amount = payment.amount) => ({
  entity: 'event',
  event,
  contains: ['refund', 'payment'],
  payload: {
    payment: { entity: payment },
    refund: { entity: { id: 'rfnd_1', payment_id: payment.id, amount } },
  },
})

export const signatureOf = (text: string, secret = HOOK_SECRET) =>
  createHmac('sha256', secret).update(text).digest('hex')

/** Sends webhooks like the provider of the shop; `headers` replaces its own. */
export function provider(shop: TestShop) {
  const nameOf = () => (shop.config.RAZORPAY_KEY_ID ? 'razorpay' : 'sandbox')
  const send = (text: string, headers: Record<string, string> = {}) =>
    shop.app.inject({
      method: 'POST',
      url: `/api/v1${hookPath(nameOf())}`,
      headers: {
        'content-type': 'application/json',
        'x-razorpay-signature': signatureOf(text),
        'x-razorpay-event-id': randomUUID(),
        ...headers,
      },
      payload: text,
    })
  /** Returns the status and the body of the response. */
  const tell = async (event: object, headers?: Record<string, string>) => {
    const reply = await send(JSON.stringify(event), headers)
    return [reply.statusCode, reply.json()]
  }
  return { send, tell }
}
