import type { User } from '#app/accounts/session-contract.ts'
import { dashboardOf, useLogOut } from '#app/accounts/web/session.ts'
import { Icon } from '#app/shared/web/icon.tsx'
import { Dropdown } from './dropdown.tsx'

/** The user's name with Dashboard and Logout (spec §2). */
export function SignedInMenu({ user }: { user: User }) {
  const logOut = useLogOut()
  return (
    <Dropdown
      id="account-menu"
      label={
        <>
          <Icon name="person" className="size-5 md:hidden" />
          <span className="max-w-full truncate">{user.name}</span>
        </>
      }
    >
      <li>
        <a href={dashboardOf(user)} className="entry">
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
