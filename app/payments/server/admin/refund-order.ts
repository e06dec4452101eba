/** Refunds of orders, by admins. */
import { returnOrderStock, returnStockOf } from '#app/orders/server/service.ts'
import type { ChosenPart } from '#app/payments/model.ts'
import { type MoneyText, moneyTextOf } from '#app/settings/server/money-text.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict, invalid, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from '../context.ts'
import { pollPayment } from '../reconciliation/reconciliation.ts'
import { giveUpRefunds, pollRefunded } from '../refunds/refund-store.ts'
import { refundCapture } from '../refunds/refunds.ts'
import { type ProposedLine, proposeLines, restLines, storeLines, sumOf } from './refund-lines.ts'
import {
  asSentence,
  isWhollyRefunded,
  leftMinor,
  type PaidOrder,
  refundedNow,
  requireMoney,
  requireNothing,
  requirePaid,
  requireUndisputed,
} from './refund-rules.ts'
import {
  insertRefund,
  lockPaymentOfOrder,
  selectMoneyOf,
  selectRefundsOfRequest,
  selectUncaptured,
} from './store.ts'

type Refund = {
  orderId: string
  /** Null: what is proposed for the lines, or all that is left. */
  amountMinor: number | null
  reason: string
  returnsStock: boolean
  /** What it is of. */
  lines?: ChosenPart[] | undefined
  /** The same for a repeated request. */
  key?: string | undefined
  /** Whether the buyer is told by e-mail. */
  mails?: boolean | undefined
}

/** A refund to request: of this amount, and of these lines. */
export type Request = {
  orderId: string
  amountMinor: number
  lines: ProposedLine[]
  reason: string
  userId: string | null
  key: string | null
  mails: boolean
}

/**
 * Requests the refund of an amount: from the first capture of the order that has as much, or from one after the other.
 * Its lines are those of the first refund.
 */
export async function requestRefund(
  tx: Database,
  { money }: PaidOrder,
  { orderId, lines, ...request }: Request,
): Promise<void> {
  const whole = money.find(({ left_minor }) => left_minor >= request.amountMinor)
  let rest = request.amountMinor
  let refundId: string | null = null
  for (const { id, left_minor } of whole ? [whole] : money) {
    const amountMinor = Math.min(rest, left_minor)
    if (amountMinor > 0 || money.length === 1) {
      const inserted = await insertRefund(tx, { ...request, captureId: id, amountMinor })
      refundId ??= inserted
    }
    rest -= amountMinor
  }
  if (refundId) await storeLines(tx, { orderId, refundId }, lines)
}

/** Asks the provider whether it has captured money of an order that is only authorised, as far as the shop knows. */
export async function pollUncaptured(db: Database, context: PaymentContext, orderId: string) {
  const uncaptured = await selectUncaptured(db, orderId)
  if (uncaptured && context.providers.get(uncaptured.provider)?.capture)
    await pollPayment(db, context, uncaptured.id)
}

/** Makes the refunds of a payment that are due; answers why the provider refuses one, or null. */
export async function makeRefunds(
  db: Database,
  context: PaymentContext,
  paymentId: string,
): Promise<string | null> {
  for (const { id } of await selectMoneyOf(db, paymentId)) await refundCapture(db, context, id)
  const money = await selectMoneyOf(db, paymentId)
  const failed = money.find(({ open_refund }) => open_refund === 'failed')
  return failed
    ? `The provider refuses the refund: ${asSentence(failed.last_error)} It is tried again until you give it up.`
    : null
}

/**
 * What this request refunded when it was made before; null when it was not. Throws `conflict` for the key of another
 * refund.
 */
export async function repeatedMinor(
  tx: Database,
  {
    paymentId,
    key,
    amountMinor,
  }: { paymentId: string; key: string | null; amountMinor: number | null },
): Promise<number | null> {
  const made = key === null ? [] : await selectRefundsOfRequest(tx, key)
  if (made.length === 0) return null
  const madeMinor = made.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
  const isOther = made.some(({ payment_id }) => payment_id !== paymentId)
  if (isOther || (amountMinor !== null && amountMinor !== madeMinor))
    throw conflict('This refund was made already, of another amount or order.')
  return madeMinor
}

/** The lines of a refund, and its amount, which is null for all that is left. */
async function proposal(
  tx: Database,
  order: PaidOrder,
  { orderId, amountMinor, lines = [] }: Refund,
): Promise<{ amountMinor: number | null; lines: ProposedLine[] }> {
  if (lines.length > 0) {
    const proposed = await proposeLines(tx, orderId, lines)
    return { amountMinor: amountMinor ?? sumOf(proposed), lines: proposed }
  }
  const isRest = amountMinor === null || amountMinor === leftMinor(order)
  return { amountMinor, lines: isRest ? await restLines(tx, orderId, leftMinor(order)) : [] }
}

/** Returns the products among the chosen lines to the stock, or without lines all of the order. */
async function returnStock(tx: Database, { orderId, lines = [] }: Refund): Promise<void> {
  if (lines.length === 0) return returnOrderStock(tx, orderId)
  await returnStockOf(
    tx,
    orderId,
    lines.filter(({ kind }) => kind === 'product'),
  )
}

/** Requests a refund of a paid order, and answers its amount. Throws as `refundOrder` does. */
async function request(
  tx: Database,
  context: PaymentContext,
  order: PaidOrder,
  refund: Refund & { userId: string | null },
): Promise<number> {
  const { orderId, reason, userId, key = null, mails = true } = refund
  const facts = { orderId, reason, userId, key, mails }
  if (order.provider === 'none') {
    requireNothing(order, refund.amountMinor)
    if (refund.lines?.length)
      throw invalid('This order cost nothing, so no line can be refunded.', 'lines')
    await requestRefund(tx, order, { ...facts, amountMinor: 0, lines: [] })
    return 0
  }
  requireMoney(context, order)
  requireUndisputed(order)
  const { amountMinor: wanted, lines } = await proposal(tx, order, refund)
  const amountMinor = refundedNow({ ...context, money: await moneyTextOf(tx) }, order, wanted)
  await requestRefund(tx, order, { ...facts, amountMinor, lines })
  return amountMinor
}

type PaidBy = Pick<PaidOrder, 'provider' | 'currency'> & { buyer_name: string }

/** The sentence for the admin; without a provider nobody but the merchant sends the money. */
function messageOf(
  { providers }: PaymentContext,
  { provider, currency, buyer_name }: PaidBy,
  amountMinor: number,
  money: MoneyText,
): string {
  if (!providers.get(provider)?.isByHand) return 'The refund is on its way'
  return `Recorded. Send ${money(amountMinor, currency)} to ${buyer_name} yourself.`
}

/**
 * Refunds the payment of an order: an amount, or lines, for which an amount is proposed, or all that is left. Stock is
 * returned of these lines, or of all that was not returned before. Of an order that is wholly refunded, the stock can
 * still be returned: its reason stays as it is. Idempotent by `key`. A provider that does not answer is tried again by
 * the job. Throws `not_found` for an unknown order, `conflict` while a refund is in progress, when
 * everything is refunded, a line is refunded already or the stock was returned before, the buyer's bank disputes the
 * payment, or the money is at a provider that is not open or was not captured yet, and `invalid` for more than is left
 * or less than the provider refunds. Throws `conflict` with the provider's sentence for a refund that it refuses,
 * which is tried again until it is given up. Answers what happens now, as a sentence.
 */
export async function refundOrder(
  db: Database,
  context: PaymentContext,
  actor: Actor,
  refund: Refund,
): Promise<string> {
  const { orderId, amountMinor, returnsStock, key = null } = refund
  await pollUncaptured(db, context, orderId)
  const { payment, madeMinor } = await inTransaction(db, actor, async (tx) => {
    const payment = await lockPaymentOfOrder(tx, orderId)
    if (!payment) throw notFound('There is no such order.')
    const repeated = await repeatedMinor(tx, { paymentId: payment.id, key, amountMinor })
    if (repeated !== null) return { payment, madeMinor: repeated }
    const money = await selectMoneyOf(tx, payment.id)
    requirePaid(payment.state, money)
    const order = { ...payment, currency: money[0]?.currency ?? payment.currency, money }
    const isOver = returnsStock && amountMinor === null && isWhollyRefunded(order)
    const madeMinor = isOver
      ? null
      : await request(tx, context, order, { ...refund, userId: actor.id ?? null })
    if (returnsStock) await returnStock(tx, refund)
    return { payment: order, madeMinor }
  })
  if (madeMinor === null) return 'The pieces are for sale again'
  const refusal = await makeRefunds(db, context, payment.id)
  if (refusal) throw conflict(refusal)
  return messageOf(context, payment, madeMinor, await moneyTextOf(db))
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
