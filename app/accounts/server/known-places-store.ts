import { sql } from 'kysely'
import { countChanged } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'

/** A place as it is stored: its kind, and a keyed hash. */
export type KnownPlace = Pick<Row<'known_places'>, 'kind' | 'place'>

/** Known places of an account and a kind; the most recent ones are kept. */
const MAX_KNOWN = 20
/**
 * How long a place is known after its last successful log-in. Hours, because a day's length
 * depends on the time zone.
 */
const KNOWN_FOR = sql`interval '720 hours'`
/** How many of the oldest rows are checked for expiry at each log-in. */
const CLEANUP_BATCH = 100
/** A log-in within this time of the last stored one is not stored again. */
const REFRESH_INTERVAL = sql`interval '1 hour'`

/** Whether the account was used from this place lately. Unknown e-mails run the same query. */
export async function selectIsKnown(
  db: Database,
  emailKey: string,
  { kind, place }: KnownPlace,
): Promise<boolean> {
  const found = await db
    .selectFrom('known_places')
    .innerJoin('users', 'users.id', 'known_places.user_id')
    .where('users.email_key', '=', emailKey)
    .where('kind', '=', kind)
    .where('place', '=', place)
    .where('seen_at', '>', sql<Date>`now() - ${KNOWN_FOR}`)
    .select('user_id')
    .executeTakeFirst()
  return found !== undefined
}

/** Stores that an account was used from a place. */
export const insertKnown = (db: Database, emailKey: string, { kind, place }: KnownPlace) =>
  db
    .insertInto('known_places')
    .columns(['user_id', 'kind', 'place'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([
          'id',
          sql<KnownPlace['kind']>`${kind}::text`.as('kind'),
          sql<Buffer>`${place}::bytea`.as('place'),
        ])
        .where('email_key', '=', emailKey),
    )
    .onConflict((known) =>
      known
        .columns(['user_id', 'kind', 'place'])
        .doUpdateSet({ seen_at: sql<Date>`now()` })
        .where('known_places.seen_at', '<', sql<Date>`now() - ${REFRESH_INTERVAL}`),
    )
    .execute()

/** Deletes every known place of an account: another person may have logged in from there. */
export const deleteKnown = (db: Database, userId: string): Promise<number> =>
  countChanged(db.deleteFrom('known_places').where('user_id', '=', userId))

/** Deletes the places of an account and a kind above the limit. */
export const deleteSurplus = (db: Database, emailKey: string, kind: KnownPlace['kind']) =>
  sql`
    delete from known_places
    where (user_id, kind, place) in (
      select user_id, kind, place from known_places
      where user_id = (select id from users where email_key = ${emailKey}) and kind = ${kind}
      order by seen_at desc offset ${MAX_KNOWN} for update skip locked
    )`.execute(db)

/** Deletes some expired places of any account. */
export const deleteForgotten = (db: Database) =>
  sql`
    delete from known_places
    where (user_id, kind, place) in (
      select user_id, kind, place from known_places
      where seen_at <= now() - ${KNOWN_FOR}
      order by seen_at limit ${CLEANUP_BATCH} for update skip locked
    )`.execute(db)
