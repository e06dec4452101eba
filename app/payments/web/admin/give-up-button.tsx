import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { toast } from '#app/shared/web/toast.tsx'

/** The button that gives up a refund of an order, which the provider refuses. */
export function GiveUpButton({ orderId }: { orderId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const { revalidate } = useRevalidator()
  const giveUp = async () => {
    const giving = call(paymentAdminCalls.giveUpRefund, { params: { orderId } })
    // also after a failure: the refund may have changed
    const { message } = await giving.finally(revalidate)
    toast.success(message)
    setIsOpen(false)
  }
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)} className="btn btn-sm">
        Give up refund
      </button>
      {isOpen && (
        <ConfirmDialog
          title="Give up this refund?"
          action="Give up refund"
          onConfirm={giveUp}
          failed="The refund could not be given up."
          onClose={() => setIsOpen(false)}
        >
          It is not tried again, and its money stays with the order. You can start another refund.
        </ConfirmDialog>
      )}
    </>
  )
}
