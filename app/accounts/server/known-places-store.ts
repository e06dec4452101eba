/**
 * Known places in the database, shared by all processes: networks from which accounts have logged in, and
 * browsers in which admins have signed in. An account has at most twenty of each, kept for thirty days after
 * the last successful log-in, as keyed hashes.
 */
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { sharedSecret } from '#app/shared/server/secret-store.ts'
import { countChanged, hasRow } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'

/** A place as it is stored: its kind, and a keyed hash. */
type KnownPlace = Pick<Row<'known_places'>, 'kind' | 'place'>

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
export const selectIsKnown = (
  db: Database,
  emailKey: string,
  { kind, place }: KnownPlace,
): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('known_places')
      .innerJoin('users', 'users.id', 'known_places.user_id')
      .where('users.email_key', '=', emailKey)
      .where('kind', '=', kind)
      .where('place', '=', place)
      .where('seen_at', '>', sql<Date>`now() - ${KNOWN_FOR}`),
  )

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
const deleteSurplus = (db: Database, emailKey: string, kind: KnownPlace['kind']) =>
  sql`
    delete from known_places
    where (user_id, kind, place) in (
      select user_id, kind, place from known_places
      where user_id = (select id from users where email_key = ${emailKey}) and kind = ${kind}
      order by seen_at desc offset ${MAX_KNOWN} for update skip locked
    )`.execute(db)

/** Deletes some expired places of any account. */
const deleteForgotten = (db: Database) =>
  sql`
    delete from known_places
    where (user_id, kind, place) in (
      select user_id, kind, place from known_places
      where seen_at <= now() - ${KNOWN_FOR}
      order by seen_at limit ${CLEANUP_BATCH} for update skip locked
    )`.execute(db)

/** The networks from which an account has logged in, by its normalized e-mail. */
export type KnownNetworks = {
  has: (account: string, network: string) => Promise<boolean>
  add: (account: string, network: string) => Promise<void>
}

async function placeOf(
  db: Database,
  kind: KnownPlace['kind'],
  parts: string[],
): Promise<KnownPlace> {
  const key = await sharedSecret(db, 'network_key')
  return { kind, place: createHmac('sha256', key).update(JSON.stringify(parts)).digest() }
}

/** The browser of a `User-Agent`; an update of a browser changes numbers only. */
export const browserOf = (db: Database, userId: string, userAgent: string): Promise<KnownPlace> =>
  placeOf(db, 'browser', [userId, 'browser', userAgent.replace(/[\d._]+/g, '')])

/** Stores a place of an account, by its normalized e-mail, and deletes surplus and expired ones. */
export async function addKnown(db: Database, account: string, place: KnownPlace): Promise<void> {
  await insertKnown(db, account, place)
  await deleteSurplus(db, account, place.kind)
  await deleteForgotten(db)
}

export function knownNetworks(db: Database): KnownNetworks {
  const networkOf = (account: string, network: string) => placeOf(db, 'network', [account, network])
  return {
    has: async (account, network) => selectIsKnown(db, account, await networkOf(account, network)),
    add: async (account, network) => addKnown(db, account, await networkOf(account, network)),
  }
}
