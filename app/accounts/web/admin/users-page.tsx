import { useLocation } from 'react-router'
import { USERS_PAGE_SIZE, userAdminCalls } from '#app/accounts/admin-contract.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { ListSearch, ListTitle, Pages } from '#app/shared/web/list.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import type { Route } from './+types/users-page.ts'
import { ListedUserCard } from './listed-user-card.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const page = pageOf(searchParams)
  const q = searchParams.get('q') ?? ''
  const query = { page, ...(q && { q }) }
  const found = await loadOrToast(
    context.get(callContext).counted(userAdminCalls.getAllUsers, { query }),
    'The users could not be loaded.',
  )
  return { found, page, q }
}

/** All accounts, newest first; titled as in spec §2. */
export default function UsersPage({ loaderData: { found, page, q } }: Route.ComponentProps) {
  const last = useLastLoaded(found, useLocation().search)
  return (
    <section className="space-y-6">
      <PageHead title="User page" hidden />
      <header className="flex flex-wrap items-end justify-between gap-4">
        <ListTitle title="User page" counted={last && pluralize(last.total, 'user', q !== '')} />
        <ListSearch label="Search by name or e-mail" />
      </header>
      {!found && <NotLoaded />}
      {last && (
        <>
          <ul className="surface divide-y divide-base-300">
            {last.items.map((user) => (
              <li key={user._id}>
                <ListedUserCard user={user} />
              </li>
            ))}
            {last.items.length === 0 && (
              <li className="px-6 py-16 text-center text-lg">No users found.</li>
            )}
          </ul>
          <Pages page={page} total={last.total} pageSize={USERS_PAGE_SIZE} />
        </>
      )}
    </section>
  )
}
