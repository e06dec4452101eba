/** Cancelling an order with its stock and its money, in one transaction. */
import { changeStatus } from '#app/orders/server/handling/service.ts'
import { returnStockOf } from '#app/orders/server/service.ts'
import { type MoneyText, moneyTextOf } from '#app/settings/server/money-text.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from '../context.ts'
import { restLines } from './refund-lines.ts'
import { makeRefunds, pollUncaptured, repeatedMinor, requestRefund } from './refund-order.ts'
import {
  leftMinor,
  type PaidOrder,
  refundedNow,
  requireMoney,
  requireUndisputed,
} from './refund-rules.ts'
import { lockPaymentOfOrder, type OrderMoney, selectMoneyOf } from './store.ts'

type Cancellation = {
  orderId: string
  returnsStock: boolean
  refunds: boolean
  reason: string
  /** The same for a repeated request. */
  key: string | null
  mails: boolean
}

type Refunded = { paymentId: string; amountMinor: number; currency: string; isByHand: boolean }

/**
 * Requests the refund of all that is left of an order; null when nothing is. Money that is only authorised is released
 * with the order, and not refunded.
 */
async function refundRest(
  tx: Database,
  context: PaymentContext,
  order: PaidOrder & { id: string },
  { orderId, reason, key, mails, userId }: Cancellation & { userId: string | null },
): Promise<Refunded | null> {
  const { id: paymentId, provider, currency } = order
  const open = context.providers.get(provider)
  const isCaptured = ({ is_confirmed }: OrderMoney) => is_confirmed || !open?.capture
  const paid = { ...order, money: order.money.filter(isCaptured) }
  const amountMinor = leftMinor(paid)
  const refunded = { paymentId, amountMinor, currency, isByHand: open?.isByHand ?? false }
  if ((await repeatedMinor(tx, { paymentId, key, amountMinor: null })) !== null) return null
  if (provider === 'none' || amountMinor <= 0) return null
  requireMoney(context, paid)
  requireUndisputed(paid)
  refundedNow({ ...context, money: await moneyTextOf(tx) }, paid, null)
  const lines = await restLines(tx, orderId, amountMinor)
  await requestRefund(tx, paid, { orderId, amountMinor, lines, reason, userId, key, mails })
  return refunded
}

/** The sentences for the admin. */
function messageOf(refunded: Refunded | null, refusal: string | null, money: MoneyText): string {
  if (!refunded) return 'The order is cancelled'
  const amount = money(refunded.amountMinor, refunded.currency)
  if (refusal) return `The order is cancelled. ${refusal}`
  if (refunded.isByHand)
    return `The order is cancelled. Send ${amount} back to the customer: it counts as refunded.`
  return `The order is cancelled. ${amount} goes back to the customer.`
}

/**
 * Cancels an order, and returns the stock and refunds the money that is left of it, where that is wanted, in one
 * transaction; the provider is asked after it. The stock of an order that is not paid in full is always returned.
 * Idempotent by `key`: what was returned or refunded before stays as it is. Answers what happened, as a sentence. Throws
 * `not_found` for an unknown order, and `conflict` as `refundOrder` does when the money cannot be refunded now.
 */
export async function cancelOrder(
  db: Database,
  context: PaymentContext,
  actor: Actor,
  cancellation: Cancellation,
): Promise<string> {
  const { orderId, returnsStock, refunds, mails } = cancellation
  if (refunds) await pollUncaptured(db, context, orderId)
  const refunded = await inTransaction(db, actor, async (tx) => {
    const payment = await lockPaymentOfOrder(tx, orderId)
    if (!payment) throw notFound('There is no such order.')
    await changeStatus(tx, actor, { orderId, status: 'cancel', notify: mails })
    if (returnsStock) await returnStockOf(tx, orderId)
    if (!refunds) return null
    const money = await selectMoneyOf(tx, payment.id)
    const order = { ...payment, currency: money[0]?.currency ?? payment.currency, money }
    return refundRest(tx, context, order, { ...cancellation, userId: actor.id ?? null })
  })
  const refusal = refunded && (await makeRefunds(db, context, refunded.paymentId))
  return messageOf(refunded, refusal, await moneyTextOf(db))
}
