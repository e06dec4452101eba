import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PaymentProof } from '#app/payments/contract.ts'
import { notFound } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentProvider } from './provider.ts'
import {
  insertPaid,
  markSandboxRefunded,
  selectOrder,
  selectPaid,
  selectSandboxRefunded,
} from './sandbox-store.ts'

export type Sandbox = PaymentProvider & {
  name: 'sandbox'
  /** Acts as the customer's bank: a signed payment of the order. */
  pay(providerOrderId: string): Promise<PaymentProof>
}

export const SANDBOX_SCRIPT = '/payment/sandbox/checkout.js'

const randomId = (kind: 'order' | 'pay') => `${kind}_${randomBytes(12).toString('hex')}`

async function orderOf(db: Database, orderId: string) {
  const order = await selectOrder(db, orderId)
  if (!order) throw notFound('The sandbox has no such order.')
  return order
}

/**
 * A provider inside the shop with Razorpay's contract, which moves no money. It stores the payments
 * made in its own dialog.
 */
export function sandbox(secret: string, apiPrefix: string, db: Database): Sandbox {
  const sign = (orderId: string, paymentId: string) =>
    createHmac('sha256', secret).update(`${orderId}|${paymentId}`).digest('hex')
  return {
    name: 'sandbox',
    mode: 'test',
    publicKey: 'rzp_sandbox',
    checkoutScript: apiPrefix + SANDBOX_SCRIPT,
    paymentLink: () => null,
    chooseOrderId: () => randomId('order'),
    allowsRetries: () => true,
    createOrder: async () => randomId('order'),
    verifySignature({ razorpay_order_id, razorpay_payment_id, razorpay_signature }) {
      const given = Buffer.from(razorpay_signature)
      const right = Buffer.from(sign(razorpay_order_id, razorpay_payment_id))
      const signed = given.length === right.length && timingSafeEqual(given, right)
      return signed && razorpay_payment_id.startsWith('pay_')
    },
    paymentsOf: (orderId) => selectPaid(db, orderId),
    // sandbox payments are never only authorised
    capture: async () => false,
    orderOf: (orderId) => orderOf(db, orderId),
    // refunds are processed at once, also of payments that were only signed
    async refund(paymentId, { storedMinor, totalRefundMinor }) {
      const refundedMinor = totalRefundMinor ?? storedMinor
      await markSandboxRefunded(db, paymentId, refundedMinor)
      return {
        amountMinor: storedMinor,
        refundedMinor,
        pendingMinor: 0,
        refundId: null,
        failedIds: [],
      }
    },
    refundProgress: async (paymentId) => ({
      refundedMinor: await selectSandboxRefunded(db, paymentId),
      pendingMinor: 0,
      refundId: null,
      failedIds: [],
    }),
    async pay(razorpay_order_id) {
      const razorpay_payment_id = randomId('pay')
      await insertPaid(db, { id: razorpay_payment_id, provider_order_id: razorpay_order_id })
      const razorpay_signature = sign(razorpay_order_id, razorpay_payment_id)
      return { razorpay_order_id, razorpay_payment_id, razorpay_signature }
    },
  }
}
