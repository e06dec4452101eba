import { type ReactNode, useId, useState } from 'react'
import { type ListedUser, userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE } from '#app/accounts/session-contract.ts'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { ChangeDialog } from '#app/back-office/form-dialog.tsx'
import { call } from '#app/shared/web/browser-call.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { sessionAtom } from '../session.ts'

/** A user in the admin's list: contact data, orders, and actions. */
export function ListedUserCard({ user }: { user: ListedUser }) {
  const money = useMoney()
  const { currencyCharge, timeZone } = useShop()
  const nameId = useId()
  const oneself = useStore(sessionAtom).user?._id === user._id
  return (
    <article
      aria-labelledby={nameId}
      className="grid items-center gap-x-6 gap-y-4 p-4 sm:px-6 lg:grid-cols-[minmax(0,1fr)_18rem_auto]"
    >
      <div className="wrap-anywhere min-w-0">
        <h2 id={nameId} className="text-lg">
          {user.name}
        </h2>
        <p className="text-base-content/75 text-sm">{user.email}</p>
        <p className="flex gap-3 text-sm">
          <HistoryLink object={user._id} describedBy={nameId} />
          <HistoryLink actor={user._id} describedBy={nameId} />
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-[3rem_3rem_1fr_6rem]">
        <Fact name="Role">{user.role === ADMIN_ROLE ? <strong>Admin</strong> : 'User'}</Fact>
        <Fact name="Orders">{user.orders.toLocaleString('en-US')}</Fact>
        <Fact name="Spent">{money(user.spent, currencyCharge)}</Fact>
        <Fact name="Since">
          <time dateTime={user.createdAt}>
            {new Date(user.createdAt).toLocaleDateString('en-US', {
              dateStyle: 'medium',
              timeZone,
            })}
          </time>
        </Fact>
      </dl>
      <div className="flex flex-wrap gap-2 lg:w-60 lg:justify-end">
        {oneself && <p className="text-base-content/75 text-sm">This is you.</p>}
        {!oneself && !user.closedAt && <UserActions user={user} />}
      </div>
    </article>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-base-content/75 text-xs">{name}</dt>
      <dd className="whitespace-nowrap">{children}</dd>
    </div>
  )
}

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
function UserActions({ user }: { user: ListedUser }) {
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
