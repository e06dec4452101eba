import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { DialogButton } from '#app/back-office/kit/dialog-button.tsx'
import { LongText } from '#app/back-office/kit/fields.tsx'
import { FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { type Filter, loadList } from '#app/back-office/kit/list-query.ts'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import {
  type ListedPayment,
  PAYMENT_FILTERS,
  type PaymentFilter,
  paymentAdminCalls,
  RESOLVABLE_STATES,
} from '#app/payments/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { Route } from './+types/payments-page.ts'
import { GiveUpButton } from './order-money.tsx'
import { describe, nameOfState, toneOf } from './payment-states.ts'

const TABS = ['needs_attention', 'paid', 'owed', 'overdue', 'order_refunded'] as const

const optionsOf = (values: readonly PaymentFilter[]) =>
  values.map((value) => ({ value, label: nameOfState(value) }))

const FILTERS: Filter[] = [
  { name: 'state', label: 'State', options: optionsOf(PAYMENT_FILTERS) },
  { name: 'state', kind: 'tabs', options: [{ value: '', label: 'All' }, ...optionsOf(TABS)] },
]

export const clientLoader = (args: Route.ClientLoaderArgs) =>
  loadList(args, paymentAdminCalls.getPayments, FILTERS, 'The payments could not be loaded.')

const buyerOf = ({ buyer }: ListedPayment) => buyer?.name ?? 'Unknown customer'

const idOf = ({ payment }: ListedPayment) =>
  payment.razorpay_payment_id ?? payment.razorpay_order_id

const COLUMNS: Column<ListedPayment>[] = [
  {
    header: 'Customer',
    cell: (payment) => (
      <div className="max-w-64 wrap-break-word">
        <p id={payment._id} className="font-medium">
          {buyerOf(payment)}
        </p>
        <p className="text-base-content/75">{payment.buyer?.email}</p>
      </div>
    ),
    csv: ({ buyer }) => buyer?.email ?? '',
    phone: 'title',
  },
  { header: 'Amount', money: ({ amount, currency }) => [amount, currency], phone: 'end' },
  {
    header: 'Order',
    cell: ({ order }) =>
      order && (
        <a
          href={href('/dashboard/admin/orders/:orderId', { orderId: order._id })}
          className="link whitespace-nowrap"
        >
          Order {order.number}
        </a>
      ),
    csv: ({ order }) => order?.number ?? '',
  },
  { header: 'Date', at: ({ createdAt }) => createdAt },
  {
    header: 'State',
    cell: (payment) => <State payment={payment} />,
    csv: ({ state }) => nameOfState(state),
    phone: 'break',
  },
  {
    header: 'Payment',
    cell: (payment) => <span className="whitespace-nowrap">{idOf(payment)}</span>,
    csv: idOf,
    phone: 'break',
  },
]

/** Payments, newest first, with the next action of those that did not simply pay their order. */
export default function PaymentsPage({ loaderData }: Route.ComponentProps) {
  return (
    <TablePage
      {...loaderData}
      title="Payments"
      what="payment"
      columns={COLUMNS}
      nameOf={(payment) => `the payment of ${buyerOf(payment)}`}
      empty="There are no such payments."
    />
  )
}

/** The state of a payment, what happens next, and what the merchant can do. */
function State({ payment }: { payment: ListedPayment }) {
  const { _id, state, order, reason, lastError, paymentId } = payment
  const text = describe(payment, useMoney())
  // a refused refund of an order is given up
  const isGivenUp = state === 'refund_refused' && order !== null
  return (
    <div className="wrap-anywhere min-w-40 space-y-1">
      <div className="flex items-center gap-3">
        <span className={`badge badge-sm ${toneOf(state)}`}>{nameOfState(state)}</span>
        <HistoryLink object={paymentId} describedBy={_id} />
      </div>
      {state !== 'paid' && <p>{text}</p>}
      {lastError && <p className="text-error">{lastError}</p>}
      {reason && <p className="text-base-content/75">{reason}</p>}
      {isGivenUp ? <GiveUpButton orderId={order._id} /> : <ResolveButton {...payment} />}
    </div>
  )
}

/** Resolves an issue, or changes the note of a resolved one. */
function ResolveButton({ _id: id, state, resolutionNote }: ListedPayment) {
  const isResolved = state === 'resolved'
  if (!isResolved && !RESOLVABLE_STATES.some((one) => one === state)) return null
  const dialog = (
    <FormDialog
      title="How was it resolved?"
      action="Resolve"
      save={(field) =>
        call(paymentAdminCalls.resolvePayment, { params: { id }, body: { note: field('note') } })
      }
      failed="The note could not be saved."
      values={{ note: resolutionNote }}
    >
      <LongText label="Note" name="note" required maxLength={500} />
      <p className="text-base-content/75 text-sm">
        The payment needs no attention then, and is found under “Resolved”.
      </p>
    </FormDialog>
  )
  return <DialogButton dialog={dialog}>{isResolved ? 'Change note' : 'Resolve'}</DialogButton>
}
