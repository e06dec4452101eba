import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Order } from '#app/orders/contract.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { MoneyField } from '#app/shared/web/form/money-field.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { GiveUpButton } from './give-up-button.tsx'

/** The money of the order that was not refunded yet, in major units. */
const leftOf = ({ total, refunded = 0 }: Order) => Math.round((total - refunded) * 100) / 100

/** Whether the order can be refunded: money is left, or it cost nothing and has no refund yet. */
const isRefundable = (order: Order) =>
  leftOf(order) > 0 || (order.total === 0 && order.refundReason === undefined)

/**
 * The button that refunds an order, whole or in part, and after the whole refund the one that returns
 * its pieces to the stock. While the provider refuses a refund, the one that gives it up. Absent when both
 * are done, or a refund is under way.
 */
export function RefundButton({ order }: { order: Order }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const refundable = isRefundable(order)
  if (order.refundRefused) return <GiveUpButton orderId={order._id} />
  if (order.refundPending || !(refundable || !order.stockReturned)) return null
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)} className="btn btn-sm">
        {refundable ? 'Refund' : 'Return to stock'}
      </button>
      {isOpen && refundable && <RefundDialog order={order} onClose={close} />}
      {isOpen && !refundable && <ReturnDialog order={order} onClose={close} />}
    </>
  )
}

type Props = { order: Order; onClose: () => void }

function RefundDialog({ order, onClose }: Props) {
  const { revalidate } = useRevalidator()
  const left = leftOf(order)
  const submit = useSubmit(
    async (field) => {
      const amount = left > 0 ? Number(field('amount')) : left
      const body = {
        reason: field('reason'),
        returnStock: field('returnStock') === 'on',
        // an amount that cannot be read is sent, and refused: without one, everything is refunded
        ...(amount !== left && { amount }),
      }
      const params = { orderId: order._id }
      // also after a failure: the order may have changed
      const refunding = call(paymentAdminCalls.refundOrder, { params, body }).finally(revalidate)
      const { message } = await refunding
      toast.success(message)
      onClose()
    },
    { failed: 'The refund could not be started.', refused: revalidate },
  )
  return (
    <Dialog title={`Refund order ${order.number}`} onClose={onClose}>
      <SubmitForm submit={submit} className="space-y-6">
        {left > 0 && (
          <MoneyField
            label="Amount"
            name="amount"
            currency={order.currency}
            defaultValue={left}
            required
          />
        )}
        <ReasonField />
        {!order.stockReturned && (
          <label className="flex items-center gap-3">
            <input type="checkbox" name="returnStock" className="checkbox" />
            Return the pieces to the stock
          </label>
        )}
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <BusyButton type="submit" busy={submit.busy}>
            Refund
          </BusyButton>
        </div>
      </SubmitForm>
    </Dialog>
  )
}

const ReasonField = () => (
  <>
    <Labelled label="Reason" name="reason">
      {(id, problem) => (
        <textarea
          {...problem}
          id={id}
          name="reason"
          required
          maxLength={500}
          className="textarea w-full bg-base-200"
        />
      )}
    </Labelled>
    <p className="text-base-content/75 text-sm">The customer reads the reason with the order.</p>
  </>
)

/** Returns the pieces of a wholly refunded order; its reason stays as it is. */
function ReturnDialog({ order, onClose }: Props) {
  const { revalidate } = useRevalidator()
  const returnStock = async () => {
    const params = { orderId: order._id }
    const body = { reason: order.refundReason ?? 'Returned to the stock', returnStock: true }
    await call(paymentAdminCalls.refundOrder, { params, body }).finally(revalidate)
    toast.success('The pieces are for sale again')
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Return the pieces of order ${order.number} to the stock?`}
      action="Return to stock"
      onConfirm={returnStock}
      failed="The pieces could not be returned."
      onClose={onClose}
    >
      All the money of this order is refunded. Its pieces will be for sale again.
    </ConfirmDialog>
  )
}
