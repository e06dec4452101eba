/** The merchant's account at Razorpay: the truth about money, whatever is answered or reported. */
import type { PaymentProof } from '#app/payments/contract.ts'
import { signatureOf } from '../webhook.ts'
import { openDisputes } from './disputes.ts'
import {
  minimumOf,
  type NewId,
  nowInSeconds,
  type Order,
  type Payment,
  REFUSALS,
  type Refund,
  Refusal,
  randomId,
} from './entities.ts'
import { openRefunds } from './refunds.ts'
import type { Report } from './webhooks.ts'

const MAXIMUM_MINOR = 50_000_000
const CURRENCIES = ['INR', 'USD', 'EUR', 'GBP', 'MYR', 'SGD', 'AED', 'AUD', 'CAD', 'JPY', 'KWD']
/** A payment is captured automatically when the bank authorises it within so many minutes. */
const AUTOMATIC_MINUTES = 12

type Amount = { amount: number; currency: string }
export type OrderRequest = Amount & {
  receipt?: string
  notes?: object
  payment?: { capture?: string; capture_options?: { automatic_expiry_period?: number } }
}

type Capture = { isAutomatic: boolean; minutes: number }

/** Deviations of the account from its documentation. */
export type Rules = {
  maximumMinor: number
  /** Whether a paid order can be paid again, and a second payment stays captured; Razorpay ends it. */
  takesSecondPayments: boolean
  canCapture: boolean
}

export function checkAmount({ amount, currency }: Amount, maximumMinor: number) {
  if (!CURRENCIES.includes(currency)) throw new Refusal(REFUSALS.currency, { field: 'currency' })
  if (!Number.isInteger(amount))
    throw new Refusal('The amount must be an integer.', { field: 'amount' })
  if (amount < minimumOf(currency))
    throw new Refusal(REFUSALS.minimum(currency), { field: 'amount' })
  if (amount > maximumMinor) throw new Refusal(REFUSALS.maximum, { field: 'amount' })
}

export type Account = ReturnType<typeof openAccount>

type Options = {
  secret: string
  report: Report
  newId?: NewId
  /** Called with a refund that the shop has asked for, once it is accepted. */
  onRefund?: (refund: Refund) => void
}

/** Opens an account; `report` gets its events, `secret` signs the proofs of payments. */
export function openAccount({ secret, report, newId = randomId, onRefund = () => {} }: Options) {
  const orders = new Map<string, Order>()
  const payments = new Map<string, Payment>()
  const captures = new Map<string, Capture>()
  const rules: Rules = { maximumMinor: MAXIMUM_MINOR, takesSecondPayments: false, canCapture: true }

  const orderWith = (id: string): Order => {
    const order = orders.get(id)
    if (!order) throw new Refusal(REFUSALS.unknown)
    return order
  }
  const paymentWith = (id: string): Payment => {
    const payment = payments.get(id)
    if (!payment) throw new Refusal(REFUSALS.unknown)
    return payment
  }
  const disputing = openDisputes({ paymentWith, report, newId })
  const refunding = openRefunds({
    paymentWith,
    report,
    newId,
    onRefund,
    isDisputed: disputing.isDisputed,
  })

  function createOrder(request: OrderRequest): Order {
    checkAmount(request, rules.maximumMinor)
    const { amount, currency, receipt = null, notes = {}, payment } = request
    const order: Order = {
      id: newId('order'),
      entity: 'order',
      amount,
      amount_paid: 0,
      amount_due: amount,
      currency,
      receipt,
      status: 'created',
      attempts: 0,
      notes,
      created_at: nowInSeconds(),
    }
    orders.set(order.id, order)
    const minutes = payment?.capture_options?.automatic_expiry_period ?? AUTOMATIC_MINUTES
    captures.set(order.id, { isAutomatic: payment?.capture !== 'manual', minutes })
    return order
  }

  const paymentsOf = (orderId: string) =>
    [...payments.values()].filter(({ order_id }) => order_id === orderId)

  /** The payment's proof, as the dialog gives it to the browser. */
  const proofOf = ({ id, order_id }: Payment): PaymentProof => ({
    razorpay_order_id: order_id,
    razorpay_payment_id: id,
    razorpay_signature: signatureOf(`${order_id}|${id}`, secret),
  })

  /** A buyer tries to pay: the order's amount, and perhaps a fee of the provider. */
  function attempt(orderId: string, fee: number): Payment {
    const order = orderWith(orderId)
    if (order.status === 'paid' && !rules.takesSecondPayments) throw new Refusal(REFUSALS.orderPaid)
    const payment: Payment = {
      id: newId('pay'),
      entity: 'payment',
      order_id: orderId,
      amount: order.amount + fee,
      currency: order.currency,
      status: 'failed',
      captured: false,
      amount_refunded: 0,
      refund_status: null,
      error_code: null,
      error_description: null,
      created_at: nowInSeconds(),
    }
    order.attempts += 1
    if (order.status === 'created') order.status = 'attempted'
    payments.set(payment.id, payment)
    return payment
  }

  /** The bank authorises a payment, at once or after it has failed. */
  function authorise(payment: Payment): Payment {
    if (payment.status !== 'failed') throw new Error(`${payment.id} is ${payment.status}.`)
    Object.assign(payment, { status: 'authorized', error_code: null, error_description: null })
    report('payment.authorized', { payment })
    return payment
  }

  /** Captures an authorised payment, of its order's amount. Throws a refusal. */
  function capture(id: string, amount?: number): Payment {
    const payment = paymentWith(id)
    const order = orderWith(payment.order_id)
    if (payment.captured) throw new Refusal(REFUSALS.alreadyCaptured)
    if (payment.status !== 'authorized' || !rules.canCapture)
      throw new Refusal(REFUSALS.notAuthorised)
    // without the fee of the provider
    const own = Math.min(payment.amount, order.amount)
    if ((amount ?? own) !== own) throw new Refusal(REFUSALS.captureAmount)
    if (order.status === 'paid' && !rules.takesSecondPayments) {
      refunding.release(payment)
      throw new Refusal(REFUSALS.orderPaid)
    }
    Object.assign(payment, { status: 'captured', captured: true })
    report('payment.captured', { payment })
    // the shop allows no partial payments: a smaller one does not add up with another
    const amount_due = Math.min(order.amount - own, order.amount_due)
    Object.assign(order, { amount_due, amount_paid: order.amount - amount_due })
    if (amount_due > 0) return payment
    order.status = 'paid'
    report('order.paid', { payment, order })
    return payment
  }

  /** Captures a payment that the bank authorised so many minutes after the attempt, where the order says so. */
  function captureAutomatically(payment: Payment, minutes = 0) {
    const { isAutomatic = true, minutes: max = 0 } = captures.get(payment.order_id) ?? {}
    const { status } = orderWith(payment.order_id)
    if (!isAutomatic || minutes > max) return
    if (status === 'paid' && !rules.takesSecondPayments) refunding.release(payment)
    else capture(payment.id)
  }

  /** The bank refuses a payment. */
  function decline(payment: Payment, error_description: string): Payment {
    Object.assign(payment, { status: 'failed', error_code: 'BAD_REQUEST_ERROR', error_description })
    report('payment.failed', { payment })
    return payment
  }

  return {
    rules,
    orders,
    payments,
    orderWith,
    paymentWith,
    paymentsOf,
    createOrder,
    attempt,
    authorise,
    capture,
    captureAutomatically,
    decline,
    proofOf,
    /** Removes an order with its payments, as if they belonged to other keys. */
    remove(orderId: string) {
      orders.delete(orderId)
      for (const { id } of paymentsOf(orderId)) payments.delete(id)
    },
    /** Moves a payment back in time. */
    backdate(paymentId: string, days: number) {
      paymentWith(paymentId).created_at -= days * 24 * 60 * 60
    },
    ...refunding,
    ...disputing,
  }
}
