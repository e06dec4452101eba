/** Accounts: one to an e-mail; whoever proves the password gets a session, and a new password ends it. */
import { v7 as uuidv7 } from 'uuid'
import { recordAccountAction } from '#app/audit/server/service.ts'
import {
  type Actor,
  admin as adminOf,
  customer,
  OWNER,
  SHOP,
} from '#app/shared/server/actor/actor.ts'
import { isUniqueViolation } from '#app/shared/server/constraint-violation.ts'
import { conflict, notFound, unauthorized } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { emailKey } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Caller } from '#app/shared/server/mount.ts'
import type { Database, Row } from '#db/schema.ts'
import { type AttemptStorage, withAttemptLimit } from './attempts.ts'
import { knownNetworks } from './known-networks.ts'
import { deleteKnown } from './known-store.ts'
import { hashAnswer, hashPassword, hashRandomAnswer, isAnswer, isPassword } from './passwords.ts'
import { hashOf, openSession } from './sessions.ts'
import {
  deleteSession,
  deleteSessionsOfUser,
  EMAIL_TAKEN,
  insertUser,
  selectUserByEmail,
  updateUser,
} from './store.ts'

type NewAccount = Record<'name' | 'email' | 'password' | 'phone' | 'address' | 'answer', string>

/**
 * Opens an account; an admin's is opened by the owner only. `address` is the network address of the
 * request. Throws `conflict` when the e-mail has an account already.
 */
export async function openAccount(
  db: Database,
  account: NewAccount,
  { admin = false, address }: { admin?: boolean; address?: string } = {},
): Promise<Row<'users'>> {
  const [password_hash, answer_hash] = await Promise.all([
    hashPassword(account.password, address),
    hashAnswer(account.answer, address),
  ])
  try {
    return await inTransaction(db, admin ? OWNER : SHOP, (tx) =>
      insertUser(tx, {
        id: uuidv7(),
        name: account.name.trim(),
        email: account.email.trim(),
        email_key: emailKey(account.email),
        password_hash,
        answer_hash,
        phone: account.phone.trim(),
        address: account.address.trim(),
        is_admin: admin,
      }),
    )
  } catch (error) {
    if (!isUniqueViolation(error, EMAIL_TAKEN)) throw error
    throw conflict('This email has an account already. Please log in.')
  }
}

export const attemptStorageOf = (db: Database, counters: CounterStore): AttemptStorage => ({
  counters,
  known: knownNetworks(db),
})

/** What counts wrong tries, and where this one comes from. */
export type ClientContext = { counters: CounterStore; address: string }

/**
 * Starts a session, and ends the one whose token is `replaced`: nobody keeps a session that
 * somebody else may know. Throws the same `unauthorized` for a wrong e-mail and a wrong password,
 * and `rate_limited` after too many of them.
 */
export async function signIn(
  db: Database,
  { counters, address }: ClientContext,
  { email, password, replaced = '' }: { email: string; password: string; replaced?: string },
): Promise<{ user: Row<'users'>; token: string }> {
  const account = emailKey(email)
  const proved = await withAttemptLimit(
    attemptStorageOf(db, counters),
    { secret: 'password', account, address },
    async (isKnown) => {
      const user = await selectUserByEmail(db, account)
      const isRight = await isPassword(user?.password_hash, password, address)
      return user && isRight ? { user, isKnown } : null
    },
  )
  if (!proved) throw unauthorized('Wrong email or password')
  const { user, isKnown } = proved
  const token = await openSession(db, user)
  if (replaced !== '') await deleteSession(db, hashOf(replaced))
  // before the token is given away: without its entry there is no such sign-in
  if (user.is_admin && !isKnown)
    await inTransaction(db, accountOf(user), (tx) => recordAccountAction(tx, user.id, 'signed_in'))
  return { user, token }
}

/** The user of an account, by what they may act as. */
export const accountOf = ({ id, is_admin }: Row<'users'>): Actor =>
  is_admin ? adminOf({ userId: id }) : customer(id)

const wrongAnswer = () => notFound('Wrong email or answer')

/**
 * Sets a new password and ends every session of that user. Throws the same `notFound` for a wrong
 * e-mail, a wrong answer and any answer of an admin, whose password only the owner resets, and
 * `rate_limited` after too many of them. In the audit log the account's user did it: whoever knows
 * the answer acts as that user.
 */
export async function resetPassword(
  db: Database,
  { counters, address }: ClientContext,
  { email, answer, newPassword }: Record<'email' | 'answer' | 'newPassword', string>,
): Promise<void> {
  const account = emailKey(email)
  const user = await withAttemptLimit(
    attemptStorageOf(db, counters),
    { secret: 'answer', account, address },
    async () => {
      const user = await selectUserByEmail(db, account)
      const isRight = await isAnswer(user?.answer_hash, answer, address)
      return user && isRight && !user.is_admin ? user : null
    },
  )
  if (!user) throw wrongAnswer()
  const password_hash = await hashPassword(newPassword, address)
  await inTransaction(db, customer(user.id), async (tx) => {
    const { answer_hash } = await updateUser(tx, user.id, { password_hash })
    // the owner's reset, and a promotion, replace the answer: one that was proved before is void
    if (answer_hash !== user.answer_hash) throw wrongAnswer()
    await deleteSessionsOfUser(tx, user.id)
    await recordAccountAction(tx, user.id, 'password_reset_by_answer')
  })
}

/**
 * Gives an account another password and an answer that nobody knows, as the shop's owner may. Ends
 * its sessions and forgets where it was used, because somebody else may have been there. Throws
 * `not_found` when there is no such account.
 */
export async function replacePassword(
  db: Database,
  { email, newPassword }: Record<'email' | 'newPassword', string>,
): Promise<void> {
  const user = await selectUserByEmail(db, emailKey(email))
  if (!user) throw notFound('There is no account with this email.')
  const [password_hash, answer_hash] = await Promise.all([
    hashPassword(newPassword),
    hashRandomAnswer(),
  ])
  await inTransaction(db, OWNER, async (tx) => {
    await updateUser(tx, user.id, { password_hash, answer_hash })
    await deleteSessionsOfUser(tx, user.id)
    await deleteKnown(tx, user.id)
  })
}

/** Ends the caller's session. */
export const signOut = (db: Database, { session }: Caller) => deleteSession(db, session)
