import { useState } from 'react'
import { type ListedUser, userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE } from '#app/accounts/session-contract.ts'
import { ChangeDialog } from '#app/back-office/form-dialog.tsx'
import { call } from '#app/shared/web/browser-call.ts'

/** The changes of a user's account, each with the text that asks for its confirmation. */
function changesOf({ _id: userId, name, role }: ListedUser) {
  const params = { userId }
  const isAdmin = role === ADMIN_ROLE
  const changeRole = {
    action: isAdmin ? 'Remove admin' : 'Make admin',
    failed: 'The role could not be changed.',
    title: isAdmin ? `Take the back office from ${name}?` : `Make ${name} an admin?`,
    children: isAdmin
      ? 'They lose access to the back office at once. To reset a forgotten password, they must first set a new security answer in their profile.'
      : 'They can change products, orders and users, as you can. They have to log in again. Their security answer is deleted; only the owner can reset a password that they forget.',
    run: () =>
      call(userAdminCalls.setUserRole, { params, body: { role: isAdmin ? 0 : ADMIN_ROLE } }),
  }
  const endSessions = {
    action: 'End sessions',
    failed: 'The sessions could not be ended.',
    title: `Sign ${name} out everywhere?`,
    children: 'This user has to log in again on every device.',
    run: () => call(userAdminCalls.endUserSessions, { params }),
  }
  const close = {
    action: 'Close account',
    failed: 'The account could not be closed.',
    title: `Close the account of ${name}?`,
    children:
      "This cannot be undone. Name, e-mail, phone and addresses are deleted, also from past orders. The orders themselves stay. If your books need the buyer's details, export the orders first.",
    run: () => call(userAdminCalls.closeUserAccount, { params }),
  }
  return isAdmin ? [changeRole, endSessions] : [changeRole, endSessions, close]
}

/** Changes a user's role, ends sessions, and closes the account, each after a confirmation. */
export function UserActions({ user }: { user: ListedUser }) {
  const [chosen, setChosen] = useState<ReturnType<typeof changesOf>[number] | null>(null)
  return (
    <>
      {changesOf(user).map((change) => (
        <button
          key={change.action}
          type="button"
          onClick={() => setChosen(change)}
          className="btn btn-sm"
        >
          {change.action}
        </button>
      ))}
      {chosen && <ChangeDialog {...chosen} onClose={() => setChosen(null)} />}
    </>
  )
}
