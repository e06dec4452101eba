import { useStore } from '#app/shared/web/storage.ts'
import type { User } from '../session-contract.ts'
import { sessionAtom } from './session.ts'

/** The person who buys in this browser, with the contact that the order gets. Pages of a purchase know no session. */
export type Buyer = Pick<User, '_id' | 'name' | 'email' | 'phone' | 'address' | 'delivery'>

/** The buyer of this browser, who is signed in; null for a guest. */
export const useBuyer = (): Buyer | null => useStore(sessionAtom).user

/** Stores the buyer's changed contact. */
export const updateBuyer = (user: User): void =>
  sessionAtom.update((session) => ({ ...session, user }))

/** Forgets the buyer, whom the server does not know any more. */
export const forgetBuyer = (): void => sessionAtom.reset()
