import { type ListedUser, userAdminCalls } from '#app/accounts/admin-contract.ts'
import { isAdmin } from '#app/accounts/session-contract.ts'
import { type Filter, loadList } from '#app/back-office/kit/list-query.ts'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import { href } from '#app/shared/model/href.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { Route } from './+types/users-page.ts'

const VIEWS = { '': 'All', customers: 'Customers', admins: 'Admins', closed: 'Closed' }
const FILTERS: Filter[] = [{ name: 'view', kind: 'tabs', options: VIEWS }]

export const clientLoader = (args: Route.ClientLoaderArgs) =>
  loadList(args, userAdminCalls.getAllUsers, FILTERS, 'The users could not be loaded.')

/** Whether a user is an admin, or the account is closed. */
export const stateOf = (user: Pick<ListedUser, 'role' | 'closedAt'>) => {
  if (user.closedAt !== null) return 'Closed'
  return isAdmin(user) ? 'Admin' : ''
}

/** All accounts; titled as in spec §2. */
export default function UsersPage({ loaderData }: Route.ComponentProps) {
  const { currencyDisplay } = useShop()
  const columns: Column<ListedUser>[] = [
    { header: 'Name', sort: 'name', phone: 'title', csv: ({ name }) => name },
    { header: 'State', csv: stateOf },
    { header: 'E-mail', csv: ({ email }) => email },
    { header: 'Orders', align: 'end', phone: 'none', csv: ({ orders }) => orders },
    { header: 'Spent', money: ({ spent }) => [spent, currencyDisplay], phone: 'end' },
    { header: 'Since', sort: 'since', at: ({ createdAt }) => createdAt },
  ]
  return (
    <TablePage
      {...loaderData}
      title="User page"
      what="user"
      columns={columns}
      nameOf={({ name }) => name}
      open={({ _id: userId }) => href('/dashboard/admin/users/:userId', { userId })}
      searchLabel="Search by name or e-mail"
      empty="No users found."
    />
  )
}
