import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** The name of every closed account, and of the buyer on its orders. */
export const CLOSED_ACCOUNT_NAME = 'Closed account'

/** An open account, held until the transaction ends: log-ins, orders and changes of it wait. */
export const lockAccount = (tx: Database, id: string) =>
  tx
    .selectFrom('users')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .select(['name', 'is_admin'])
    .forUpdate()
    .executeTakeFirst()

/** No e-mail has a blank, so nobody can register the key that takes the place of the e-mail. */
export const anonymiseAccount = (tx: Database, id: string, hash: string) =>
  tx
    .updateTable('users')
    .set({
      name: CLOSED_ACCOUNT_NAME,
      email: '',
      email_key: `closed ${id}`,
      phone: '',
      address: '',
      password_hash: hash,
      answer_hash: hash,
      closed_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
