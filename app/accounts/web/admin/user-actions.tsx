import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { type ListedUser, userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE } from '#app/accounts/session-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { toast } from '#app/shared/web/toast.tsx'
import { CloseUser } from './close-user.tsx'

/** Changes a user's role and ends sessions, each after a confirmation. */
export function UserActions({ user: { _id: userId, name, role } }: { user: ListedUser }) {
  const { revalidate } = useRevalidator()
  const [confirming, setConfirming] = useState<'role' | 'sessions' | null>(null)
  const close = () => setConfirming(null)
  const admin = role === ADMIN_ROLE
  /** The list is reloaded also after a failure. */
  const done = async (changing: Promise<{ message: string }>) => {
    const { message } = await changing.finally(revalidate)
    toast.success(message)
    close()
  }
  const changeRole = () =>
    done(
      call(userAdminCalls.setUserRole, {
        params: { userId },
        body: { role: admin ? 0 : ADMIN_ROLE },
      }),
    )
  const endSessions = () => done(call(userAdminCalls.endUserSessions, { params: { userId } }))
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
        <ConfirmDialog
          failed="The role could not be changed."
          onClose={close}
          title={admin ? `Take the back office from ${name}?` : `Make ${name} an admin?`}
          action={admin ? 'Remove admin' : 'Make admin'}
          onConfirm={changeRole}
        >
          {admin
            ? 'They lose access to the back office at once. To reset a forgotten password, they must first set a new security answer in their profile.'
            : 'They can change products, orders and users, as you can. They have to log in again. Their security answer is deleted; only the owner can reset a password that they forget.'}
        </ConfirmDialog>
      )}
      {confirming === 'sessions' && (
        <ConfirmDialog
          failed="The sessions could not be ended."
          onClose={close}
          title={`Sign ${name} out everywhere?`}
          action="End sessions"
          onConfirm={endSessions}
        >
          This user has to log in again on every device.
        </ConfirmDialog>
      )}
    </>
  )
}
