import { Checkbox } from '#app/back-office/fields.tsx'
import { ChangeDialog, FormDialog } from '#app/back-office/form-dialog.tsx'
import { DialogButton } from '#app/back-office/row-actions.tsx'
import type { Order } from '#app/orders/contract.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { MoneyField } from '#app/shared/web/form/money-field.tsx'
import { TextArea } from '#app/shared/web/form/text-area.tsx'
import type { Fields } from '#app/shared/web/form/use-submit.ts'

/** The money that came in for the order and was not refunded yet, in major units. */
const leftOf = ({ total, paymentMethod, refunded = 0 }: Order) =>
  Math.round(((paymentMethod?.received ?? total) - refunded) * 100) / 100

/** Whether the order can be refunded: money is left, or it cost nothing and has no refund yet. */
const isRefundable = (order: Order) =>
  leftOf(order) > 0 || (order.total === 0 && order.refundReason === undefined)

/**
 * The button that refunds an order, whole or in part, and after the whole refund the one that returns
 * its pieces to the stock. While the provider refuses a refund, the one that gives it up. Absent when both
 * are done, or a refund is under way, and for an order that is not paid in full: it is cancelled first.
 */
export function RefundButton({ order }: { order: Order }) {
  const refundable = isRefundable(order)
  if (order.refundRefused) return <GiveUpButton orderId={order._id} />
  if (order.unpaid || order.refundPending || !(refundable || !order.stockReturned)) return null
  const OrderDialog = refundable ? RefundDialog : ReturnDialog
  return (
    <DialogButton dialog={(close) => <OrderDialog order={order} onClose={close} />}>
      {refundable ? 'Refund' : 'Return to stock'}
    </DialogButton>
  )
}

type Props = { order: Order; onClose: () => void }

function RefundDialog({ order, onClose }: Props) {
  const left = leftOf(order)
  const refund = (field: Fields) => {
    const amount = left > 0 ? Number(field('amount')) : left
    const body = {
      reason: field('reason'),
      returnStock: field('returnStock') === 'on',
      // an amount that cannot be read is sent, and refused: without one, everything is refunded
      ...(amount !== left && { amount }),
    }
    return call(paymentAdminCalls.refundOrder, { params: { orderId: order._id }, body })
  }
  return (
    <FormDialog
      title={`Refund order ${order.number}`}
      action="Refund"
      save={refund}
      failed="The refund could not be started."
      onClose={onClose}
    >
      {left > 0 && (
        <MoneyField
          label="Amount"
          name="amount"
          currency={order.currency}
          defaultValue={left}
          required
        />
      )}
      <TextArea
        label="Reason"
        name="reason"
        hint="The customer reads the reason with the order."
        required
        maxLength={500}
      />
      {order.paymentMethod && (
        <p>
          No payment provider has this money: send it to the customer yourself. The shop records the
          refund.
        </p>
      )}
      {!order.stockReturned && (
        <Checkbox label="Return the pieces to the stock" name="returnStock" />
      )}
    </FormDialog>
  )
}

/** Returns the pieces of a wholly refunded order; its reason stays as it is. */
function ReturnDialog({ order, onClose }: Props) {
  const returnStock = async () => {
    const params = { orderId: order._id }
    const body = { reason: order.refundReason ?? 'Returned to the stock', returnStock: true }
    await call(paymentAdminCalls.refundOrder, { params, body })
    return { message: 'The pieces are for sale again' }
  }
  return (
    <ChangeDialog
      title={`Return the pieces of order ${order.number} to the stock?`}
      action="Return to stock"
      run={returnStock}
      failed="The pieces could not be returned."
      onClose={onClose}
    >
      All the money of this order is refunded. Its pieces will be for sale again.
    </ChangeDialog>
  )
}

/** The button that gives up a refund of an order, which the provider refuses. */
export const GiveUpButton = ({ orderId }: { orderId: string }) => (
  <DialogButton
    dialog={(close) => (
      <ChangeDialog
        title="Give up this refund?"
        action="Give up refund"
        run={() => call(paymentAdminCalls.giveUpRefund, { params: { orderId } })}
        failed="The refund could not be given up."
        onClose={close}
      >
        It is not tried again, and its money stays with the order. You can start another refund.
      </ChangeDialog>
    )}
  >
    Give up refund
  </DialogButton>
)
