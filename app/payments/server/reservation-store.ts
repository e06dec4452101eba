import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import { secondsFromNow } from './store.ts'

/** Locks the buyer: another start of a payment by the same user waits until the transaction ends. */
export const lockBuyer = (tx: Database, userId: string) =>
  tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()

type NewReservation = { payment_id: string; user_id: string; minutes: number }

export const insertReservation = (tx: Database, { minutes, ...reservation }: NewReservation) =>
  tx
    .insertInto('reservations')
    .values({ ...reservation, expires_at: secondsFromNow(minutes * 60) })
    .execute()

/** Deletes the reservation of a payment, or of a user, without returning its stock. */
export const deleteReservation = (tx: Database, by: { payment_id: string } | { user_id: string }) =>
  tx
    .deleteFrom('reservations')
    .where((eb) => eb.and(by))
    .returning('payment_id')
    .executeTakeFirst()

/** Deletes one expired reservation that no other transaction is deleting. */
export const deleteExpiredReservation = (tx: Database) =>
  tx
    .deleteFrom('reservations')
    .where('payment_id', '=', (eb) =>
      eb
        .selectFrom('reservations')
        .select('payment_id')
        .where('expires_at', '<=', sql<Date>`now()`)
        .orderBy('expires_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('payment_id')
    .executeTakeFirst()
