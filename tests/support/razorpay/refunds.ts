/** Refunds at Razorpay: asked for by the shop, made in the dashboard, or of money that nobody captured. */
import { isDeepStrictEqual } from 'node:util'
import {
  minimumOf,
  type NewId,
  nowInSeconds,
  type Payment,
  REFUSALS,
  type Refund,
  Refusal,
} from './entities.ts'
import type { Report } from './webhooks.ts'

const SIX_MONTHS_SECONDS = 182 * 24 * 60 * 60
const KEY = /^[A-Za-z0-9_-]{10,}$/

export type RefundRequest = { amount?: number; receipt?: string; notes?: object; speed?: string }

type Options = {
  paymentWith: (id: string) => Payment
  report: Report
  isDisputed: (paymentId: string) => boolean
  newId: NewId
  /** Called with a refund that the shop has asked for, once it is accepted. */
  onRefund: (refund: Refund) => void
}

/** A request with an idempotency key. */
type Keyed = { request: object; refund: Refund | null; isInProgress: boolean }

const sumOf = (refunds: Refund[]) => refunds.reduce((sum, { amount }) => sum + amount, 0)

/** The refunds of an account. */
export function openRefunds({ paymentWith, report, isDisputed, newId, onRefund }: Options) {
  /** The newest first. */
  const refunds: Refund[] = []
  const madeAt = new WeakMap<Refund, number>()
  const byKey = new Map<string, Keyed>()
  const lists = { lagMs: 0, lacking: new Set<Refund>() }

  const refundsOf = (paymentId: string) =>
    refunds.filter(({ payment_id }) => payment_id === paymentId)
  const notFailed = (paymentId: string) =>
    refundsOf(paymentId).filter(({ status }) => status !== 'failed')
  const isListed = (refund: Refund) =>
    !lists.lacking.has(refund) && Date.now() - (madeAt.get(refund) ?? 0) >= lists.lagMs

  /** Writes into the payment what is refunded of it. */
  function update(payment: Payment) {
    const amount_refunded = sumOf(notFailed(payment.id))
    const isWhole = amount_refunded >= payment.amount
    const isPartial = amount_refunded > 0
    payment.amount_refunded = amount_refunded
    payment.refund_status = isWhole ? 'full' : isPartial ? 'partial' : null
    if (isWhole) payment.status = 'refunded'
    else if (payment.status === 'refunded' && payment.captured) payment.status = 'captured'
  }

  function make(payment: Payment, amount: number, request: RefundRequest = {}): Refund {
    const { receipt = null, notes = {}, speed } = request
    const refund: Refund = {
      id: newId('rfnd'),
      entity: 'refund',
      payment_id: payment.id,
      amount,
      currency: payment.currency,
      receipt,
      notes,
      status: 'pending',
      speed_requested: speed === 'optimum' ? 'optimum' : 'normal',
      created_at: nowInSeconds(),
    }
    refunds.unshift(refund)
    madeAt.set(refund, Date.now())
    update(payment)
    report('refund.created', { payment, refund })
    return refund
  }

  /** Throws when Razorpay refuses to refund this of a payment. */
  function check(payment: Payment, amount: number, { speed }: RefundRequest) {
    const { id, currency, status, captured, created_at } = payment
    if (!Number.isInteger(amount))
      throw new Refusal('The amount must be an integer.', { field: 'amount' })
    if (status === 'refunded') throw new Refusal(REFUSALS.refundedAlready)
    if (!captured) throw new Refusal(REFUSALS.notCaptured)
    if (amount < minimumOf(currency))
      throw new Refusal(REFUSALS.minimum(currency), { field: 'amount' })
    if (isDisputed(id)) throw new Refusal(REFUSALS.disputed)
    if (nowInSeconds() - created_at > SIX_MONTHS_SECONDS && speed !== 'optimum')
      throw new Refusal(REFUSALS.tooOld)
    if (payment.amount_refunded + amount > payment.amount)
      throw new Refusal(REFUSALS.refundTooLarge)
  }

  /** Accepts a refund: of an amount, or of all that is left. It is pending. Throws a refusal. */
  function acceptRefund(paymentId: string, request: RefundRequest): Refund {
    const payment = paymentWith(paymentId)
    const amount = request.amount ?? payment.amount - payment.amount_refunded
    check(payment, amount, request)
    return make(payment, amount, request)
  }

  /**
   * Accepts a refund once for an idempotency key (null: without one): `run` has the effect, at a moment of
   * its own. The same request is answered with the refund that the first one made; another one, and one whose
   * first is in progress, are refused.
   */
  async function acceptOnce(
    { id, key, body }: { id: string; key: string | null; body: RefundRequest },
    run: (effect: () => Refund) => Promise<Refund>,
  ): Promise<Refund> {
    const accept = () => {
      const refund = acceptRefund(id, body)
      onRefund(refund)
      return refund
    }
    if (key === null) return run(accept)
    if (!KEY.test(key)) throw new Refusal(REFUSALS.keyFormat)
    const request = { id, ...body }
    const known = byKey.get(key)
    if (known && !isDeepStrictEqual(known.request, request)) throw new Refusal(REFUSALS.keyReused)
    if (known?.isInProgress) throw new Refusal(REFUSALS.keyInProgress, { status: 409 })
    const one = known ?? { request, refund: null, isInProgress: true }
    byKey.set(key, one)
    try {
      return await run(() => {
        one.refund ??= accept()
        return one.refund
      })
    } finally {
      one.isInProgress = false
      // a refused request may be repeated in another form
      if (!one.refund) byKey.delete(key)
    }
  }

  /** The bank ends a pending refund, and Razorpay reports it. */
  function endRefund(refund: Refund, status: 'processed' | 'failed') {
    if (refund.status !== 'pending') return
    refund.status = status
    const payment = paymentWith(refund.payment_id)
    update(payment)
    report(`refund.${status}`, { payment, refund })
  }

  /** Gives an authorised payment back that was not captured in time, as Razorpay does by itself. */
  function release(payment: Payment): Refund {
    const refund = make(payment, payment.amount)
    endRefund(refund, 'processed')
    return refund
  }

  return {
    refunds,
    lists,
    refundsOf,
    acceptRefund,
    acceptOnce,
    endRefund,
    release,
    /** How much of a payment has arrived at the buyer. */
    refundedOf: (paymentId: string) =>
      sumOf(refundsOf(paymentId).filter(({ status }) => status === 'processed')),
    /** The refunds that the API lists by now. */
    listRefunds: (paymentId?: string) =>
      (paymentId === undefined ? refunds : refundsOf(paymentId)).filter(isListed),
    /** The payment as the API shows it by now. */
    viewOf(payment: Payment): Payment {
      const hidden = sumOf(notFailed(payment.id).filter((refund) => !isListed(refund)))
      if (hidden === 0) return payment
      const amount_refunded = payment.amount_refunded - hidden
      const refund_status = amount_refunded > 0 ? 'partial' : null
      const status = payment.captured ? 'captured' : 'authorized'
      return { ...payment, status, amount_refunded, refund_status }
    },
  }
}
