import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** The name of a closed account, also as the buyer of its orders. */
export const CLOSED_ACCOUNT_NAME = 'Closed account'

/**
 * Selects and locks an open account until the transaction ends. Log-ins, orders and changes of it
 * wait.
 */
export const lockAccount = (tx: Database, id: string) =>
  tx
    .selectFrom('users')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .select(['name', 'email_key', 'is_admin'])
    .forUpdate()
    .executeTakeFirst()

/** No e-mail contains a blank, so no registration can take this replacement key. */
export const anonymiseAccount = (tx: Database, id: string, hash: string) =>
  tx
    .updateTable('users')
    .set({
      name: CLOSED_ACCOUNT_NAME,
      email: '',
      email_key: `closed ${id}`,
      phone: '',
      address: '',
      delivery: null,
      password_hash: hash,
      answer_hash: hash,
      email_confirmed_at: null,
      closed_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
