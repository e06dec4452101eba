/** The user as the server has it now: another device may have changed the profile. */
import { call } from '#app/shared/web/browser-call.ts'
import { sessionCalls, type User } from '../session-contract.ts'
import { sessionAtom } from './session.ts'

/** Stores the user of a check of the session, unless another one has logged in meanwhile. */
export const storeUser = (user: User) =>
  sessionAtom.update((session) => (session.user?._id === user._id ? { ...session, user } : session))

/** Reads and stores the user anew. */
export const renewUser = async () => storeUser((await call(sessionCalls.checkUser)).user)
