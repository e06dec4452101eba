import { useSetAtom } from 'jotai'
import { RESET } from 'jotai/utils'
import { useNavigate } from 'react-router'
import { call, isToken, SESSION_KEY } from '#app/shared/web/browser-call.ts'
import { storedAtom } from '#app/shared/web/storage/stored-atom.ts'
import { ADMIN_ROLE, sessionCalls, type User } from '../session-contract.ts'

export type Session = { user: User | null; token: string }

const SIGNED_OUT: Session = { user: null, token: '' }

type Unknown<T> = { [Key in keyof T]?: unknown }

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The user as stored, or null when it is none. A field that is missing is empty. */
function cleanUser(stored: unknown): User | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { _id, name, email, phone, address, role }: Unknown<User> = stored
  if (typeof _id !== 'string' || typeof name !== 'string') return null
  return {
    ...{ _id, name, email: text(email), phone: text(phone), address: text(address) },
    role: typeof role === 'number' ? role : 0,
  }
}

/** Both a user and a token, or nobody. */
function cleanSession(stored: unknown): Session {
  if (typeof stored !== 'object' || stored === null) return SIGNED_OUT
  const session: Unknown<Session> = stored
  const user = cleanUser(session.user)
  return user && isToken(session.token) ? { user, token: session.token } : SIGNED_OUT
}

/**
 * Who is signed in in this browser (spec §3), in every tab. The server renders every page as for
 * a guest, so the first render has nobody, and the stored session comes right after it. Logging
 * out sets RESET, which removes the stored entry.
 */
export const sessionAtom = storedAtom<Session>(SESSION_KEY, SIGNED_OUT, cleanSession)

/** Logging out, here and on the server (spec §4). */
export function useLogOut(): () => void {
  const setSession = useSetAtom(sessionAtom)
  const navigate = useNavigate()
  return () => {
    // the call takes the stored token as it starts; whether or not the server can be reached, this
    // browser forgets that very session at once, and none that begins meanwhile
    call(sessionCalls.logout).catch(() => null)
    setSession(RESET)
    void navigate('/login')
  }
}

/** The area of this user, by the role (spec §6). */
export const dashboardOf = ({ role }: User) =>
  role === ADMIN_ROLE ? '/dashboard/admin' : '/dashboard/user'
