/** The first run: the owner makes the first admin with the code that the shop printed. */
import { randomUUID } from 'node:crypto'
import { type ClientContext, hasAdmin, openAccount, signIn } from '#app/accounts/server/service.ts'
import { nameShop } from '#app/settings/server/service.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { conflict, Failure, invalid, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, Row } from '#db/schema.ts'
import { hashOfCode, randomCode } from './code.ts'
import { deleteCodes, insertCode, selectIsCode } from './store.ts'

const closed = () => notFound('This shop has an admin already.')

const wrongCode = () =>
  invalid('This code is wrong. Enter the one that the shop printed when it started.', 'code')

/**
 * Creates the code of a first run; null when the shop has an admin. Codes of earlier starts, and of
 * other processes on this database, stay valid until then.
 */
export const createCode = (db: Database): Promise<string | null> =>
  inTransaction(db, OWNER, async (tx) => {
    if (await hasAdmin(tx)) {
      await deleteCodes(tx)
      return null
    }
    const code = randomCode()
    await insertCode(tx, hashOfCode(code))
    return code
  })

export type FirstRun = Record<
  'code' | 'shopName' | 'name' | 'email' | 'password' | 'phone' | 'address',
  string
>

/** Takes the right to make the first admin, once: the code is checked again where others wait. */
async function claimFirstRun(tx: Database, { code, shopName }: FirstRun): Promise<void> {
  const codes = await deleteCodes(tx)
  if (codes.length === 0 || (await hasAdmin(tx))) throw closed()
  const given = hashOfCode(code)
  if (!codes.some((one) => one.equals(given))) throw wrongCode()
  await nameShop(tx, shopName)
}

/**
 * Makes the first admin, names the shop, and logs the admin in. Throws `not_found` when the shop
 * has an admin, `invalid` for a wrong code, and `conflict` when a customer has the e-mail.
 */
export async function makeFirstAdmin(
  db: Database,
  client: ClientContext,
  facts: FirstRun,
): Promise<{ user: Row<'users'>; token: string }> {
  if (await hasAdmin(db)) throw closed()
  // a code of 80 bits needs no limit for all addresses together, with which anybody could keep the
  // owner out
  if (!(await selectIsCode(db, hashOfCode(facts.code)))) throw wrongCode()
  const { name, email, password, phone, address } = facts
  // an admin's password is never reset by the security answer
  const account = { name, email, password, phone, address, answer: randomUUID() }
  const claim = (tx: Database) => claimFirstRun(tx, facts)
  await openAccount(db, account, { admin: true, address: client.address, claim }).catch((error) => {
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error
    throw conflict('A customer has registered with this email. Please use another one.', 'email')
  })
  return signIn(db, client, { email, password }, { isNotified: false })
}
