import { sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { endOfSpells } from './fair-share/store.ts'
import { secondsFromNow } from './pauses-store.ts'

/** Whoever else starts a payment for this user waits until the transaction ends. */
export const lockBuyer = (tx: Database, userId: string) =>
  tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()

type Wanted = Omit<Row<'holds'>, 'expires_at'> & {
  /** How long it lasts, unless one of its products has been held for so long before. */
  minutes: number
  longest: number
  /** How many pieces its network may hold. */
  most: number
}

/** False when its network would hold too many pieces then. */
export async function insertHold(
  tx: Database,
  { payment_id, user_id, network, pieces, minutes, longest, most }: Wanted,
): Promise<boolean> {
  const end = secondsFromNow(sql`${minutes * 60}::float`)
  const { numAffectedRows = 0n } = await sql`
    insert into holds (payment_id, user_id, network, pieces, expires_at)
    select ${payment_id}::uuid, ${user_id}::uuid, ${network}, ${pieces}::integer,
      least(${end}, ${endOfSpells(user_id, longest)})
    where ${pieces}::integer
      + coalesce((select sum(pieces) from holds where network = ${network}), 0) <= ${most}`.execute(
    tx,
  )
  return numAffectedRows > 0n
}

/** Ends the hold without giving anything back, and answers whose it was. */
export const deleteHold = (tx: Database, paymentId: string) =>
  tx.deleteFrom('holds').where('payment_id', '=', paymentId).returning('user_id').executeTakeFirst()

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
