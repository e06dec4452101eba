/** Disputes: a buyer takes money back through the bank. */
import { type Dispute, type NewId, nowInSeconds, type Payment } from './entities.ts'
import type { Report } from './webhooks.ts'

type Options = { paymentWith: (id: string) => Payment; report: Report; newId: NewId }

export function openDisputes({ paymentWith, report, newId }: Options) {
  const disputes = new Map<string, Dispute>()

  /** The bank disputes a payment, or a part of it. */
  function dispute(paymentId: string, amount?: number): Dispute {
    const payment = paymentWith(paymentId)
    const one: Dispute = {
      id: newId('disp'),
      entity: 'dispute',
      payment_id: paymentId,
      amount: amount ?? payment.amount,
      currency: payment.currency,
      amount_deducted: 0,
      reason_code: 'chargeback',
      status: 'open',
      phase: 'chargeback',
      created_at: nowInSeconds(),
    }
    disputes.set(one.id, one)
    report('payment.dispute.created', { payment, dispute: one })
    return one
  }

  /** A dispute goes on or ends; a lost one takes the money. */
  function endDispute(id: string, status: 'under_review' | 'won' | 'lost' | 'closed') {
    const one = disputes.get(id)
    if (!one) throw new Error(`There is no dispute ${id}.`)
    Object.assign(one, { status, amount_deducted: status === 'lost' ? one.amount : 0 })
    report(`payment.dispute.${status}`, { payment: paymentWith(one.payment_id), dispute: one })
  }

  /** Whether a dispute of this payment is open: it can't be refunded then. */
  const isDisputed = (paymentId: string) =>
    [...disputes.values()].some(
      ({ payment_id, status }) =>
        payment_id === paymentId && ['open', 'under_review', 'lost'].includes(status),
    )

  return { disputes, dispute, endDispute, isDisputed }
}
