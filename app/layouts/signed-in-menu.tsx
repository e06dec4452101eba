import type { User } from '#app/accounts/session-contract.ts'
import { dashboardOf, useLogOut } from '#app/accounts/web/session.ts'
import { Icon } from '#app/shared/web/pictures.tsx'
import { Dropdown } from './dropdown.tsx'

/** The user's name with Dashboard and Logout (spec §2). The user is null before hydration. */
export function SignedInMenu({ user }: { user: User | null }) {
  const logOut = useLogOut()
  return (
    <Dropdown
      id="account-menu"
      className={user ? '' : 'for-users'}
      label={
        <>
          <Icon name="person" className="size-5 md:hidden" />
          <span className={`max-w-full truncate ${user ? '' : 'user-name'}`}>{user?.name}</span>
        </>
      }
    >
      <li>
        <a
          href={user ? dashboardOf(user) : undefined}
          data-needs-script={user ? undefined : ''}
          className="entry"
        >
          Dashboard
        </a>
      </li>
      <li>
        <button type="button" onClick={logOut} className="entry">
          Logout
        </button>
      </li>
    </Dropdown>
  )
}
