import { createHmac, randomBytes } from 'node:crypto'
import type { PaymentProof } from '#app/payments/contract.ts'

/** What the provider knows of a payment: nobody can tell it otherwise. */
export type ProviderPayment = {
  id: string
  orderId: string
  amount: number
  currency: string
  /** What the bank has promised is captured, or lapses; then it never came in. */
  status: 'authorized' | 'captured' | 'failed'
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
    /** Whoever asks with other keys finds nothing of the order. */
    forget: (orderId: string) => orders.delete(orderId),
    /** The order and what came in for it, without the fees on top. */
    order(orderId: string) {
      const order = orders.get(orderId)
      const isPaid = [...payments.values()].some(
        (payment) => payment.orderId === orderId && payment.status === 'captured',
      )
      return order && { ...order, amount_paid: isPaid ? order.amount : 0 }
    },
    /**
     * A buyer pays, a fee on top where there is one: the bank has promised the money, and the dialog
     * is handed the proof.
     */
    authorise(orderId: string, fee = 0): { payment: ProviderPayment; proof: PaymentProof } {
      const order = orders.get(orderId)
      if (!order) throw new Error(`The provider has no order ${orderId}.`)
      const amount = order.amount + fee
      const payment: ProviderPayment = {
        ...{ id: idOf('pay'), orderId, amount, currency: order.currency },
        ...{ status: 'authorized', refunded: false },
      }
      payments.set(payment.id, payment)
      const signed = createHmac('sha256', secret).update(`${orderId}|${payment.id}`)
      const proof = {
        razorpay_order_id: orderId,
        razorpay_payment_id: payment.id,
        razorpay_signature: signed.digest('hex'),
      }
      return { payment, proof }
    },
    /** What was promised is taken, as much as the order asks for; null when it cannot be. */
    capture(paymentId: string, amount?: number): ProviderPayment | null {
      const payment = payments.get(paymentId)
      const asked = payment && orders.get(payment.orderId)?.amount
      if (payment?.status !== 'authorized' || (amount ?? asked) !== asked) return null
      payment.status = 'captured'
      return payment
    },
    /** Null when it was given back before, or never came in. */
    refund(paymentId: string, amount: number): ProviderPayment | null {
      const payment = payments.get(paymentId)
      if (payment?.status !== 'captured' || payment.refunded || amount !== payment.amount)
        return null
      payment.refunded = true
      return payment
    },
  }
}
