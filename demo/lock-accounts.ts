/** The demo accounts, whose passwords and answers are published in the source. */
import { randomBytes } from 'node:crypto'
import { deleteKnown } from '#app/accounts/server/known-places-store.ts'
import { hashPassword, isAnswer, isCurrentPassword } from '#app/accounts/server/passwords.ts'
import { deleteSessionsOfUser } from '#app/accounts/server/store.ts'
import { DEMO_FACT } from '#app/settings/server/demo.sql.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { emailKey } from '#app/shared/server/limits/client-keys.ts'
import type { PersonalData } from '#app/shared/server/personal-data-store.ts'
import type { Database } from '#db/schema.ts'
import { DEMO_ADMIN, DEMO_CUSTOMER } from './accounts.ts'
import { closeCustomers } from './close-customers.ts'
import { ORDERS_FACT } from './finish-orders.ts'
import { PHOTOS_FACT } from './finish-photos.ts'
import { undoOrders } from './undo-orders.ts'

const PUBLISHED = new Map(
  [DEMO_ADMIN, DEMO_CUSTOMER].map((account) => [emailKey(account.email), account]),
)

/** Whether an e-mail is that of a demo account. */
export const isDemoEmail = (email: string) => PUBLISHED.has(emailKey(email))

const selectAccounts = (db: Database) =>
  db
    .selectFrom('users')
    .where('email_key', 'in', [...PUBLISHED.keys()])
    .select(['id', 'email_key', 'password_hash', 'answer_hash'])
    .execute()

/** The ids of the demo accounts. */
export const selectDemoUserIds = async (db: Database): Promise<Set<string>> =>
  new Set((await selectAccounts(db)).map(({ id }) => id))

type Account = Awaited<ReturnType<typeof selectAccounts>>[number]

async function isPublished({ email_key, password_hash, answer_hash }: Account): Promise<boolean> {
  const published = PUBLISHED.get(email_key)
  if (!published) return false
  const found = await Promise.all([
    isCurrentPassword(password_hash, published.password),
    isAnswer(answer_hash, published.answer),
  ])
  return found.includes(true)
}

/** The e-mails of the demo accounts that still have their published password or answer. */
export async function selectPublishedAccounts(db: Database): Promise<string[]> {
  const accounts = await selectAccounts(db)
  const found = await Promise.all(accounts.map(isPublished))
  return accounts.filter((_, at) => found[at]).map(({ email_key }) => email_key)
}

/**
 * Ends the demo permanently: its accounts get random passwords and answers, their sessions and
 * known networks are deleted, the audit log gets an entry of each, and missing photos are not made. Of
 * its orders nothing counts any more, their documents are gone, and the accounts of their customers are closed.
 * Returns the e-mails of these accounts.
 */
export async function endDemo(db: Database, tables: PersonalData): Promise<string[]> {
  const secret = await hashPassword(randomBytes(32).toString('base64url'))
  return inTransaction(db, OWNER, async (tx) => {
    const accounts = await tx
      .updateTable('users')
      .set({ password_hash: secret, answer_hash: secret })
      .where('email_key', 'in', [...PUBLISHED.keys()])
      .returning(['id', 'email_key'])
      .execute()
    for (const { id } of accounts) {
      await deleteSessionsOfUser(tx, id)
      await deleteKnown(tx, id)
    }
    const facts = [DEMO_FACT.key, PHOTOS_FACT.key, ORDERS_FACT.key]
    await tx.deleteFrom('shop_facts').where('key', 'in', facts).execute()
    await closeCustomers(tx, tables, secret)
    await undoOrders(tx)
    return accounts.map(({ email_key }) => email_key)
  })
}
