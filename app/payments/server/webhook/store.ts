import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { PAYABLE } from '../transitions.ts'

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
    .where('state', 'in', PAYABLE)
    .execute()

/** Money for an unknown order needs no review once all of it was refunded at the provider. */
export async function resolveUnknown(db: Database, id: string, refundedMinor: number) {
  await db
    .updateTable('captures')
    .set({ resolved_at: sql<Date>`now()`, resolution_note: 'Refunded at the provider.' })
    .where('provider_payment_id', '=', id)
    .where('amount_minor', '<=', refundedMinor)
    .where('purpose', '=', 'unknown')
    .where('resolved_at', 'is', null)
    .execute()
}
