/** Accounts: one to an e-mail; whoever proves the password gets a session, and a new password ends it. */
import { v7 as uuidv7 } from 'uuid'
import {
  type Actor,
  admin as adminOf,
  customer,
  OWNER,
  SHOP,
} from '#app/shared/server/actor/actor.ts'
import { isUniqueViolation } from '#app/shared/server/constraint-violation.ts'
import { conflict, forbidden, notFound, unauthorized } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Tally } from '#app/shared/server/limits/tally.ts'
import { emailKey } from '#app/shared/server/limits/who.ts'
import type { Caller } from '#app/shared/server/mount.ts'
import type { Database, Row } from '#db/schema.ts'
import { lockAdmins, selectUser, updateRole } from './admin-store.ts'
import { guarded, type Memory } from './attempts.ts'
import { knownNetworks } from './known-networks.ts'
import { hashAnswer, hashPassword, isAnswer, isPassword } from './passwords.ts'
import { hashOf, openSession } from './sessions.ts'
import {
  deleteSession,
  deleteSessionsOfUser,
  EMAIL_TAKEN,
  insertUser,
  selectCaller,
  selectUserByEmail,
  updateUser,
} from './store.ts'

type NewAccount = Record<'name' | 'email' | 'password' | 'phone' | 'address' | 'answer', string>
type ProfileChanges = Partial<Record<'name' | 'password' | 'phone' | 'address', string>>

/** Opens an account; an admin's is opened by the owner only. Throws `conflict` when the e-mail has one already. */
export async function openAccount(
  db: Database,
  { name, email, password, phone, address, answer }: NewAccount,
  { admin = false } = {},
): Promise<Row<'users'>> {
  const [password_hash, answer_hash] = await Promise.all([
    hashPassword(password),
    hashAnswer(answer),
  ])
  try {
    return await inTransaction(db, admin ? OWNER : SHOP, (tx) =>
      insertUser(tx, {
        id: uuidv7(),
        name: name.trim(),
        email: email.trim(),
        email_key: emailKey(email),
        password_hash,
        answer_hash,
        phone: phone.trim(),
        address: address.trim(),
        is_admin: admin,
      }),
    )
  } catch (error) {
    if (!isUniqueViolation(error, EMAIL_TAKEN)) throw error
    throw conflict('This email has an account already. Please log in.')
  }
}

const memoryOf = (db: Database, tally: Tally): Memory => ({ tally, known: knownNetworks(db) })

/** What counts wrong tries, and where this one comes from. */
export type Door = { tally: Tally; address: string }

/**
 * Starts a session, and ends the one whose token is `replaced`: nobody keeps a session that
 * somebody else may know. Throws the same `unauthorized` for a wrong e-mail and a wrong password,
 * and `rate_limited` after too many of them.
 */
export async function signIn(
  db: Database,
  { tally, address }: Door,
  { email, password, replaced = '' }: { email: string; password: string; replaced?: string },
): Promise<{ user: Row<'users'>; token: string }> {
  const account = emailKey(email)
  const user = await guarded(
    memoryOf(db, tally),
    { secret: 'password', account, address },
    async () => {
      const user = await selectUserByEmail(db, account)
      const isRight = await isPassword(user?.password_hash, password)
      return user && isRight ? user : null
    },
  )
  if (!user) throw unauthorized('Wrong email or password')
  const token = await openSession(db, user)
  if (replaced !== '') await deleteSession(db, hashOf(replaced))
  return { user, token }
}

/** A new password ends every session. */
async function storePassword(
  db: Database,
  actor: Actor,
  { userId, password }: { userId: string; password: string },
) {
  const password_hash = await hashPassword(password)
  await inTransaction(db, actor, async (tx) => {
    await updateUser(tx, userId, { password_hash })
    await deleteSessionsOfUser(tx, userId)
  })
}

/**
 * Sets a new password and ends every session of that user. Throws the same `notFound` for a wrong
 * e-mail and a wrong answer, and `rate_limited` after too many of them.
 */
export async function resetPassword(
  db: Database,
  { tally, address }: Door,
  { email, answer, newPassword }: Record<'email' | 'answer' | 'newPassword', string>,
): Promise<void> {
  const account = emailKey(email)
  const user = await guarded(
    memoryOf(db, tally),
    { secret: 'answer', account, address },
    async () => {
      const user = await selectUserByEmail(db, account)
      const isRight = await isAnswer(user?.answer_hash, answer)
      return user && isRight ? user : null
    },
  )
  if (!user) throw notFound('Wrong email or answer')
  await storePassword(db, customer(user.id), { userId: user.id, password: newPassword })
}

/**
 * Gives an account another password, as the shop's owner may, and ends its sessions. Throws
 * `not_found` when there is no such account.
 */
export async function replacePassword(
  db: Database,
  { email, newPassword }: Record<'email' | 'newPassword', string>,
): Promise<void> {
  const user = await selectUserByEmail(db, emailKey(email))
  if (!user) throw notFound('There is no account with this email.')
  await storePassword(db, OWNER, { userId: user.id, password: newPassword })
}

/** Ends the caller's session. */
export const signOut = (db: Database, { session }: Caller) => deleteSession(db, session)

const filled = (text = '') => text.trim() || undefined

/**
 * Changes the caller's profile; an empty field keeps its old value, and a new password ends the
 * other sessions. Throws `unauthorized` when the caller's own session ended meanwhile: a stolen
 * one must not outlive the reset that was meant to end it.
 */
export async function changeProfile(
  db: Database,
  { userId, session }: Caller,
  { name, password, phone, address }: ProfileChanges,
): Promise<Row<'users'>> {
  const password_hash = filled(password) && (await hashPassword(password ?? ''))
  return inTransaction(db, customer(userId), async (tx) => {
    const changes = { name: filled(name), phone: filled(phone), address: filled(address) }
    const user = await updateUser(tx, userId, { ...changes, password_hash })
    if (!(await selectCaller(tx, session))) throw unauthorized('Please log in.')
    if (password_hash) await deleteSessionsOfUser(tx, userId, session)
    return user
  })
}

/**
 * Makes a user an admin, or an ordinary user again. Throws `conflict` for oneself, `forbidden` when
 * the caller is an admin no more, and `not_found` for an unknown user. As nobody can change
 * themselves, and of two who change each other the second is refused, one admin always remains.
 */
export async function changeRole(
  db: Database,
  caller: Caller,
  { userId, admin }: { userId: string; admin: boolean },
): Promise<Row<'users'>> {
  if (userId.toLowerCase() === caller.userId) throw conflict('You cannot change your own role.')
  return inTransaction(db, adminOf(caller), async (tx) => {
    const admins = await lockAdmins(tx, userId)
    if (!admins.includes(caller.userId)) throw forbidden('This is for admins only.')
    const user = await updateRole(tx, userId, admin)
    if (!user) throw notFound('There is no such user.')
    return user
  })
}

/** Ends every session of a user and answers who it is. Throws `not_found` for an unknown one. */
export async function signOutEverywhere(db: Database, userId: string): Promise<Row<'users'>> {
  const user = await selectUser(db, userId)
  if (!user) throw notFound('There is no such user.')
  await deleteSessionsOfUser(db, userId)
  return user
}
