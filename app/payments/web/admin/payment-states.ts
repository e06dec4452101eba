/** The states of payments, in words. */
import { formatTime, nextAttempt } from '#app/back-office/kit/time.tsx'
import type { ListedPayment, PaymentFilter, PaymentState } from '#app/payments/admin-contract.ts'
import { formatDay } from '#app/shared/model/format-day.ts'
import type { useMoney } from '#app/shared/web/use-money.ts'

const STATES: Record<PaymentFilter, readonly [name: string, tone: string]> = {
  needs_attention: ['Needs attention', 'badge-error'],
  paid: ['Paid', 'badge-success'],
  disputed: ['Disputed', 'badge-error'],
  dispute_lost: ['Dispute lost', 'badge-error'],
  unknown: ['Unknown order', 'badge-error'],
  refund_refused: ['Refund refused', 'badge-error'],
  refund_missing: ['Refund missing', 'badge-error'],
  refunded_elsewhere: ['Refunded at the provider', 'badge-warning'],
  refund_pending: ['Refund pending', 'badge-error'],
  expired: ['Never captured', 'badge-error'],
  amount_mismatch: ['Wrong amount', 'badge-error'],
  paid_cancelled: ['Order cancelled, money left', 'badge-error'],
  unmatched: ['Unmatched', 'badge-warning'],
  refunding: ['Refund in progress', 'badge-neutral'],
  capture_pending: ['Capture pending', 'badge-warning'],
  overdue: ['Overdue', 'badge-warning'],
  owed: ['Unpaid order', 'badge-neutral'],
  started: ['Not paid yet', 'badge-neutral'],
  refunded: ['Refunded', 'badge-success'],
  voided: ['Voided', 'badge-neutral'],
  order_refunded: ['Order refunded', 'badge-neutral'],
  resolved: ['Resolved', 'badge-success'],
}

export const nameOfState = (state: PaymentFilter) => STATES[state][0]

/** The class of the badge of a state. */
export const toneOf = (state: PaymentFilter) => STATES[state][1]

type Money = ReturnType<typeof useMoney>

const refundedPart = ({ amount, refunded, currency }: ListedPayment, money: Money) =>
  refunded >= amount ? 'All of it' : `${money(refunded, currency)} of it`

const dueOf = ({ dueDate }: ListedPayment) => (dueDate === null ? 'now' : formatDay(dueDate))

type Text = (payment: ListedPayment, next: string, money: Money) => string

const TEXTS: Record<PaymentState, Text> = {
  paid: () => 'It paid its order, or a part of it.',
  disputed: () =>
    "The customer's bank disputes it. Answer in the provider's dashboard. Until the dispute is over, nothing is refunded.",
  dispute_lost: () =>
    'The dispute is lost, and the provider took the money back. Cancel the order, or resolve it.',
  unknown: () =>
    'It came in for an order that this shop does not have. Refund it in the provider’s dashboard, unless it belongs to another shop.',
  refund_refused: ({ order }, next) =>
    `The provider refuses the refund. The next attempt is ${next}${order ? ', unless you give it up.' : '. Pay the customer in another way, and resolve it.'}`,
  refund_missing: ({ refunded, currency }, _, money) =>
    `The provider has refunded less than the ${money(refunded, currency)} that this shop knows of. Compare the two.`,
  refunded_elsewhere: (payment, _, money) =>
    `${refundedPart(payment, money)} is refunded, more than this shop has requested. Compare it with the provider’s dashboard; cancel the order if it is not to be sent.`,
  refund_pending: ({ lastError }, next) =>
    `${lastError ? 'The refund failed.' : 'The payment will be refunded.'} The next attempt is ${next}.`,
  expired: () =>
    'It has an order, but the money was never captured, or was refunded. Cancel the order, or ask the customer to pay.',
  amount_mismatch: () =>
    'It has an order, but the provider reports another amount. Compare the two.',
  paid_cancelled: () =>
    'Its order is cancelled, and not all of its money is refunded. Refund the rest, send the order after all if it was paid in full, or say why you keep the money.',
  unmatched: ({ lastError }, next) =>
    lastError
      ? `The provider has not reported its order yet. It is polled again ${next}.`
      : `It matches no order. It is refunded ${next}, unless the customer claims it.`,
  refunding: (_, next) => `The provider has accepted the refund. Its progress is checked ${next}.`,
  capture_pending: (_, next) =>
    `It has an order, but the money is only authorised. The next capture attempt is ${next}.`,
  started: ({ reservedUntil: until }, next) =>
    `Not paid yet. We check again ${next}. Its items are ${until ? `reserved until ${formatTime(until)}` : 'no longer reserved'}.`,
  owed: (payment) =>
    `It is to be paid by ${dueOf(payment)}. Record the payment on the page of its order.`,
  overdue: (payment) =>
    `It was to be paid by ${dueOf(payment)}.${payment.isReminded ? ' The customer was reminded.' : ''} Enter the payment, or cancel the order.`,
  refunded: () => 'The payment was refunded.',
  voided: () =>
    'The bank had authorised it, and it was never captured. Nothing has to be refunded.',
  order_refunded: (payment, _, money) => `${refundedPart(payment, money)} was refunded.`,
  resolved: ({ resolvedAt, createdAt, resolutionNote }) =>
    `Resolved at ${formatTime(resolvedAt ?? createdAt)}: ${resolutionNote}`,
}

/** The shop's next action on the payment, or the one required of the merchant. */
export const describe = (payment: ListedPayment, money: Money) =>
  TEXTS[payment.state](payment, nextAttempt(payment.nextAt), money)
