/** Accounts: one per e-mail. Log-in creates a session; a new password ends all sessions. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { recordAccountAction } from '#app/audit/server/record.sql.ts'
import { SETTINGS_TAG } from '#app/settings/contract.ts'
import type { Caller } from '#app/shared/server/access.ts'
import {
  type Actor,
  admin as adminOf,
  customer,
  OWNER,
  SHOP,
} from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import { isUniqueViolation } from '#app/shared/server/database-errors.ts'
import { conflict, invalid, notFound, unauthorized } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { emailKey } from '#app/shared/server/limits/client-keys.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { recordEvent } from '#app/shared/server/outbox/events-store.ts'
import type { Database, Row } from '#db/schema.ts'
import { columnsOfKind, rulesOf } from './account-kinds.sql.ts'
import { noteAdminSignIn } from './admin-sign-in.ts'
import { type AttemptStorage, withAttemptLimit } from './attempts.ts'
import { deleteKnown, knownNetworks } from './known-places-store.ts'
import { deleteTokensOfUser } from './links-store.ts'
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

/** The address with its domain in Unicode and in ASCII (`xn--`). */
function spellingsOf(address: string): string[] {
  const at = address.lastIndexOf('@') + 1
  const ascii = domainToASCII(address.slice(at))
  return [...new Set([domainToUnicode(ascii), ascii])].map(
    (domain) => address.slice(0, at) + domain,
  )
}

/**
 * The normalized e-mails by which the mailbox of a new account may have an account already: its domain may
 * be spelled in Unicode or in ASCII. Throws `invalid` where a mail server would read another address than
 * the shop compares, such as one in full-width letters, which normalization changes.
 */
export function emailKeysOf(email: string, key: string): string[] {
  const keys = spellingsOf(key)
  const isNormal = email.trim().normalize('NFKC') === email.trim()
  if (!isNormal || !keys.includes(key)) throw invalid('email is not valid.', 'email')
  return keys
}

/**
 * Follows a new password, inside its transaction: ends the sessions, except the given one, and the links
 * that would set another password, and tells the user by e-mail.
 */
export async function followNewPassword(
  tx: Database,
  { id: userId }: Pick<Row<'users'>, 'id'>,
  except: Buffer | null = null,
): Promise<void> {
  await deleteSessionsOfUser(tx, userId, except)
  await deleteTokensOfUser(tx, userId, 'reset_password')
  await recordEvent(tx, { kind: 'password_changed', subjectId: userId, facts: {} })
}

export type { LinkPurpose } from './links-store.ts'
export { presentUser } from './presenter.ts'
/** The tokens of links in e-mails, for the domain that sends them. */
export { linkToken } from './sessions.ts'
/** Whether there is an admin. */
export { selectHasAdmin as hasAdmin } from './store.ts'

type NewAccount = Record<'name' | 'email' | 'password' | 'phone' | 'address' | 'answer', string>

type OpeningOptions = {
  admin?: boolean
  /** Whether the user gets the e-mail of new customers; by default each but an admin. */
  isWelcomed?: boolean
  /** The network address of the request. */
  address?: string
  /** Runs first in the same transaction: when it throws, no account is created. */
  claim?: (tx: Database) => Promise<void>
}

const emailTaken = () => conflict('This email is already registered. Please log in.', 'email')

/**
 * Creates an account, and queues an e-mail to its user; only the owner creates an admin, by a command or
 * with the code of the first run. Throws `conflict` when the e-mail is taken, and `invalid` when it is
 * not the spelling that a mail server reads.
 */
export async function openAccount(
  db: Database,
  account: NewAccount,
  { admin = false, isWelcomed = !admin, address, claim }: OpeningOptions = {},
): Promise<Row<'users'>> {
  const email_key = emailKey(account.email)
  const otherKeys = emailKeysOf(account.email, email_key).filter((key) => key !== email_key)
  const [password_hash, answer_hash] = await Promise.all([
    hashPassword(account.password, address),
    hashAnswer(account.answer, address),
  ])
  const id = uuidv7()
  // the first run is the act of the admin whom it makes; other admins are made at the command line
  const byOwner = claim ? adminOf({ userId: id }) : OWNER
  const actor = admin ? byOwner : SHOP
  try {
    return await inTransaction(db, actor, async (tx) => {
      await claim?.(tx)
      for (const key of otherKeys) if (await selectUserByEmail(tx, key)) throw emailTaken()
      // pages say whether there is an admin
      if (admin) await publishChanges(tx, [{ tag: SETTINGS_TAG, stale_ms: 0 }])
      const user = await insertUser(tx, {
        id,
        name: account.name.trim(),
        email: account.email.trim(),
        email_key,
        password_hash,
        answer_hash,
        phone: account.phone.trim(),
        address: account.address.trim(),
        ...columnsOfKind(admin ? 'admin' : 'user'),
      })
      await recordEvent(tx, {
        kind: 'account_created',
        subjectId: id,
        notify: isWelcomed,
        facts: {},
      })
      return user
    })
  } catch (error) {
    if (!isUniqueViolation(error, EMAIL_TAKEN)) throw error
    throw emailTaken()
  }
}

export const attemptStorageOf = (db: Database, counters: CounterStore): AttemptStorage => ({
  counters,
  known: knownNetworks(db),
})

/** The counters and the address that attempts are counted with. */
export type ClientContext = {
  counters: CounterStore
  address: string
  userAgent?: string | undefined
}

/**
 * Logs in and returns the user and a new session token. The session whose token is `replaced` ends,
 * because another person may know it (session fixation). Throws the same `unauthorized` for a wrong
 * e-mail and a wrong password, and `rate_limited` after too many failures. Unless `isNotified` is
 * false, an admin gets an e-mail about a sign-in from a new place.
 */
export async function signIn(
  db: Database,
  { counters, address, userAgent = '' }: ClientContext,
  { email, password, replaced = '' }: { email: string; password: string; replaced?: string },
  { isNotified = true }: { isNotified?: boolean } = {},
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
  // before the token is returned: a log-in without its audit entry must not exist
  if (rulesOf(user).reportsSignIns)
    await noteAdminSignIn(db, user, { isKnownNetwork: isKnown, address, userAgent, isNotified })
  return { user, token }
}

/** The account as the audit log's actor, by role. */
export const accountOf = (user: Row<'users'>): Actor => rulesOf(user).actor({ userId: user.id })

const wrongAnswer = () => notFound('Wrong email or answer')

/**
 * Sets a new password by the security answer and ends every session of the user. Throws the same
 * `not_found` for a wrong e-mail, a wrong answer and any answer of an admin, whose password only
 * the owner resets, and `rate_limited` after too many failures. The audit log's actor is the
 * account's user.
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
      return user && isRight && rulesOf(user).resetsPassword ? user : null
    },
  )
  if (!user) throw wrongAnswer()
  const password_hash = await hashPassword(newPassword, address)
  await inTransaction(db, customer(user.id), async (tx) => {
    const changed = await updateUser(tx, user.id, { password_hash })
    // the owner's reset and a promotion replace the answer, which makes an earlier proof void
    if (changed.answer_hash !== user.answer_hash) throw wrongAnswer()
    await followNewPassword(tx, changed)
    await recordAccountAction(tx, user.id, 'password_reset_by_answer')
  })
}

/** The account of an e-mail, for the shop's owner. Throws `not_found` when there is none. */
export async function requireUserByEmail(db: Database, email: string): Promise<Row<'users'>> {
  const user = await selectUserByEmail(db, emailKey(email))
  if (!user) throw notFound('There is no account with this email.')
  return user
}

/**
 * Sets a new password and a random security answer, for the shop's owner. Ends the sessions and
 * deletes the known networks, because another person may have used the account. Throws `not_found`
 * when there is no such account.
 */
export async function replacePassword(
  db: Database,
  { email, newPassword }: Record<'email' | 'newPassword', string>,
): Promise<void> {
  const user = await requireUserByEmail(db, email)
  const [password_hash, answer_hash] = await Promise.all([
    hashPassword(newPassword),
    hashRandomAnswer(),
  ])
  await inTransaction(db, OWNER, async (tx) => {
    await followNewPassword(tx, await updateUser(tx, user.id, { password_hash, answer_hash }))
    await deleteKnown(tx, user.id)
  })
}

/** Ends the caller's session. */
export const signOut = (db: Database, { session }: Caller) => deleteSession(db, session)
