import { atom } from 'nanostores'
import { useNavigate } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { call, isToken, SESSION_KEY } from '#app/shared/web/browser-call.ts'
import { storedAtom } from '#app/shared/web/storage.ts'
import { isAdmin, sessionCalls, type User } from '../session-contract.ts'

export type Session = { user: User | null; token: string }

const SIGNED_OUT: Session = { user: null, token: '' }

type Unknown<T> = { [Key in keyof T]?: unknown }

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The stored delivery address; nothing when a part of it is not a text. */
const cleanDelivery = (stored: unknown): Pick<User, 'delivery'> =>
  typeof stored === 'object' &&
  stored !== null &&
  Object.values(stored).every((part) => typeof part === 'string')
    ? { delivery: stored as NonNullable<User['delivery']> }
    : {}

/** The stored user, or null when the value is not a user. A missing field is empty. */
function cleanUser(stored: unknown): User | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { _id, name, email, phone, address, role, delivery }: Unknown<User> = stored
  if (typeof _id !== 'string' || typeof name !== 'string') return null
  return {
    _id,
    name,
    email: text(email),
    phone: text(phone),
    address: text(address),
    role: typeof role === 'number' ? role : 0,
    ...cleanDelivery(delivery),
  }
}

/** The session, or signed out when user or token is missing. */
function cleanSession(stored: unknown): Session {
  if (typeof stored !== 'object' || stored === null) return SIGNED_OUT
  const session: Unknown<Session> = stored
  const user = cleanUser(session.user)
  return user && isToken(session.token) ? { user, token: session.token } : SIGNED_OUT
}

/**
 * The session of this browser, shared by all tabs (spec §3). The server renders every page signed
 * out, so the first render is signed out and the stored session follows immediately. Logging out
 * resets it, which removes the stored entry.
 */
export const sessionAtom = storedAtom(SESSION_KEY, atom(SIGNED_OUT), cleanSession)

/** Logs out in this browser and on the server (spec §4). */
export function useLogOut(): () => void {
  const navigate = useNavigate()
  return () => {
    // The call reads the stored token when it starts. Whether or not the server can be reached,
    // this browser removes that session at once, and no session that is created meanwhile.
    call(sessionCalls.logout).catch(() => null)
    sessionAtom.reset()
    void navigate(href('/login'))
  }
}

/** The user's dashboard, by role (spec §6). */
export const dashboardOf = (user: User) =>
  isAdmin(user) ? href('/dashboard/admin') : href('/dashboard/user')
