import { useState } from 'react'
import { toast } from 'react-hot-toast'
import { useRevalidator } from 'react-router'
import type { Order } from '#app/orders/contract.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy-button.tsx'
import { Dialog } from '#app/shared/web/dialog/dialog.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'

/** What is left of the order's money, in major units. */
const leftOf = ({ total, refunded = 0 }: Order) => Math.round((total - refunded) * 100) / 100

/** The button that refunds an order, whole or in part; absent when nothing is left, or it is under way. */
export function RefundButton({ order }: { order: Order }) {
  const [isOpen, setIsOpen] = useState(false)
  if (order.refundPending || leftOf(order) <= 0) return null
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)} className="btn btn-sm">
        Refund
      </button>
      {isOpen && <RefundDialog order={order} onClose={() => setIsOpen(false)} />}
    </>
  )
}

type Props = { order: Order; onClose: () => void }

function RefundDialog({ order, onClose }: Props) {
  const { revalidate } = useRevalidator()
  const left = leftOf(order)
  const { busy, form } = useSubmit(
    async (field) => {
      const amount = Number(field('amount'))
      const body = {
        reason: field('reason'),
        returnStock: field('returnStock') === 'on',
        ...(amount < left && { amount }),
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
    <Dialog title="Refund this order" onClose={onClose}>
      <form {...form} className="space-y-6">
        <RefundFields left={left} />
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <BusyButton type="submit" busy={busy}>
            Refund
          </BusyButton>
        </div>
      </form>
    </Dialog>
  )
}

function RefundFields({ left }: { left: number }) {
  return (
    <>
      <Labelled label="Amount">
        {(id) => (
          <input
            id={id}
            name="amount"
            type="number"
            inputMode="decimal"
            required
            min={0.01}
            max={left}
            step={0.01}
            defaultValue={left}
            className="input w-full bg-base-200"
          />
        )}
      </Labelled>
      <Labelled label="Reason">
        {(id) => (
          <textarea
            id={id}
            name="reason"
            required
            maxLength={500}
            className="textarea w-full bg-base-200"
          />
        )}
      </Labelled>
      <p className="text-base-content/75 text-sm">The customer reads the reason with the order.</p>
      <label className="flex items-center gap-3">
        <input type="checkbox" name="returnStock" className="checkbox" />
        Return the pieces to the stock
      </label>
    </>
  )
}
