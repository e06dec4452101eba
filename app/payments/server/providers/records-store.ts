/** What providers remember, each under its name. */
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import type { Records } from './provider.ts'

const recordOf = (db: Database, provider: string, key: string) =>
  db
    .selectFrom('provider_records')
    .where('provider', '=', provider)
    .where('key', '=', key)
    .select('value')

/** The records of a provider. */
export const recordsOf = (db: Database, provider: string): Records => ({
  read: async (key) => (await recordOf(db, provider, key).executeTakeFirst())?.value,
  change: (key, change) =>
    inTransaction(db, SHOP, async (tx) => {
      await tx
        .insertInto('provider_records')
        .values({ provider, key, value: '{}' })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const former = await recordOf(tx, provider, key).forUpdate().executeTakeFirst()
      const value = JSON.stringify(change(former?.value))
      await tx
        .updateTable('provider_records')
        .set({ value })
        .where('provider', '=', provider)
        .where('key', '=', key)
        .execute()
    }),
})
