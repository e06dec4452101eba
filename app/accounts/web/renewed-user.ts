/** The user as the server has it now: another device may have changed the profile. */
import { call } from '#app/shared/web/browser-call.ts'
import { profileCalls } from '../profile-contract.ts'
import type { User } from '../session-contract.ts'
import { sessionAtom } from './session.ts'

/** Stores the user, unless another one has logged in meanwhile. */
const storeUser = (user: User) =>
  sessionAtom.update((session) => (session.user?._id === user._id ? { ...session, user } : session))

/** Reads and stores the user anew. Without an answer the stored one stays: what is saved is checked by the server. */
export const renewUser = () =>
  call(profileCalls.getProfile).then(
    ({ user }) => storeUser(user),
    () => null,
  )
