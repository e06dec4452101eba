import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

export async function isHeard(db: Database, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('webhook_events')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

export const insertEvent = (db: Database, id: string) =>
  db
    .insertInto('webhook_events')
    .values({ id })
    .onConflict((heard) => heard.doNothing())
    .execute()

export const deleteOldEvents = (db: Database) =>
  db
    .deleteFrom('webhook_events')
    .where('received_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()

/** Why the customer's last try failed; of no interest once the payment is settled. */
export const noteFailure = (db: Database, providerOrderId: string, failure: string) =>
  db
    .updateTable('payments')
    .set({ failure })
    .where('provider_order_id', '=', providerOrderId)
    .where('settled_at', 'is', null)
    .execute()
