import { useState } from 'react'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { DialogButton } from '#app/back-office/kit/dialog-button.tsx'
import { Checkbox, LongText } from '#app/back-office/kit/fields.tsx'
import { FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { Notes } from '#app/back-office/kit/notes.tsx'
import { Columns, Page } from '#app/back-office/kit/page.tsx'
import { formatTime } from '#app/back-office/kit/time.tsx'
import { useMinorMoney } from '#app/back-office/kit/use-minor-money.ts'
import { MailCheckbox } from '#app/emails/web/admin/mail-checkbox.tsx'
import { orderHandlingCalls } from '#app/orders/handling-contract.ts'
import { orderMoneyCalls } from '#app/payments/order-admin-contract.ts'
import { BY_HAND, type RefundProps } from '#app/payments/web/admin/order-money.tsx'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import type { Fields } from '#app/shared/web/form/use-submit.ts'
import { loadOrFailure } from '#app/shared/web/load.ts'
import type { Route } from './+types/order-page.ts'
import {
  AddressCard,
  LinesCard,
  NextStep,
  type OrderProps,
  PaymentCard,
  ShipmentCard,
} from './order-cards.tsx'
import { StatusDialog, StatusSelect } from './order-changes.tsx'
import { Timeline } from './timeline.tsx'

async function load({ params }: Route.ClientLoaderArgs) {
  const [detail, refundable] = await Promise.all([
    call(orderHandlingCalls.getOrderDetail, { params }),
    call(orderMoneyCalls.getRefundable, { params }),
  ])
  return { ...detail, refundable }
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadOrFailure(load(args))

/** All of an order: what to do next, what was sold, its money, where it goes, and what happened. */
export default function OrderPage({ loaderData, params: { orderId } }: Route.ComponentProps) {
  // a failed reload keeps what is entered in a dialog
  const detail = useLastLoaded(loaderData.loaded, orderId)
  if (!detail) return <ErrorPage error={loaderData.failure} />
  const { order, notes } = detail
  return (
    <Page
      title={`Order ${order.number}`}
      back={{ href: href('/dashboard/admin/orders'), label: 'All Orders' }}
      tools={<Actions detail={detail} />}
    >
      <p className="wrap-anywhere text-base-content/75">
        {formatTime(order.createAt)} ·{' '}
        <a
          href={href('/dashboard/admin/users/:userId', { userId: order.buyer._id })}
          className="link"
        >
          {order.buyer.name}
        </a>{' '}
        {order.test && (
          <span className="badge badge-warning badge-sm">Test: no money was taken</span>
        )}
      </p>
      <Columns
        side={
          <>
            <ShipmentCard detail={detail} />
            <AddressCard detail={detail} />
            <Notes
              about={`order ${order.number}`}
              notes={notes.map(({ createdAt, ...note }) => ({ ...note, at: createdAt }))}
              empty="None. Customers never see notes."
              add={(text) =>
                call(orderHandlingCalls.addOrderNote, { params: { orderId }, body: { text } })
              }
              remove={(id) => call(orderHandlingCalls.deleteOrderNote, { params: { id } })}
            />
          </>
        }
      >
        <NextStep detail={detail} />
        <LinesCard detail={detail} />
        <PaymentCard detail={detail} />
      </Columns>
      <Timeline detail={detail} />
    </Page>
  )
}

/** The status, what can be printed, and what else can be done with the order. */
function Actions({ detail: { order, invoice, refundable } }: OrderProps) {
  const { _id: orderId, number, total, paymentMethod, status } = order
  const selection = { ids: [orderId], filter: null, count: 1, text: `order ${number}` }
  return (
    <>
      <StatusSelect order={order} />
      <DialogButton dialog={<StatusDialog selection={selection} initial={status} mails={false} />}>
        Set status without e-mail …
      </DialogButton>
      <a
        href={href('/dashboard/admin/orders/:orderId/packing-slip', { orderId })}
        className="btn btn-sm"
      >
        Packing slip
      </a>
      {(!paymentMethod || paymentMethod.received >= total) && (
        <a
          href={href('/dashboard/admin/orders/:orderId/invoice', { orderId })}
          aria-label={`${invoice ? `Invoice ${invoice}` : 'Invoice'} of order ${number}`}
          className="btn btn-sm"
        >
          Invoice {invoice}
        </a>
      )}
      {status !== 'cancel' && (
        <DialogButton dialog={<CancelDialog order={order} refundable={refundable} />}>
          Cancel order
        </DialogButton>
      )}
      <HistoryLink object={orderId} className="btn btn-sm" />
    </>
  )
}

/** Cancels an order with its stock and its money. */
function CancelDialog({ order, refundable }: RefundProps) {
  const { leftMinor, isUnpaid, isByHand, currency, parts } = refundable
  const left = useMinorMoney()(leftMinor, currency)
  // of this request: sent again after a lost answer, it refunds once
  const [key] = useState(() => crypto.randomUUID())
  const kept = parts
    .filter(({ kind }) => kind === 'product')
    .reduce((sum, { quantity, returned }) => sum + quantity - returned, 0)
  // the money of an unpaid order can be refunded once it is cancelled
  const refusal = isUnpaid ? null : refundable.refusal
  const canRefund = leftMinor > 0 && refusal === null
  const cancel = (field: Fields) =>
    call(orderMoneyCalls.cancelOrder, {
      params: { orderId: order._id },
      body: {
        refund: field('refund') === 'on',
        returnStock: field('returnStock') === 'on',
        mails: field('mails') === 'on',
        reason: field('reason'),
        key,
      },
    })
  return (
    <FormDialog
      title={`Cancel order ${order.number}?`}
      action="Cancel order"
      refusal="Keep order"
      save={cancel}
      failed="The order could not be cancelled."
      values={{ refund: true, returnStock: true, mails: true }}
    >
      {canRefund && <Checkbox label={`Refund ${left}`} name="refund" />}
      {leftMinor > 0 && refusal !== null && <p>{refusal}</p>}
      {leftMinor === 0 && <p>No money of this order is left to refund.</p>}
      {canRefund && isByHand && <p>{BY_HAND}</p>}
      {kept > 0 && !isUnpaid && (
        <Checkbox
          label={`Return ${kept === 1 ? 'the piece' : `the ${kept} pieces`} to the stock`}
          name="returnStock"
        />
      )}
      {isUnpaid && <p>It is not paid in full: its pieces are for sale again, for good.</p>}
      {canRefund && (
        <LongText
          label="Reason"
          name="reason"
          hint="If any. The customer reads it with the refund."
        />
      )}
      <MailCheckbox label={`Tell ${order.buyer.name} by e-mail`} email={order.delivery.email} />
    </FormDialog>
  )
}
