import { openAccount } from '#app/accounts/server/service.ts'
import { DEMO_FACT } from '#app/settings/server/demo.sql.ts'
import type { Database } from '#db/schema.ts'
import { DEMO_ADMIN, DEMO_CUSTOMER } from '#demo/accounts.ts'

/** Makes a database a demo without the catalogue, whose photos take long. */
export async function addDemoAccounts(db: Database): Promise<void> {
  await openAccount(db, DEMO_ADMIN, { admin: true })
  await openAccount(db, DEMO_CUSTOMER)
  await db.insertInto('shop_facts').values(DEMO_FACT).execute()
}
