import { USERS_PAGE_SIZE, type userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE } from '#app/accounts/session-contract.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { presentListedUser, presentUser } from '../presenter.ts'
import { closeUserAccount } from '../privacy/close-account.ts'
import { changeRole, signOutEverywhere } from './service.ts'
import { selectUserIds, selectUsers } from './store.ts'

type Dependencies = {
  db: Database
  /** The currency of charges (ISO 4217). */
  currency: string
}

export const userAdminHandlers = ({
  db,
  currency,
}: Dependencies): Handlers<typeof userAdminCalls> => ({
  checkAdmin: () => ({ ok: true }),
  async getAllUsers({ query: { page = 1, q = '' }, request, reply }) {
    const size = USERS_PAGE_SIZE
    const slice = { limit: size, offset: offsetOf(page, size) }
    const { ids, total } = await selectUserIds(db, q.trim(), slice)
    const users = await selectUsers(db, ids, currency)
    setPagingHeaders(request, reply, { page, size, total })
    return users.map(presentListedUser)
  },
  async setUserRole({ params: { userId }, body: { role }, caller }) {
    const admin = role === ADMIN_ROLE
    const user = await changeRole(db, caller, { userId, admin })
    const message = `${user.name} is ${admin ? 'an admin now' : 'no longer an admin'}`
    return { success: true, message, user: presentUser(user) }
  },
  async endUserSessions({ params: { userId }, caller }) {
    const { name } = await signOutEverywhere(db, caller, userId)
    return { success: true, message: `${name} is signed out everywhere` }
  },
  async closeUserAccount({ params: { userId }, caller }) {
    const name = await closeUserAccount(db, caller, userId)
    return { success: true, message: `The account of ${name} is closed` }
  },
})
