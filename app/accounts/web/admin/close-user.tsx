import { useState } from 'react'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ChangeDialog } from '#app/back-office/form-dialog.tsx'
import { call } from '#app/shared/web/browser-call.ts'

/** Closes a user's account, after a confirmation. */
export function CloseUser({ userId, name }: { userId: string; name: string }) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setConfirming(true)} className="btn btn-sm">
        Close account
      </button>
      {isConfirming && (
        <ChangeDialog
          failed="The account could not be closed."
          onClose={() => setConfirming(false)}
          title={`Close the account of ${name}?`}
          action="Close account"
          run={() => call(userAdminCalls.closeUserAccount, { params: { userId } })}
        >
          This cannot be undone. Name, e-mail, phone and addresses are deleted, also from past
          orders. The orders themselves stay. If your books need the buyer's details, export the
          orders first.
        </ChangeDialog>
      )}
    </>
  )
}
