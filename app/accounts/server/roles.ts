/** Admins' changes to other users' accounts. */
import { recordAccountAction } from '#app/audit/server/record.sql.ts'
import type { Caller } from '#app/shared/server/access.ts'
import { admin as adminOf } from '#app/shared/server/actor/actor.ts'
import { adminsOnly, conflict, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, Row } from '#db/schema.ts'
import { deleteKnown } from './known-places-store.ts'
import { hashRandomAnswer } from './passwords.ts'
import { deleteSessionsOfUser, selectUser, updateUser } from './store.ts'
import { lockAdmins, updateKind } from './users-store.ts'

export const noSuchUser = () => notFound('There is no such user.')

/**
 * Locks the admins and the user `userId` until the transaction ends, so that no role changes
 * meanwhile, and returns the admins' ids. Throws `forbidden` when the caller is no longer an admin.
 */
export async function requireAdmin(
  tx: Database,
  { userId: callerId }: Caller,
  userId: string,
): Promise<string[]> {
  const admins = await lockAdmins(tx, userId)
  if (!admins.includes(callerId)) throw adminsOnly()
  return admins
}

/**
 * Makes a user an admin, or an ordinary user again. A promotion replaces the security answer with a
 * random one, ends the sessions and deletes the known networks: the e-mail of an account is not
 * verified, so its user may not be the promoted person. Throws `conflict` for the caller's own
 * account, `forbidden` when the caller is no longer an admin, and `not_found` for an unknown user.
 * Admins cannot change their own role, and the second of two who demote each other is refused, so
 * one admin always remains.
 */
export async function changeRole(
  db: Database,
  caller: Caller,
  { userId, admin }: { userId: string; admin: boolean },
): Promise<Row<'users'>> {
  if (userId.toLowerCase() === caller.userId) throw conflict('You cannot change your own role.')
  const answer_hash = admin ? await hashRandomAnswer() : undefined
  return inTransaction(db, adminOf(caller), async (tx) => {
    const admins = await requireAdmin(tx, caller, userId)
    const user = await updateKind(tx, userId, admin ? 'admin' : 'user')
    if (!user) throw noSuchUser()
    if (!answer_hash || admins.includes(user.id)) return user
    await deleteSessionsOfUser(tx, user.id)
    await deleteKnown(tx, user.id)
    await recordAccountAction(tx, user.id, 'sessions_ended')
    return updateUser(tx, user.id, { answer_hash })
  })
}

/**
 * Ends every session of a user and returns the user. Throws `forbidden` when the caller is no
 * longer an admin, and `not_found` for an unknown user.
 */
export const signOutEverywhere = (
  db: Database,
  caller: Caller,
  userId: string,
): Promise<Row<'users'>> =>
  inTransaction(db, adminOf(caller), async (tx) => {
    await requireAdmin(tx, caller, userId)
    const user = await selectUser(tx, userId)
    if (!user) throw noSuchUser()
    await deleteSessionsOfUser(tx, user.id)
    await recordAccountAction(tx, user.id, 'sessions_ended')
    return user
  })
