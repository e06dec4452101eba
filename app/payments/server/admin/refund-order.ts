/** Refunds of orders, by admins. */
import { returnOrderStock } from '#app/orders/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, invalid, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { formatMinor } from '#app/shared/server/minor-units.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from '../context.ts'
import { labelOf } from '../providers/list.ts'
import { pollPayment } from '../reconciliation/reconciliation.ts'
import { giveUpRefunds, pollRefunded } from '../refunds/refund-store.ts'
import { refundCapture } from '../refunds/refunds.ts'
import {
  insertRefund,
  lockPaymentOfOrder,
  type OrderMoney,
  selectMoneyOf,
  selectUncaptured,
} from './store.ts'

type Refund = {
  orderId: string
  /** Null: all that is left. */
  amountMinor: number | null
  reason: string
  returnsStock: boolean
}

type Order = { provider: string; currency: string; money: OrderMoney[] }

const leftMinor = ({ money }: Order) => money.reduce((sum, { left_minor }) => sum + left_minor, 0)

/** The provider's words as a sentence: some have no full stop. */
const asSentence = (words: string | null) => (words ?? '').replace(/[^.!?]$/, '$&.')

/** Throws `conflict` while a refund is pending, and says what can be done. */
function requireNoRefund({ money }: Order) {
  const open = money.find(({ open_refund }) => open_refund !== null)
  if (open?.open_refund === 'failed')
    throw conflict(
      `The provider refuses the last refund: ${asSentence(open.last_error)} Give it up first.`,
    )
  if (open) throw conflict('A refund of this order is in progress. Wait until it is done.')
}

/** Throws `invalid` for an amount, or a rest, that is smaller than what the provider refunds. */
function requireMinimum({ providers }: PaymentContext, order: Order, amountMinor: number) {
  const { currency } = order
  const min = providers.get(order.provider)?.minimumMinor ?? 0
  const left = leftMinor(order)
  const rest = left - amountMinor
  if (left < min)
    throw invalid(
      `Only ${formatMinor(left, currency)} is left, and the provider refunds ${formatMinor(min, currency)} at least.`,
      'amount',
    )
  if (amountMinor < min)
    throw invalid(
      `The smallest amount that can be refunded is ${formatMinor(min, currency)}.`,
      'amount',
    )
  if (rest === 0 || rest >= min) return
  const max = left - min
  const part = max >= min ? `, or at most ${formatMinor(max, currency)}` : ''
  throw invalid(
    `${formatMinor(rest, currency)} would be left, which could not be refunded. Refund all of ${formatMinor(left, currency)}${part}.`,
    'amount',
  )
}

/** How much is to be refunded now. Throws as `refundOrder` does. */
function refundedNow(context: PaymentContext, order: Order, amountMinor: number | null): number {
  const left = leftMinor(order)
  requireNoRefund(order)
  if (left <= 0) throw conflict('All the money of this order is refunded already.')
  if (amountMinor !== null && amountMinor <= 0)
    throw invalid('The amount must be above 0.', 'amount')
  if (amountMinor !== null && amountMinor > left)
    throw invalid(
      `Only ${formatMinor(left, order.currency)} of this order is left to refund.`,
      'amount',
    )
  requireMinimum(context, order, amountMinor ?? left)
  return amountMinor ?? left
}

/** Throws for an order that cost nothing, and is refunded, or is to be refunded in part. */
function requireNothing({ money }: Order, amountMinor: number | null) {
  if (money.some(({ refunds }) => refunds > 0)) throw conflict('This order is refunded already.')
  if (amountMinor !== null)
    throw invalid('This order cost nothing, so no amount can be refunded.', 'amount')
}

/** Whether nothing of the order is left to refund. */
const isWhollyRefunded = (order: Order): boolean =>
  order.money.every(
    ({ refunds, open_refund, left_minor }) =>
      open_refund === null && left_minor <= 0 && (order.provider !== 'none' || refunds > 0),
  )

function requireUndisputed({ money }: Order) {
  if (money.some(({ is_disputed }) => is_disputed))
    throw conflict(
      "The customer's bank disputes this payment. It can be refunded when the dispute is over; answer it in the provider's dashboard.",
    )
}

/** Throws `conflict` when the money is at a provider that is not open, or is only authorised. */
function requireMoney({ providers }: PaymentContext, { provider, money }: Order) {
  const open = providers.get(provider)
  if (!open)
    throw conflict(
      `The money of this order is at ${labelOf(provider)}, which this shop is not connected to. Connect it again, or refund the order there.`,
    )
  if (open.capture && money.some(({ is_confirmed }) => !is_confirmed))
    throw conflict(
      'The money of this order is not captured yet, so that it cannot be refunded. Try again in a minute, or cancel the order.',
    )
}

/** Throws `conflict` for an order that is not paid yet: it is cancelled before what was paid goes back. */
function requirePaid(state: string, money: OrderMoney[]) {
  if (state === 'owed')
    throw conflict('This order is not paid in full yet. Cancel it, and then refund what was paid.')
  if (money.length === 0) throw conflict('Nothing was paid for this order.')
}

/** Requests the refund of an amount, from one capture of the order after the other. */
async function requestRefund(
  tx: Database,
  { money }: Order,
  request: { amountMinor: number; reason: string; userId: string | null },
) {
  let rest = request.amountMinor
  for (const { id, left_minor } of money) {
    const amountMinor = Math.min(rest, left_minor)
    if (amountMinor > 0 || money.length === 1)
      await insertRefund(tx, { ...request, captureId: id, amountMinor })
    rest -= amountMinor
  }
}

/**
 * Refunds the payment of an order, whole or in part. Of an order that is wholly refunded, the stock can
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
    await pollPayment(db, context, uncaptured.id)
  const id = await inTransaction(db, actor, async (tx) => {
    const payment = await lockPaymentOfOrder(tx, orderId)
    if (!payment) throw notFound('There is no such order.')
    const money = await selectMoneyOf(tx, payment.id)
    requirePaid(payment.state, money)
    const order = { ...payment, currency: money[0]?.currency ?? payment.currency, money }
    if (returnsStock && amountMinor === null && isWhollyRefunded(order)) {
      await returnOrderStock(tx, orderId)
      return null
    }
    const request = { reason, userId: actor.id ?? null }
    if (payment.provider === 'none') {
      requireNothing(order, amountMinor)
      await requestRefund(tx, order, { ...request, amountMinor: 0 })
    } else {
      requireMoney(context, order)
      requireUndisputed(order)
      const now = refundedNow(context, order, amountMinor)
      await requestRefund(tx, order, { ...request, amountMinor: now })
    }
    if (returnsStock) await returnOrderStock(tx, orderId)
    return payment.id
  })
  if (id === null) return
  for (const { id: captureId } of await selectMoneyOf(db, id))
    await refundCapture(db, context, captureId)
  const failed = (await selectMoneyOf(db, id)).find(({ open_refund }) => open_refund === 'failed')
  if (failed)
    throw conflict(
      `The provider refuses the refund: ${asSentence(failed.last_error)} It is tried again until you give it up.`,
    )
}

/**
 * Gives up a refund of an order that the provider has refused: it is not tried again, and its money stays with
 * the order. Throws `not_found` for an unknown order, and `conflict` for a refund that is in progress, because
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
    // a provider that the shop is not connected to makes no refund any more
    const over = providers.get(payment.provider) ? ['failed'] : ['failed', 'pending']
    const given = (await selectMoneyOf(tx, payment.id)).filter(({ open_refund }) =>
      over.includes(open_refund ?? ''),
    )
    if (given.length === 0)
      throw conflict('Only a refund that the provider has refused can be given up.')
    await giveUpRefunds(
      tx,
      given.map(({ id }) => id),
    )
    await pollRefunded(tx, payment.id)
  })
