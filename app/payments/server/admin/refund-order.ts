import { returnOrderStock } from '#app/orders/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, invalid, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { formatMinor } from '#app/shared/server/minor-units.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from '../context.ts'
import { labelOf } from '../providers/list.ts'
import { pollDecided } from '../reconciliation/reconciliation.ts'
import { markGivenUp } from '../refunds/refund-store.ts'
import { refund } from '../refunds/refunds.ts'
import type { Payment } from '../store.ts'
import {
  isDisputed,
  lockPaymentOfOrder,
  markNothingRefunded,
  requestRefund,
  selectRefund,
  selectUncaptured,
} from './store.ts'

type Refund = {
  orderId: string
  /** Null: all that is left. */
  amountMinor: number | null
  reason: string
  returnsStock: boolean
}

/** The money that was neither refunded nor lost in a dispute yet, in minor units. */
const leftMinor = ({ paid_minor, amount_minor, refunded_minor, disputed_minor }: Payment): number =>
  (paid_minor ?? amount_minor) - refunded_minor - disputed_minor

/** The provider's words as a sentence: some have no full stop. */
const asSentence = (words: string | null) => (words ?? '').replace(/[^.!?]$/, '$&.')

/** Throws `conflict` while a refund is pending, and says what can be done. */
function requireNoRefund({ state, refund_refused, last_error }: Payment) {
  if (state !== 'refund_pending') return
  if (refund_refused)
    throw conflict(
      `The provider refuses the last refund: ${asSentence(last_error)} Give it up first.`,
    )
  throw conflict('A refund of this order is in progress. Wait until it is done.')
}

/** An amount in the currency of the payment. */
const formatMoney = ({ paid_currency, currency }: Payment, minor: number) =>
  formatMinor(minor, paid_currency ?? currency)

/** Throws `invalid` for an amount, or a rest, that is smaller than what the provider refunds. */
function requireMinimum({ providers }: PaymentContext, payment: Payment, amountMinor: number) {
  const min = providers.get(payment.provider)?.minimumMinor ?? 0
  const left = leftMinor(payment)
  const rest = left - amountMinor
  if (left < min)
    throw invalid(
      `Only ${formatMoney(payment, left)} is left, and the provider refunds ${formatMoney(payment, min)} at least.`,
      'amount',
    )
  if (amountMinor < min)
    throw invalid(
      `The smallest amount that can be refunded is ${formatMoney(payment, min)}.`,
      'amount',
    )
  if (rest === 0 || rest >= min) return
  const max = left - min
  const part = max >= min ? `, or at most ${formatMoney(payment, max)}` : ''
  throw invalid(
    `${formatMoney(payment, rest)} would be left, which could not be refunded. Refund all of ${formatMoney(payment, left)}${part}.`,
    'amount',
  )
}

/** The sum of all refunds after this one; null: everything. Throws as `refundOrder` does. */
function totalRefundMinor(
  context: PaymentContext,
  payment: Payment,
  amountMinor: number | null,
): number | null {
  const left = leftMinor(payment)
  requireNoRefund(payment)
  if (left <= 0) throw conflict('All the money of this order is refunded already.')
  if (amountMinor !== null && amountMinor <= 0)
    throw invalid('The amount must be above 0.', 'amount')
  if (amountMinor !== null && amountMinor > left)
    throw invalid(`Only ${formatMoney(payment, left)} of this order is left to refund.`, 'amount')
  requireMinimum(context, payment, amountMinor ?? left)
  const isAll = amountMinor === null || amountMinor === left
  // the provider adds up what is left, but does not know what a dispute took back
  if (isAll && payment.disputed_minor === 0) return null
  return payment.refunded_minor + (amountMinor ?? left)
}

/** Refunds an order that cost nothing: no money moves. */
async function refundNothing(
  tx: Database,
  { id, state }: Payment,
  { amountMinor, reason }: Pick<Refund, 'amountMinor' | 'reason'>,
) {
  if (state === 'refunded') throw conflict('This order is refunded already.')
  if (amountMinor !== null)
    throw invalid('This order cost nothing, so no amount can be refunded.', 'amount')
  await markNothingRefunded(tx, id, reason)
}

/** Whether nothing of the order is left to refund. */
const isWhollyRefunded = (payment: Payment): boolean =>
  payment.provider === 'none'
    ? payment.state === 'refunded'
    : payment.state !== 'refund_pending' && leftMinor(payment) <= 0

async function requireUndisputed(tx: Database, id: string) {
  if (await isDisputed(tx, id))
    throw conflict(
      "The customer's bank disputes this payment. It can be refunded when the dispute is over; answer it in the provider's dashboard.",
    )
}

/** Throws `conflict` when the money is at a provider that is not open, or is only authorised. */
function requireMoney({ providers }: PaymentContext, { provider, confirmed_at }: Payment) {
  if (provider === 'none') return
  const open = providers.get(provider)
  if (!open)
    throw conflict(
      `The money of this order is at ${labelOf(provider)}, which this shop is not connected to. Connect it again, or refund the order there.`,
    )
  if (open.capture && confirmed_at === null)
    throw conflict(
      'The money of this order is not captured yet, so that it cannot be refunded. Try again in a minute, or cancel the order.',
    )
}

/**
 * Refunds the payment of an order, whole or in part; money that is only authorised yet is captured before. Of an order that is wholly refunded, the stock can
 * still be returned: its reason stays as it is. A provider that does not answer is tried again by
 * the job. Throws `not_found` for an unknown order, `conflict` while a refund is in progress, when
 * everything is refunded or the stock was returned before, the buyer's bank disputes the payment, or the
 * money is at a provider that is not open or was not captured yet, and `invalid` for more than is left or less than the
 * provider refunds. Throws `conflict` with the provider's sentence for a refund that it refuses, which is
 * tried again until it is given up.
 */
export async function refundOrder(
  db: Database,
  context: PaymentContext,
  actor: Actor,
  { orderId, amountMinor, reason, returnsStock }: Refund,
): Promise<void> {
  const uncaptured = await selectUncaptured(db, orderId)
  if (uncaptured && context.providers.get(uncaptured.provider)?.capture)
    await pollDecided(db, context, uncaptured.id)
  const id = await inTransaction(db, actor, async (tx) => {
    const payment = await lockPaymentOfOrder(tx, orderId)
    if (!payment) throw notFound('There is no such order.')
    if (returnsStock && amountMinor === null && isWhollyRefunded(payment)) {
      await returnOrderStock(tx, orderId)
      return null
    }
    requireMoney(context, payment)
    if (payment.provider === 'none') await refundNothing(tx, payment, { amountMinor, reason })
    else {
      await requireUndisputed(tx, payment.id)
      const refund_minor = totalRefundMinor(context, payment, amountMinor)
      await requestRefund(tx, payment.id, { refund_minor, refund_reason: reason })
    }
    if (returnsStock) await returnOrderStock(tx, orderId)
    return payment.id
  })
  if (id === null) return
  await refund(db, context, id)
  const { refund_refused, last_error } = await selectRefund(db, id)
  if (refund_refused)
    throw conflict(
      `The provider refuses the refund: ${asSentence(last_error)} It is tried again until you give it up.`,
    )
}

/**
 * Gives up a refund that the provider has refused: it is not tried again, and its money stays with the
 * order. Throws `not_found` for an unknown order, and `conflict` for a refund that is in progress, because
 * the provider may have made it.
 */
export const giveUpRefund = (
  db: Database,
  { providers }: PaymentContext,
  actor: Actor,
  orderId: string,
): Promise<void> =>
  inTransaction(db, actor, async (tx) => {
    const payment = await lockPaymentOfOrder(tx, orderId)
    if (!payment) throw notFound('There is no such order.')
    const isAtOther = !providers.get(payment.provider)
    if (await markGivenUp(tx, { id: payment.id, isAtOther })) return
    throw conflict('Only a refund that the provider has refused can be given up.')
  })
