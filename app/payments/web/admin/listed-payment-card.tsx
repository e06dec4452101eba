import { useId } from 'react'
import { Link } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { formatTime, nextAttempt, Time } from '#app/back-office/time.tsx'
import type { ListedPayment, PaymentFilter, PaymentState } from '#app/payments/admin-contract.ts'
import { formatDay } from '#app/shared/model/format-day.ts'
import { href } from '#app/shared/model/href.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { GiveUpButton } from './refund-button.tsx'
import { ResolveButton } from './resolve-button.tsx'

export const STATE_NAMES: Record<PaymentFilter, string> = {
  needs_attention: 'Needs attention',
  paid: 'Paid',
  disputed: 'Disputed',
  dispute_lost: 'Dispute lost',
  unknown: 'Unknown order',
  refund_refused: 'Refund refused',
  refund_missing: 'Refund missing',
  refunded_elsewhere: 'Refunded at the provider',
  refund_pending: 'Refund pending',
  expired: 'Never captured',
  amount_mismatch: 'Wrong amount',
  paid_cancelled: 'Order cancelled, money left',
  unmatched: 'Unmatched',
  refunding: 'Refund in progress',
  capture_pending: 'Capture pending',
  overdue: 'Overdue',
  owed: 'Unpaid order',
  started: 'Not paid yet',
  refunded: 'Refunded',
  voided: 'Voided',
  order_refunded: 'Order refunded',
  resolved: 'Resolved',
}

const TONES: Record<PaymentState, string> = {
  refund_pending: 'badge-error',
  expired: 'badge-error',
  amount_mismatch: 'badge-error',
  paid_cancelled: 'badge-error',
  disputed: 'badge-error',
  dispute_lost: 'badge-error',
  refund_refused: 'badge-error',
  refund_missing: 'badge-error',
  unknown: 'badge-error',
  refunded_elsewhere: 'badge-warning',
  paid: 'badge-success',
  unmatched: 'badge-warning',
  capture_pending: 'badge-warning',
  refunding: 'badge-info',
  started: 'badge-neutral',
  refunded: 'badge-success',
  owed: 'badge-neutral',
  overdue: 'badge-warning',
  voided: 'badge-neutral',
  order_refunded: 'badge-neutral',
  resolved: 'badge-success',
}

type Money = ReturnType<typeof useMoney>

const refundedPart = ({ amount, refunded, currency }: ListedPayment, money: Money) =>
  refunded >= amount ? 'All of it' : `${money(refunded, currency)} of it`

function describeOwed({ state, dueDate, isReminded }: ListedPayment): string {
  const day = dueDate === null ? 'now' : formatDay(dueDate)
  if (state === 'owed') return `It is to be paid by ${day}. Enter the payment with its order.`
  const reminded = isReminded ? ' The customer was reminded.' : ''
  return `It was to be paid by ${day}.${reminded} Enter the payment, or cancel the order.`
}

const reservation = (until: string | null) =>
  until ? `Its items are reserved until ${formatTime(until)}.` : 'Its items are no longer reserved.'

const describeUnmatched = (lastError: string | null, next: string) =>
  lastError
    ? `The provider has not reported its order yet. It is polled again ${next}.`
    : `It matches no order. It is refunded ${next}, unless the customer claims it.`

/** The shop's next action on the payment, or the one required of the merchant. */
function describe(payment: ListedPayment, money: Money): string {
  const { state, nextAt, reservedUntil, lastError, currency } = payment
  const next = nextAttempt(nextAt)
  switch (state) {
    case 'paid':
      return 'It paid its order, or a part of it.'
    case 'disputed':
      return "The customer's bank disputes it. Answer in the provider's dashboard. Until the dispute is over, nothing is refunded."
    case 'dispute_lost':
      return 'The dispute is lost, and the provider took the money back. Cancel the order, or resolve it.'
    case 'unknown':
      return 'It came in for an order that this shop does not have. Refund it in the provider’s dashboard, unless it belongs to another shop.'
    case 'refund_refused':
      if (payment.order)
        return `The provider refuses the refund. The next attempt is ${next}, unless you give it up.`
      return `The provider refuses the refund. The next attempt is ${next}. Pay the customer in another way, and resolve it.`
    case 'refund_missing':
      return `The provider has refunded less than the ${money(payment.refunded, currency)} that this shop knows of. Compare the two.`
    case 'refunded_elsewhere':
      return `${refundedPart(payment, money)} is refunded, more than this shop has requested. Compare it with the provider’s dashboard; cancel the order if it is not to be sent.`
    case 'refund_pending':
      if (lastError) return `The refund failed. The next attempt is ${next}.`
      return `The payment will be refunded. The next attempt is ${next}.`
    case 'expired':
      return 'It has an order, but the money was never captured, or was refunded. Cancel the order, or ask the customer to pay.'
    case 'amount_mismatch':
      return 'It has an order, but the provider reports another amount. Compare the two.'
    case 'paid_cancelled':
      return 'Its order is cancelled, and not all of its money is refunded. Refund the rest, send the order after all if it was paid in full, or say why you keep the money.'
    case 'unmatched':
      return describeUnmatched(lastError, next)
    case 'refunding':
      return `The provider has accepted the refund. Its progress is checked ${next}.`
    case 'capture_pending':
      return `It has an order, but the money is only authorised. The next capture attempt is ${next}.`
    case 'started':
      return `It was not paid yet. The provider is polled ${next}. ${reservation(reservedUntil)}`
    case 'owed':
    case 'overdue':
      return describeOwed(payment)
    case 'refunded':
      return 'The payment was refunded.'
    case 'voided':
      return 'The bank had authorised it, and it was never captured. Nothing has to be refunded.'
    case 'order_refunded':
      return `${refundedPart(payment, money)} was refunded. Its order stands.`
    case 'resolved':
      return `Resolved at ${formatTime(payment.resolvedAt ?? payment.createdAt)}: ${payment.resolutionNote}`
  }
}

/** A payment in the admin's list: its customer, its amount, and the next action. */
export function ListedPaymentCard({ payment }: { payment: ListedPayment }) {
  const { state, buyer, order, amount, currency, createdAt, reason, lastError } = payment
  const nameId = useId()
  const money = useMoney()
  return (
    <article
      aria-labelledby={nameId}
      className="wrap-anywhere grid gap-x-6 gap-y-3 p-4 sm:px-6 lg:grid-cols-[14rem_minmax(0,1fr)_15rem]"
    >
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <strong className="font-display text-xl">{money(amount, currency)}</strong>
          <span className={`badge badge-sm ${TONES[state]}`}>{STATE_NAMES[state]}</span>
        </p>
        <Time at={createdAt} className="text-base-content/75 text-sm" />
      </div>
      <div className="space-y-1">
        <p>{describe(payment, money)}</p>
        {lastError && <p className="text-error text-sm">The provider says: {lastError}</p>}
        {reason && <p className="text-base-content/75 text-sm">{reason}</p>}
      </div>
      <div className="text-sm">
        <h2 id={nameId} className="font-semibold">
          {buyer?.name ?? 'Unknown customer'}
        </h2>
        {buyer && <p className="text-base-content/75">{buyer.email}</p>}
        <Ids payment={payment} />
        <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
          <HistoryLink object={payment.paymentId} describedBy={nameId} />
          {order && (
            <Link to={`${href('/dashboard/admin/orders')}?q=%23${order.number}`} className="link">
              Order {order.number}
            </Link>
          )}
          {state === 'refund_refused' && order && <GiveUpButton orderId={order._id} />}
          <ResolveButton payment={payment} />
        </div>
      </div>
    </article>
  )
}

function Ids({ payment: { payment } }: { payment: ListedPayment }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-2 text-base-content/75 text-xs">
      {payment.razorpay_payment_id && (
        <>
          <dt>Payment</dt>
          <dd>{payment.razorpay_payment_id}</dd>
        </>
      )}
      <dt>Order</dt>
      <dd>{payment.razorpay_order_id}</dd>
    </dl>
  )
}
