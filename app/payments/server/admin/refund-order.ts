import { returnOrderStock } from '#app/orders/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, invalid, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from '../context.ts'
import { refund } from '../refunds/refunds.ts'
import type { Payment } from '../store.ts'
import { lockPaymentOfOrder, markNothingRefunded, requestRefund } from './store.ts'

type Refund = {
  orderId: string
  /** Null: all that is left. */
  amountMinor: number | null
  reason: string
  returnsStock: boolean
}

/** The money that was not refunded yet, in minor units. */
const leftMinor = ({ paid_minor, amount_minor, refunded_minor }: Payment): number =>
  (paid_minor ?? amount_minor) - refunded_minor

/** The sum of all refunds after this one; null: everything. Throws as `refundOrder` does. */
function inAllMinor(payment: Payment, amountMinor: number | null): number | null {
  const left = leftMinor(payment)
  if (payment.state === 'refund_pending')
    throw conflict('A refund of this order is in progress. Wait until it is done.')
  if (left <= 0) throw conflict('All the money of this order is refunded already.')
  if (amountMinor === null || amountMinor === left) return null
  if (amountMinor <= 0) throw invalid('The amount must be above 0.')
  if (amountMinor > left) throw invalid(`Only ${toMajor(left)} of this order is left to refund.`)
  return payment.refunded_minor + amountMinor
}

/** Refunds an order that cost nothing: no money moves. */
async function refundNothing(
  tx: Database,
  { id, state }: Payment,
  { amountMinor, reason }: Pick<Refund, 'amountMinor' | 'reason'>,
) {
  if (state === 'refunded') throw conflict('This order is refunded already.')
  if (amountMinor !== null) throw invalid('This order cost nothing, so no amount can be refunded.')
  await markNothingRefunded(tx, id, reason)
}

/** Whether nothing of the order is left to refund. */
const isWhollyRefunded = (payment: Payment): boolean =>
  payment.provider === 'none'
    ? payment.state === 'refunded'
    : payment.state !== 'refund_pending' && leftMinor(payment) <= 0

const PROVIDERS = { razorpay: 'Razorpay', sandbox: 'the sandbox' }

/** Throws `conflict` when the money is at another provider than the shop's. */
function requireProvider({ provider }: PaymentContext, payment: Payment) {
  if (payment.provider === 'none' || payment.provider === provider.name) return
  throw conflict(
    `The money of this order is at ${PROVIDERS[payment.provider]}, which this shop is not connected to. Connect it again, or refund the order there.`,
  )
}

/**
 * Refunds the payment of an order, whole or in part. Of an order that is wholly refunded, the stock can
 * still be returned: its reason stays as it is. A provider that does not answer is tried again by
 * the job. Throws `not_found` for an unknown order, `conflict` while a refund is in progress, when
 * everything is refunded or the stock was returned before, or the money is at another provider than the
 * shop's, and `invalid` for more than is left.
 */
export async function refundOrder(
  db: Database,
  context: PaymentContext,
  actor: Actor,
  { orderId, amountMinor, reason, returnsStock }: Refund,
): Promise<void> {
  const id = await inTransaction(db, actor, async (tx) => {
    const payment = await lockPaymentOfOrder(tx, orderId)
    if (!payment) throw notFound('There is no such order.')
    if (returnsStock && amountMinor === null && isWhollyRefunded(payment)) {
      await returnOrderStock(tx, orderId)
      return null
    }
    requireProvider(context, payment)
    if (payment.provider === 'none') await refundNothing(tx, payment, { amountMinor, reason })
    else {
      const refund_minor = inAllMinor(payment, amountMinor)
      await requestRefund(tx, payment.id, { refund_minor, refund_reason: reason })
    }
    if (returnsStock) await returnOrderStock(tx, orderId)
    return payment.id
  })
  if (id !== null) await refund(db, context, id)
}
