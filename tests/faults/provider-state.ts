import { createHmac, randomBytes } from 'node:crypto'
import type { PaymentProof } from '#app/payments/contract.ts'

/** A payment as the provider has it. */
export type ProviderPayment = {
  id: string
  orderId: string
  amount: number
  currency: string
  status: 'authorized' | 'captured' | 'failed'
  /** The shop's id of the payment. */
  receipt: string
  refundedAmount: number
  /** Whether all of it is refunded. */
  refunded: boolean
}

export type ProviderRefund = {
  id: string
  paymentId: string
  amount: number
  status: 'pending' | 'processed' | 'failed'
}

type ProviderOrder = { id: string; amount: number; currency: string; receipt: string }

/** The provider's own records: the truth about money, independent of answers and webhooks. */
export type ProviderState = ReturnType<typeof openProviderState>

const newId = (kind: string) => `${kind}_${randomBytes(7).toString('hex')}`

const sumOf = (refunds: ProviderRefund[]) => refunds.reduce((sum, { amount }) => sum + amount, 0)

export function openProviderState(secret: string) {
  const orders = new Map<string, ProviderOrder>()
  const payments = new Map<string, ProviderPayment>()
  const refunds: ProviderRefund[] = []
  const paymentsOf = (orderId: string) =>
    [...payments.values()].filter((payment) => payment.orderId === orderId)
  const refundsOf = (paymentId: string) =>
    refunds.filter((refund) => refund.paymentId === paymentId)
  const requestedOf = (paymentId: string) =>
    sumOf(refundsOf(paymentId).filter(({ status }) => status !== 'failed'))
  return {
    payments,
    createOrder(request: Omit<ProviderOrder, 'id'>): ProviderOrder {
      const order = { ...request, id: newId('order') }
      orders.set(order.id, order)
      return order
    },
    paymentsOf,
    /** Removes an order, as if it belonged to other keys. */
    removeOrder: (orderId: string) => orders.delete(orderId),
    /** The order with the paid amount, without fees. */
    order(orderId: string) {
      const order = orders.get(orderId)
      const isPaid = paymentsOf(orderId).some(({ status }) => status === 'captured')
      return order && { ...order, amount_paid: isPaid ? order.amount : 0 }
    },
    /** A buyer pays the order, and a fee: the bank authorises it, and the dialog gets the proof. */
    authorise(orderId: string, fee = 0): { payment: ProviderPayment; proof: PaymentProof } {
      const order = orders.get(orderId)
      if (!order) throw new Error(`The provider has no order ${orderId}.`)
      const payment: ProviderPayment = {
        id: newId('pay'),
        orderId,
        amount: order.amount + fee,
        currency: order.currency,
        receipt: order.receipt,
        status: 'authorized',
        refundedAmount: 0,
        refunded: false,
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
    /** Captures an authorised payment; null when it cannot be, or the amount is not the order's. */
    capture(paymentId: string, amount?: number): ProviderPayment | null {
      const payment = payments.get(paymentId)
      const expected = payment && orders.get(payment.orderId)?.amount
      if (payment?.status !== 'authorized' || (amount ?? expected) !== expected) return null
      payment.status = 'captured'
      return payment
    },
    /** The refunds of a payment, the newest first. */
    refundsOf,
    /** Accepts a refund; null when that much is not left to refund. */
    acceptRefund(paymentId: string, amount: number): ProviderRefund | null {
      const payment = payments.get(paymentId)
      if (payment?.status !== 'captured' || requestedOf(paymentId) + amount > payment.amount)
        return null
      const refund: ProviderRefund = { id: newId('rfnd'), paymentId, amount, status: 'pending' }
      refunds.unshift(refund)
      return refund
    },
    /** Ends a refund and answers its payment. */
    endRefund(refund: ProviderRefund, status: 'processed' | 'failed'): ProviderPayment {
      const payment = payments.get(refund.paymentId)
      if (!payment) throw new Error(`The provider has no payment ${refund.paymentId}.`)
      refund.status = status
      payment.refundedAmount = sumOf(
        refundsOf(payment.id).filter((one) => one.status === 'processed'),
      )
      payment.refunded = payment.refundedAmount === payment.amount
      return payment
    },
  }
}
