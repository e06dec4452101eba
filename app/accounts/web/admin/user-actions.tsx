import { useState } from 'react'
import { type ListedUser, userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE } from '#app/accounts/session-contract.ts'
import { ChangeDialog } from '#app/back-office/form-dialog.tsx'
import { call } from '#app/shared/web/browser-call.ts'
import { CloseUser } from './close-user.tsx'

/** Changes a user's role and ends sessions, each after a confirmation. */
export function UserActions({ user: { _id: userId, name, role } }: { user: ListedUser }) {
  const [confirming, setConfirming] = useState<'role' | 'sessions' | null>(null)
  const close = () => setConfirming(null)
  const admin = role === ADMIN_ROLE
  const changeRole = () =>
    call(userAdminCalls.setUserRole, {
      params: { userId },
      body: { role: admin ? 0 : ADMIN_ROLE },
    })
  const endSessions = () => call(userAdminCalls.endUserSessions, { params: { userId } })
  return (
    <>
      <button type="button" onClick={() => setConfirming('role')} className="btn btn-sm">
        {admin ? 'Remove admin' : 'Make admin'}
      </button>
      <button type="button" onClick={() => setConfirming('sessions')} className="btn btn-sm">
        End sessions
      </button>
      {!admin && <CloseUser userId={userId} name={name} />}
      {confirming === 'role' && (
        <ChangeDialog
          failed="The role could not be changed."
          onClose={close}
          title={admin ? `Take the back office from ${name}?` : `Make ${name} an admin?`}
          action={admin ? 'Remove admin' : 'Make admin'}
          run={changeRole}
        >
          {admin
            ? 'They lose access to the back office at once. To reset a forgotten password, they must first set a new security answer in their profile.'
            : 'They can change products, orders and users, as you can. They have to log in again. Their security answer is deleted; only the owner can reset a password that they forget.'}
        </ChangeDialog>
      )}
      {confirming === 'sessions' && (
        <ChangeDialog
          failed="The sessions could not be ended."
          onClose={close}
          title={`Sign ${name} out everywhere?`}
          action="End sessions"
          run={endSessions}
        >
          This user has to log in again on every device.
        </ChangeDialog>
      )}
    </>
  )
}
