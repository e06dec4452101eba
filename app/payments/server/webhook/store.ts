import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { UNDECIDED } from '../transitions.ts'

export async function isProcessed(db: Database, id: string): Promise<boolean> {
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
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const deleteOldEvents = (db: Database) =>
  db
    .deleteFrom('webhook_events')
    .where('received_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()

/** Stores why the buyer's last attempt failed, unless the payment is decided on. */
export const noteFailure = (db: Database, providerOrderId: string, failure: string) =>
  db
    .updateTable('payments')
    .set({ failure })
    .where('provider_order_id', '=', providerOrderId)
    .where('state', 'in', UNDECIDED)
    .execute()
