import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ListPage } from '#app/back-office/list-page.tsx'
import { ListSearch } from '#app/shared/web/list.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import type { Route } from './+types/users-page.ts'
import { ListedUserCard } from './listed-user-card.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const q = searchParams.get('q') ?? ''
  const query = { page: pageOf(searchParams), ...(q && { q }) }
  const found = await loadOrToast(
    context.get(callContext).counted(userAdminCalls.getAllUsers, { query }),
    'The users could not be loaded.',
  )
  return { found, q }
}

/** All accounts, newest first; titled as in spec §2. */
export default function UsersPage({ loaderData: { found, q } }: Route.ComponentProps) {
  return (
    <ListPage
      title="User page"
      what="user"
      isSearch={q !== ''}
      found={found}
      entry={(user) => <ListedUserCard user={user} />}
      empty="No users found."
      tools={<ListSearch label="Search by name or e-mail" />}
    />
  )
}
