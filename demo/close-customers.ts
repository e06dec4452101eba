import { eraseAccount } from '#app/accounts/server/close-account.ts'
import { emailKey } from '#app/shared/server/limits/client-keys.ts'
import type { PersonalData } from '#app/shared/server/personal-data-store.ts'
import type { Database } from '#db/schema.ts'
import { DEMO_CUSTOMERS, NO_SECRET } from './customers.ts'

/** Selects and locks the customers who are as they were inserted, and have test payments and orders alone. */
const lockSamples = (tx: Database) =>
  tx
    .selectFrom('users')
    .where(
      'email_key',
      'in',
      DEMO_CUSTOMERS.map(({ email }) => emailKey(email)),
    )
    .where('password_hash', '=', NO_SECRET)
    .where('is_admin', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments').whereRef('user_id', '=', 'users.id').where('test', '=', false),
        ),
      ),
    )
    .select(['id', 'email_key'])
    .orderBy('id')
    .forUpdate()
    .execute()

/** Closes the accounts of the demo's customers: their test orders, which stay, name nobody. */
export async function closeCustomers(
  tx: Database,
  tables: PersonalData,
  hash: string,
): Promise<void> {
  for (const { id: userId, email_key } of await lockSamples(tx))
    await eraseAccount(tx, tables, { userId, emailKey: email_key, hash })
}
