import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { toast } from '#app/shared/web/toast.tsx'

/** Closes a user's account, after a confirmation. */
export function CloseUser({ userId, name }: { userId: string; name: string }) {
  const { revalidate } = useRevalidator()
  const [isConfirming, setConfirming] = useState(false)
  const close = async () => {
    const { message } = await call(userAdminCalls.closeUserAccount, { params: { userId } })
    toast.success(message)
    setConfirming(false)
    await revalidate()
  }
  return (
    <>
      <button type="button" onClick={() => setConfirming(true)} className="btn btn-sm">
        Close account
      </button>
      {isConfirming && (
        <ConfirmDialog
          failed="The account could not be closed."
          onClose={() => setConfirming(false)}
          title={`Close the account of ${name}?`}
          action="Close account"
          onConfirm={close}
        >
          This cannot be undone. Name, e-mail, phone and addresses are deleted, also from past
          orders. The orders themselves stay. If your books need the buyer's details, export the
          orders first.
        </ConfirmDialog>
      )}
    </>
  )
}
