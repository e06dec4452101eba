/** Refusals of a refund of an order's money. */
import type { MoneyText } from '#app/settings/server/money-text.ts'
import { conflict, invalid } from '#app/shared/server/failure.ts'
import type { PaymentContext } from '../context.ts'
import { labelOf } from '../providers/list.ts'
import type { OrderMoney } from './store.ts'

/** The open providers, and money as sentences have it. */
type RefundContext = Pick<PaymentContext, 'providers'> & { money: MoneyText }

/** The payment of an order with its money. */
export type PaidOrder = { provider: string; currency: string; money: OrderMoney[] }

/** The money that was paid and neither refunded nor lost in a dispute, in minor units. */
export const leftMinor = ({ money }: PaidOrder) =>
  money.reduce((sum, { left_minor }) => sum + left_minor, 0)

/** The provider's words as a sentence: some have no full stop. */
export const asSentence = (words: string | null) => (words ?? '').replace(/[^.!?]$/, '$&.')

/** Throws `conflict` while a refund is pending, and says what can be done. */
function requireNoRefund({ money }: PaidOrder) {
  const open = money.find(({ open_refund }) => open_refund !== null)
  if (open?.open_refund === 'failed')
    throw conflict(
      `The provider refuses the last refund: ${asSentence(open.last_error)} Give it up first.`,
    )
  if (open) throw conflict('A refund of this order is in progress. Wait until it is done.')
}

/** Throws `invalid` for an amount, or a rest, that the provider does not refund: too small, or between its steps. */
function requireRefundable(
  { providers, money }: RefundContext,
  order: PaidOrder,
  amountMinor: number,
) {
  const { currency } = order
  const { minimumMinor, stepMinor } = providers.get(order.provider) ?? {}
  const min = minimumMinor?.(currency) ?? 0
  const step = stepMinor?.(currency) ?? 1
  if (amountMinor % step !== 0)
    throw invalid(
      `${labelOf(order.provider)} refunds amounts in steps of ${money(step, currency)}. Enter another amount.`,
      'amount',
    )
  const left = leftMinor(order)
  const rest = left - amountMinor
  if (left < min)
    throw invalid(
      `Only ${money(left, currency)} is left, and the provider refunds ${money(min, currency)} at least.`,
      'amount',
    )
  if (amountMinor < min)
    throw invalid(`The smallest amount that can be refunded is ${money(min, currency)}.`, 'amount')
  if (rest === 0 || rest >= min) return
  const max = left - min
  const part = max >= min ? `, or at most ${money(max, currency)}` : ''
  throw invalid(
    `${money(rest, currency)} would be left, which could not be refunded. Refund all of ${money(left, currency)}${part}.`,
    'amount',
  )
}

/** How much is to be refunded now; null: all that is left. Throws as `refundOrder` does. */
export function refundedNow(
  context: RefundContext,
  order: PaidOrder,
  amountMinor: number | null,
): number {
  const left = leftMinor(order)
  requireNoRefund(order)
  if (left <= 0) throw conflict('All the money of this order is refunded already.')
  if (amountMinor !== null && amountMinor <= 0)
    throw invalid('The amount must be above 0.', 'amount')
  if (amountMinor !== null && amountMinor > left)
    throw invalid(
      `Only ${context.money(left, order.currency)} of this order is left to refund.`,
      'amount',
    )
  requireRefundable(context, order, amountMinor ?? left)
  return amountMinor ?? left
}

/** Throws for an order that cost nothing, and is refunded, or is to be refunded in part. */
export function requireNothing({ money }: PaidOrder, amountMinor: number | null) {
  if (money.some(({ refunds }) => refunds > 0)) throw conflict('This order is refunded already.')
  if (amountMinor !== null)
    throw invalid('This order cost nothing, so no amount can be refunded.', 'amount')
}

/** Whether nothing of the order is left to refund. */
export const isWhollyRefunded = (order: PaidOrder): boolean =>
  order.money.every(
    ({ refunds, open_refund, left_minor }) =>
      open_refund === null && left_minor <= 0 && (order.provider !== 'none' || refunds > 0),
  )

/** Throws `conflict` while the buyer's bank disputes the payment. */
export function requireUndisputed({ money }: PaidOrder) {
  if (money.some(({ is_disputed }) => is_disputed))
    throw conflict(
      "The customer's bank disputes this payment. It can be refunded when the dispute is over; answer it in the provider's dashboard.",
    )
}

/** Throws `conflict` when the money is at a provider that is not open, or is only authorised. */
export function requireMoney({ providers }: PaymentContext, { provider, money }: PaidOrder) {
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
export function requirePaid(state: string, money: OrderMoney[]) {
  if (state === 'owed')
    throw conflict('This order is not paid in full yet. Cancel it, and then refund what was paid.')
  if (money.length === 0) throw conflict('Nothing was paid for this order.')
}
