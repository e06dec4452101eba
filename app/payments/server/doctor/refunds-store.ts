import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/**
 * Captured money that was started with this key and is not being refunded: refunded money first, then the
 * newest.
 */
export const selectRefundedAtProvider = (db: Database, publicKey: string, limit: number) =>
  db
    .selectFrom('payments')
    .where('provider', '=', 'razorpay')
    .where('public_key', '=', publicKey)
    .where('confirmed_at', 'is not', null)
    .where('state', 'in', ['captured', 'refunded'])
    .orderBy(sql`refunded_minor > 0`, 'desc')
    .orderBy('received_at', 'desc')
    .limit(limit)
    .select([sql<string>`provider_payment_id`.as('id'), 'refunded_minor'])
    .execute()
