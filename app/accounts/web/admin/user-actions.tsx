import { useState } from 'react'
import { type ListedUser, userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE } from '#app/accounts/session-contract.ts'
import { ChangeDialog } from '#app/back-office/form-dialog.tsx'
import { call } from '#app/shared/web/browser-call.ts'

/** The changes of a user's account, each with the text that asks for its confirmation. */
function changesOf({ _id: userId, name, role }: ListedUser) {
  const params = { userId }
  const changeRole = (newRole: 0 | typeof ADMIN_ROLE) => () =>
    call(userAdminCalls.setUserRole, { params, body: { role: newRole } })
  const failed = 'The role could not be changed.'
  const sessions = {
    action: 'End sessions',
    failed: 'The sessions could not be ended.',
    title: `Sign ${name} out everywhere?`,
    children: 'This user has to log in again on every device.',
    run: () => call(userAdminCalls.endUserSessions, { params }),
  }
  if (role === ADMIN_ROLE)
    return [
      {
        action: 'Remove admin',
        failed,
        title: `Take the back office from ${name}?`,
        children:
          'They lose access to the back office at once. To reset a forgotten password, they must first set a new security answer in their profile.',
        run: changeRole(0),
      },
      sessions,
    ]
  return [
    {
      action: 'Make admin',
      failed,
      title: `Make ${name} an admin?`,
      children:
        'They can change products, orders and users, as you can. They have to log in again. Their security answer is deleted; only the owner can reset a password that they forget.',
      run: changeRole(ADMIN_ROLE),
    },
    sessions,
    {
      action: 'Close account',
      failed: 'The account could not be closed.',
      title: `Close the account of ${name}?`,
      children:
        "This cannot be undone. Name, e-mail, phone and addresses are deleted, also from past orders. The orders themselves stay. If your books need the buyer's details, export the orders first.",
      run: () => call(userAdminCalls.closeUserAccount, { params }),
    },
  ]
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
