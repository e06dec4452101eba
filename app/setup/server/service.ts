/** The first run: the owner makes the first admin with the code that the shop printed. */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { type ClientContext, hasAdmin, openAccount, signIn } from '#app/accounts/server/service.ts'
import type { ChargeCurrency } from '#app/settings/server/currency.ts'
import { beginSettings } from '#app/settings/server/service.ts'
import type { Input } from '#app/shared/contract/endpoint.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { conflict, Failure, invalid, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database, Row } from '#db/schema.ts'
import type { setupCalls } from '../contract.ts'
import { deleteCodes, insertCode, selectIsCode } from './store.ts'

const closed = () => notFound('This shop has an admin already.')

const wrongCode = () =>
  invalid('This code is wrong. Enter the one that the shop printed when it started.', 'code')

/** Crockford's base 32: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A random code of 80 bits, such as 7K2M-XQ4T-09BN-W3HZ. */
function randomCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** Codes are compared without case, spaces and hyphens, and with look-alikes read as digits. */
const plain = (code: string) =>
  code
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')

/** The stored form of a code. It has too many bits to be found from its hash. */
const hashOfCode = (code: string): Buffer => hash('sha256', plain(code), 'buffer')

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

type FirstRun = Input<typeof setupCalls.makeFirstAdmin>['body']

/** Takes the right to make the first admin, once: the code is checked again where others wait. */
async function claimFirstRun(
  tx: Database,
  { code, shopName: name, country, currencyDisplay, timeZone }: FirstRun,
  charged: ChargeCurrency,
): Promise<void> {
  const codes = await deleteCodes(tx)
  if (codes.length === 0 || (await hasAdmin(tx))) throw closed()
  const given = hashOfCode(code)
  if (!codes.some((one) => one.equals(given))) throw wrongCode()
  const place = {
    ...(country && { country }),
    ...(currencyDisplay && { currencyDisplay }),
    ...(timeZone && { timeZone }),
  }
  await beginSettings(tx, { name, ...place }, charged)
}

/**
 * Makes the first admin, stores what the shop is asked at its beginning, and logs the admin in. Throws
 * `not_found` when the shop has an admin, `invalid` for a wrong code, country, currency or time zone, and
 * `conflict` when a customer has the e-mail.
 */
export async function makeFirstAdmin(
  db: Database,
  client: ClientContext,
  facts: FirstRun,
  charged: ChargeCurrency,
): Promise<{ user: Row<'users'>; token: string }> {
  if (await hasAdmin(db)) throw closed()
  // a code of 80 bits needs no limit for all addresses together, with which anybody could keep the
  // owner out
  if (!(await selectIsCode(db, hashOfCode(facts.code)))) throw wrongCode()
  const { name, email, password } = facts
  // an admin's password is never reset by the security answer, and the profile asks for the rest
  const account = { name, email, password, phone: '', address: '', answer: randomUUID() }
  const claim = (tx: Database) => claimFirstRun(tx, facts, charged)
  await openAccount(db, account, { admin: true, address: client.address, claim }).catch((error) => {
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error
    throw conflict('A customer has registered with this email. Please use another one.', 'email')
  })
  return signIn(db, client, { email, password }, { isNotified: false })
}
