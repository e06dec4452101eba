import { createHmac, randomBytes } from 'node:crypto'
import type { PaymentProof } from '#app/payments/contract.ts'

/** What the provider knows of a payment: nobody can tell it otherwise. */
export type ProviderPayment = {
  id: string
  orderId: string
  amount: number
  currency: string
  refunded: boolean
}

type ProviderOrder = { id: string; amount: number; currency: string; receipt: string }

/** The provider's own books: the truth about money, whatever becomes of its answers and reports. */
export type Books = ReturnType<typeof openBooks>

const idOf = (kind: string) => `${kind}_${randomBytes(7).toString('hex')}`

export function openBooks(secret: string) {
  const orders = new Map<string, ProviderOrder>()
  const payments = new Map<string, ProviderPayment>()
  return {
    payments,
    open(demand: Omit<ProviderOrder, 'id'>): ProviderOrder {
      const order = { ...demand, id: idOf('order') }
      orders.set(order.id, order)
      return order
    },
    paymentsOf: (orderId: string) =>
      [...payments.values()].filter((payment) => payment.orderId === orderId),
    /** A buyer pays: the money is taken, and the dialog is handed the proof. */
    capture(orderId: string): { payment: ProviderPayment; proof: PaymentProof } {
      const order = orders.get(orderId)
      if (!order) throw new Error(`The provider has no order ${orderId}.`)
      const { amount, currency } = order
      const payment = { id: idOf('pay'), orderId, amount, currency, refunded: false }
      payments.set(payment.id, payment)
      const signed = createHmac('sha256', secret).update(`${orderId}|${payment.id}`)
      const proof = {
        razorpay_order_id: orderId,
        razorpay_payment_id: payment.id,
        razorpay_signature: signed.digest('hex'),
      }
      return { payment, proof }
    },
    /** Null when it was given back before, or never came in. */
    refund(paymentId: string, amount: number): ProviderPayment | null {
      const payment = payments.get(paymentId)
      if (!payment || payment.refunded || amount !== payment.amount) return null
      payment.refunded = true
      return payment
    },
  }
}
