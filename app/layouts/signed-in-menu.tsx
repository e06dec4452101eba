import { useSetAtom } from 'jotai'
import { RESET } from 'jotai/utils'
import { Link, useNavigate } from 'react-router'
import { ADMIN_ROLE, accountCalls, type User } from '#app/accounts/contract.ts'
import { sessionAtom } from '#app/accounts/web/session.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { Icon } from '#app/shared/web/icon.tsx'
import { Dropdown } from './dropdown.tsx'

/** The signed-in user's name with Dashboard and Logout (spec §2). */
export function SignedInMenu({ user }: { user: User }) {
  const setSession = useSetAtom(sessionAtom)
  const navigate = useNavigate()
  const logOut = () => {
    // the call takes the stored token as it starts; whether or not the server can be reached, this
    // browser forgets that very session at once, and none that begins meanwhile
    call(accountCalls.logout).catch(() => null)
    setSession(RESET)
    void navigate('/login')
  }
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
        <Link
          to={user.role === ADMIN_ROLE ? '/dashboard/admin' : '/dashboard/user'}
          className="entry"
        >
          Dashboard
        </Link>
      </li>
      <li>
        <button type="button" onClick={logOut} className="entry">
          Logout
        </button>
      </li>
    </Dropdown>
  )
}
