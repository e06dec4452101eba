/** Customers whom an admin enters with an order. */
import { v7 as uuidv7 } from 'uuid'
import { isUniqueViolation } from '#app/shared/server/database-errors.ts'
import { conflict } from '#app/shared/server/failure.ts'
import { emailKey } from '#app/shared/server/limits/client-keys.ts'
import type { Database } from '#db/schema.ts'
import { emailKeysOf } from './service.ts'
import { EMAIL_TAKEN, insertUser, selectUser, selectUserByEmail } from './store.ts'

export type NewCustomer = { name: string; email?: string; phone?: string; address?: string }

const emailTaken = () =>
  conflict('This e-mail has an account already. Choose that customer.', 'buyer.email')

/** The address in the profile of a user; undefined for a closed account. */
export const addressOf = async (db: Database, userId: string): Promise<string | undefined> =>
  (await selectUser(db, userId))?.address

/** No secret matches a text that is not a hash. */
const NO_SECRET = 'none'

/**
 * Opens the account of a customer in the caller's transaction, and answers its id. It has no password: a link in an
 * e-mail sets one. Without an e-mail nobody can sign in. Throws `conflict` for an e-mail that has an account.
 */
export async function openCustomer(
  tx: Database,
  { name, email = '', phone = '', address = '' }: NewCustomer,
): Promise<string> {
  const id = uuidv7()
  // no e-mail contains a blank
  const email_key = email.trim() === '' ? `none ${id}` : emailKey(email)
  const keys = email.trim() === '' ? [] : emailKeysOf(email, email_key)
  for (const key of keys) if (await selectUserByEmail(tx, key)) throw emailTaken()
  try {
    await insertUser(tx, {
      id,
      name: name.trim(),
      email: email.trim(),
      email_key,
      password_hash: NO_SECRET,
      answer_hash: NO_SECRET,
      phone: phone.trim(),
      address: address.trim(),
    })
  } catch (error) {
    throw isUniqueViolation(error, EMAIL_TAKEN) ? emailTaken() : error
  }
  return id
}
