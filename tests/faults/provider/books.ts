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
  /** What the shop has called it. */
  receipt: string
  /** How much of it is back for good, */
  givenBack: number
  /** and whether that is all. */
  refunded: boolean
}

/** A refund that the provider took on, and what became of it. */
export type ProviderRefund = {
  id: string
  paymentId: string
  amount: number
  status: 'pending' | 'processed' | 'failed'
  /** Seconds since 1970, as the provider has it. */
  createdAt: number
}

type ProviderOrder = { id: string; amount: number; currency: string; receipt: string }

/** The provider's own books: the truth about money, whatever becomes of its answers and reports. */
export type Books = ReturnType<typeof openBooks>

const idOf = (kind: string) => `${kind}_${randomBytes(7).toString('hex')}`

const sumOf = (refunds: ProviderRefund[]) => refunds.reduce((sum, { amount }) => sum + amount, 0)

export function openBooks(secret: string) {
  const orders = new Map<string, ProviderOrder>()
  const payments = new Map<string, ProviderPayment>()
  const refunds: ProviderRefund[] = []
  const refundsOf = (paymentId?: string) =>
    refunds.filter((refund) => paymentId === undefined || refund.paymentId === paymentId)
  const givenBack = (paymentId: string) =>
    sumOf(refundsOf(paymentId).filter(({ status }) => status !== 'failed'))
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
        ...{ id: idOf('pay'), orderId, amount, currency: order.currency, receipt: order.receipt },
        ...{ status: 'authorized', givenBack: 0, refunded: false },
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
    /** The bank lets go of what it has only promised. */
    letGo(paymentId: string) {
      const payment = payments.get(paymentId)
      if (payment?.status === 'authorized') payment.status = 'failed'
    },
    /** Never taken from its buyer: the bank let go of it, or will, for the order had another payment. */
    isNobodys: ({ id, orderId, status }: ProviderPayment) =>
      status === 'failed' ||
      (status === 'authorized' &&
        [...payments.values()].some(
          (other) => other.orderId === orderId && other.id !== id && other.status === 'captured',
        )),
    /** The refunds of a payment, or of all, the newest first. */
    refundsOf,
    /** What is back of a payment, or on its way. */
    givenBack,
    /** Takes a refund on; null when so much is not there any more. */
    takeOn(paymentId: string, amount: number): ProviderRefund | null {
      const payment = payments.get(paymentId)
      if (payment?.status !== 'captured' || givenBack(paymentId) + amount > payment.amount)
        return null
      const createdAt = Math.floor(Date.now() / 1000)
      const refund: ProviderRefund = {
        ...{ id: idOf('rfnd'), paymentId, amount, status: 'pending', createdAt },
      }
      refunds.unshift(refund)
      return refund
    },
    /** What becomes of a refund; answers whose it was. */
    finish(refund: ProviderRefund, status: 'processed' | 'failed'): ProviderPayment {
      const payment = payments.get(refund.paymentId)
      if (!payment) throw new Error(`The provider has no payment ${refund.paymentId}.`)
      refund.status = status
      const back = refundsOf(payment.id).filter((one) => one.status === 'processed')
      payment.givenBack = sumOf(back)
      payment.refunded = payment.givenBack === payment.amount
      return payment
    },
  }
}
