import type { User } from '#app/accounts/session-contract.ts'
import { dashboardOf, sessionAtom, useLogOut } from '#app/accounts/web/session.ts'
import { href } from '#app/shared/model/href.ts'
import { NavLink } from '#app/shared/web/navigation.tsx'
import { Icon } from '#app/shared/web/pictures.tsx'
import { useHydrated, useStore } from '#app/shared/web/storage.ts'
import { Dropdown } from './dropdown.tsx'

/**
 * Register and Login for a guest, the user's menu otherwise. Both have the same size, so the layout
 * does not shift when the stored session is read. A page is the same bytes for every visitor, so both
 * are rendered before hydration, and the style sheet shows one by `data-signed-in`.
 */
export function AccountMenu() {
  const { user } = useStore(sessionAtom)
  const isHydrated = useHydrated()
  return (
    <li className="flex min-w-0 flex-[2] md:w-44 md:flex-none">
      {!user && (
        <div className={`flex flex-1 ${isHydrated ? '' : 'for-guests'}`}>
          <NavLink href={href('/register')} className="way">
            <Icon name="new-person" className="size-5 md:hidden" />
            Register
          </NavLink>
          <NavLink href={href('/login')} className="way">
            <Icon name="person" className="size-5 md:hidden" />
            Login
          </NavLink>
        </div>
      )}
      {(user || !isHydrated) && <SignedInMenu user={user} />}
    </li>
  )
}

/** The user's name with Dashboard and Logout (spec §2). The user is null before hydration. */
function SignedInMenu({ user }: { user: User | null }) {
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
