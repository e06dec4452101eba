import { type ReactNode, useId } from 'react'
import type { ListedUser } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE } from '#app/accounts/session-contract.ts'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { useMoney } from '#app/shared/web/money.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { sessionAtom } from '../session.ts'
import { UserActions } from './user-actions.tsx'

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
