/** Closing an account deletes the personal data. Orders and payments stay, without a name. */
import { openOrdersOf } from '#app/orders/server/service.ts'
import type { Caller } from '#app/shared/server/access.ts'
import { type Actor, admin, customer, OWNER } from '#app/shared/server/actor/actor.ts'
import { conflict, logInFirst } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { PersonalData } from '#app/shared/server/personal-data-store.ts'
import { lockBuyer } from '#db/locks.ts'
import type { Database } from '#db/schema.ts'
import { rulesOf } from './account-kinds.sql.ts'
import { hashRandomAnswer } from './passwords.ts'
import { requirePasswordOf } from './profile.ts'
import { noSuchUser, requireAdmin } from './roles.ts'
import { type ClientContext, requireUserByEmail } from './service.ts'
import { anonymiseAccount, CLOSED_ACCOUNT_NAME, lockAccount, selectCaller } from './store.ts'

/** Beginnings of a refusal's sentences: for the customer, and for the staff of the shop. */
const TEXTS = {
  customer: { has: 'You have', close: 'You can close your account' },
  shop: { has: 'This user has', close: 'The account can be closed' },
}

type Closing = {
  userId: string
  /** Absent for the command line. */
  caller?: Caller
  /** The readers of a refusal. */
  audience: keyof typeof TEXTS
  /** Closes also with orders that are still to be sent; their delivery addresses are deleted. */
  withOpenOrders?: boolean | undefined
}

/** So many orders are named. */
const MAX_NAMED = 10

function stillToSend(open: { number: number }[], { has, close }: (typeof TEXTS)['shop']) {
  const [orders, those] =
    open.length === 1
      ? ['1 order that is', 'it is paid and on its way, or is cancelled']
      : [`${open.length} orders that are`, 'they are paid and on their way, or are cancelled']
  const named = open.slice(0, MAX_NAMED).map(({ number }) => number)
  const numbers = [...named, ...(open.length > MAX_NAMED ? ['…'] : [])].join(', ')
  return conflict(`${has} ${orders} not sent or not paid yet (${numbers}). ${close} when ${those}.`)
}

/** An account that the transaction has locked, and the hash that replaces its secrets. */
type Erasure = { userId: string; emailKey: string; hash: string }

/** Erases the personal data of an account inside the caller's transaction. Orders and payments stay. */
export async function eraseAccount(
  tx: Database,
  tables: PersonalData,
  { userId, emailKey, hash }: Erasure,
): Promise<void> {
  const closed = { userId, emailKey, newName: CLOSED_ACCOUNT_NAME }
  // one after the other: the account is locked, and the tables are in the order of every transaction's locks
  for (const { erase } of Object.values(tables))
    if (typeof erase !== 'string') await erase(tx, closed)
  await anonymiseAccount(tx, userId, hash)
}

/**
 * Closes an account in one transaction and returns its former name. Throws `not_found` for an
 * unknown or closed account, `conflict` for an admin's account and for one with orders still to be
 * sent, and `unauthorized` or `forbidden` when the caller's session or role has ended meanwhile.
 */
async function close(db: Database, tables: PersonalData, actor: Actor, closing: Closing) {
  const { userId, caller, audience, withOpenOrders = false } = closing
  const hash = await hashRandomAnswer()
  return inTransaction(db, actor, async (tx) => {
    // before the rows that purchases lock
    await lockBuyer(tx, userId)
    if (caller && audience === 'shop') await requireAdmin(tx, caller, userId)
    const user = await lockAccount(tx, userId)
    if (!user) throw noSuchUser()
    if (caller && !(await selectCaller(tx, caller.session))) throw logInFirst()
    if (!rulesOf(user).isClosable)
      throw conflict("An admin's account cannot be closed. Another admin removes the role first.")
    const toSend = withOpenOrders ? [] : await openOrdersOf(tx, userId)
    if (toSend.length > 0) throw stillToSend(toSend, TEXTS[audience])
    await eraseAccount(tx, tables, { userId, emailKey: user.email_key, hash })
    return user.name
  })
}

/**
 * Closes the caller's own account after checking the password, with the limits of a log-in. Throws
 * `invalid` for a wrong password, `rate_limited` after too many, and `conflict` for an admin and
 * for a user with orders still to be sent.
 */
export async function closeOwnAccount(
  db: Database,
  tables: PersonalData,
  client: ClientContext,
  caller: Caller,
  password: string,
): Promise<void> {
  const { userId } = caller
  await requirePasswordOf(db, client, caller, password)
  await close(db, tables, customer(userId), { userId, caller, audience: 'customer' })
}

/** Closes a user's account for an admin and returns its former name. Throws as `close` does. */
export const closeUserAccount = (
  db: Database,
  tables: PersonalData,
  caller: Caller,
  userId: string,
): Promise<string> =>
  close(db, tables, admin(caller), { userId: userId.toLowerCase(), caller, audience: 'shop' })

/** Closes an account for the shop's owner at the command line. Throws as `close` does. */
export async function closeAccountByEmail(
  db: Database,
  tables: PersonalData,
  { email, withOpenOrders }: { email: string; withOpenOrders?: boolean | undefined },
): Promise<void> {
  const { id: userId } = await requireUserByEmail(db, email)
  await close(db, tables, OWNER, { userId, audience: 'shop', withOpenOrders })
}
