import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { secondsFromNow } from './pauses-store.ts'

/** Whoever else starts a payment for this user waits until the transaction ends. */
export const lockBuyer = (tx: Database, userId: string) =>
  tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()

type Wanted = Omit<Row<'holds'>, 'expires_at'> & { minutes: number }

/** A hold always lasts its whole time. */
export const insertHold = (tx: Database, { minutes, ...hold }: Wanted) =>
  tx
    .insertInto('holds')
    .values({ ...hold, expires_at: secondsFromNow(sql`${minutes * 60}::float`) })
    .execute()

/** What a payment holds, or its buyer by another one. */
export const selectHold = (tx: Database, by: { payment_id: string } | { user_id: string }) =>
  tx
    .selectFrom('holds')
    .where((eb) => eb.and(by))
    .select(['payment_id', 'user_id', 'network'])
    .executeTakeFirst()

/** Ends the hold without giving anything back, and answers where it was. */
export const deleteHold = (tx: Database, paymentId: string) =>
  tx.deleteFrom('holds').where('payment_id', '=', paymentId).returning('network').executeTakeFirst()

/** Ends one hold whose time is over and that nobody else is ending, and answers whose it was. */
export const deleteExpiredHold = (tx: Database) =>
  tx
    .deleteFrom('holds')
    .where('payment_id', '=', (eb) =>
      eb
        .selectFrom('holds')
        .select('payment_id')
        .where('expires_at', '<=', sql<Date>`now()`)
        .orderBy('expires_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('payment_id')
    .executeTakeFirst()
