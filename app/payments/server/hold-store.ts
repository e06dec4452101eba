import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { secondsFromNow } from './pauses-store.ts'

/** Whoever else starts a payment for this user waits until the transaction ends. */
export const lockBuyer = (tx: Database, userId: string) =>
  tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()

export const insertHold = (
  tx: Database,
  { minutes, ...hold }: Pick<Row<'holds'>, 'payment_id' | 'user_id'> & { minutes: number },
) =>
  tx
    .insertInto('holds')
    .values({ ...hold, expires_at: secondsFromNow(sql`${minutes * 60}::float`) })
    .execute()

/** Ends the hold without giving anything back; false when there is none. */
export async function deleteHold(tx: Database, paymentId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('holds')
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the hold that a user has, and answers whose payment's it was. */
export const deleteHoldOfUser = (tx: Database, userId: string) =>
  tx.deleteFrom('holds').where('user_id', '=', userId).returning('payment_id').executeTakeFirst()

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
