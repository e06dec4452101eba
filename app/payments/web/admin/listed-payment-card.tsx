import { useId } from 'react'
import { Link } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { DOUBTS, type ListedPayment, type PaymentState } from '#app/payments/admin-contract.ts'
import { formatMoney } from '#app/shared/web/money.ts'
import { SeenTo } from './seen-to.tsx'
import { STATE_NAMES } from './state-names.ts'

const TONES: Record<PaymentState, string> = {
  refund_due: 'badge-error',
  unknown: 'badge-error',
  lapsed: 'badge-error',
  other_amount: 'badge-error',
  paid_cancelled: 'badge-error',
  unclaimed: 'badge-warning',
  uncaptured: 'badge-warning',
  refunding: 'badge-info',
  started: 'badge-neutral',
  refunded: 'badge-success',
  never_came: 'badge-neutral',
  given_back: 'badge-neutral',
  handled: 'badge-success',
  seen_to: 'badge-success',
}

/** In these the money has made an order. */
const NAMES_ORDER: PaymentState[] = [...DOUBTS, 'uncaptured', 'given_back']

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const timeOf = (at: string) => clock.format(new Date(at))

/** When something happens next; what should have happened is happening. */
const next = (at: string | null) =>
  at === null || Date.parse(at) <= Date.now() ? 'now' : `at ${timeOf(at)}`

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

/** How much of it is back. */
function partOf({ amount, givenBack, currency }: ListedPayment): string {
  return givenBack >= amount ? 'All of it' : `${formatMoney(givenBack, currency)} of it`
}

/** What becomes of money whose order was not here when it was reported. */
function whatIsUnknown(payment: ListedPayment): string {
  if (payment.paymentId) return 'Its payment is known by now, and was settled like any other.'
  if (payment.state === 'handled') return 'It was given back at the provider.'
  const back = payment.givenBack > 0 ? ` ${partOf(payment)} was given back there.` : ''
  return `Paid at the provider, unknown here. It is settled when its payment is known again; otherwise give it back at the provider.${back}`
}

const whatIsHeld = (until: string | null) =>
  until
    ? `Its pieces are held until ${timeOf(until)}.`
    : 'No pieces are held for it any more: its buyer left, or the time is over.'

/** What becomes of it without anybody's help. */
function whatIsDone(payment: ListedPayment): string {
  const { state, tries, nextAt, heldUntil, lastError } = payment
  switch (state) {
    case 'refund_due':
      if (tries === 0)
        return `The money is to go back. The provider is asked for it ${next(nextAt)}.`
      return `The refund failed ${times(tries)}. It is tried again ${next(nextAt)}.`
    case 'unknown':
    case 'handled':
      return whatIsUnknown(payment)
    case 'lapsed':
      return 'It made an order, but the money never came in or went back. Cancel the order, or ask its buyer to pay.'
    case 'other_amount':
      return 'It made an order, but the provider says that another amount came in. Compare the two.'
    case 'uncaptured':
      return `It made an order, but the money is only promised yet. The provider is asked for it ${next(nextAt)}.`
    case 'paid_cancelled':
      return 'It came in when its order was cancelled. Give it back at the provider, or send the order after all.'
    case 'unclaimed':
      if (lastError)
        return `It came in, but the provider does not tell of its order yet. It is asked again ${next(nextAt)}.`
      return `Nobody has said what it is for. It goes back ${next(nextAt)}, unless its buyer claims it.`
    case 'refunding': {
      const before = tries > 0 ? ` It failed ${times(tries)} before.` : ''
      return `The provider has taken the refund on. It is asked ${next(nextAt)} whether the money is back.${before}`
    }
    case 'started':
      return `Nothing came in yet. The provider is asked ${next(nextAt)}. ${whatIsHeld(heldUntil)}`
    case 'refunded':
      return 'The money went back.'
    case 'never_came':
      return 'A bank had promised it, and nobody took it. Nothing has to go back.'
    case 'given_back':
      return `${partOf(payment)} was given back at the provider. Its order stands.`
    case 'seen_to':
      return `Seen to at ${timeOf(payment.seenToAt ?? payment.createdAt)}: ${payment.seenNote}`
  }
}

/** A payment in the admin's list: whose it is, how much, and what is being done about it. */
export function ListedPaymentCard({ payment }: { payment: ListedPayment }) {
  const { state, buyer, amount, currency, createdAt, reason, lastError } = payment
  const nameId = useId()
  return (
    <article
      aria-labelledby={nameId}
      className="wrap-anywhere grid gap-x-6 gap-y-3 p-4 sm:px-6 lg:grid-cols-[14rem_minmax(0,1fr)_15rem]"
    >
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <strong className="font-display text-xl">{formatMoney(amount, currency)}</strong>
          <span className={`badge badge-sm ${TONES[state]}`}>{STATE_NAMES[state]}</span>
        </p>
        <time dateTime={createdAt} className="text-base-content/75 text-sm">
          {timeOf(createdAt)}
        </time>
      </div>
      <div className="space-y-1">
        <p>{whatIsDone(payment)}</p>
        {lastError && <p className="text-error text-sm">The provider says: {lastError}</p>}
        {reason && <p className="text-base-content/75 text-sm">{reason}</p>}
      </div>
      <div className="text-sm">
        <h2 id={nameId} className="font-semibold">
          {buyer?.name ?? 'Nobody who is known'}
        </h2>
        {buyer && <p className="text-base-content/75">{buyer.email}</p>}
        <Ids payment={payment} />
        <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
          <HistoryLink object={payment.historyId} describedBy={nameId} />
          {NAMES_ORDER.includes(state) && (
            <Link to={`/dashboard/admin/orders?q=${payment._id}`} className="link">
              Order
            </Link>
          )}
          <SeenTo payment={payment} />
        </p>
      </div>
    </article>
  )
}

function Ids({ payment: { payment, receipt } }: { payment: ListedPayment }) {
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
      {receipt && (
        <>
          <dt>Receipt</dt>
          <dd>{receipt}</dd>
        </>
      )}
    </dl>
  )
}
