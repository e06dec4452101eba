import { sql } from 'kysely'
import { hasRow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** The most known networks of an account; the most recent ones are kept. */
const MOST = 20
/**
 * How long a network is known after its last successful log-in. Hours, because a day's length
 * depends on the time zone.
 */
const KNOWN_FOR = sql`interval '720 hours'`
/** How many of the oldest rows are checked for expiry at each log-in. */
const SWEPT = 100
/** A log-in within this time of the last stored one is not stored again. */
const NEAR_ENOUGH = sql`interval '1 hour'`

/** Whether the account was used from this network lately. Unknown e-mails run the same query. */
export const selectIsKnown = (db: Database, emailKey: string, network: Buffer): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('known_networks')
      .innerJoin('users', 'users.id', 'known_networks.user_id')
      .where('users.email_key', '=', emailKey)
      .where('network', '=', network)
      .where('seen_at', '>', sql<Date>`now() - ${KNOWN_FOR}`),
  )

/** Stores that an account was used from a network. */
export const insertKnown = (db: Database, emailKey: string, network: Buffer) =>
  db
    .insertInto('known_networks')
    .columns(['user_id', 'network'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(['id', sql<Buffer>`${network}::bytea`.as('network')])
        .where('email_key', '=', emailKey),
    )
    .onConflict((known) =>
      known
        .columns(['user_id', 'network'])
        .doUpdateSet({ seen_at: sql<Date>`now()` })
        .where('known_networks.seen_at', '<', sql<Date>`now() - ${NEAR_ENOUGH}`),
    )
    .execute()

/**
 * Deletes every known network and browser of an account: another person may have logged in from there.
 */
export async function deleteKnown(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('known_networks').where('user_id', '=', userId).execute()
  await db.deleteFrom('known_browsers').where('user_id', '=', userId).execute()
}

/** Deletes the networks of an account above the limit. */
export const deleteSurplus = (db: Database, emailKey: string) =>
  sql`
    delete from known_networks
    where (user_id, network) in (
      select user_id, network from known_networks
      where user_id = (select id from users where email_key = ${emailKey})
      order by seen_at desc offset ${MOST} for update skip locked
    )`.execute(db)

/** Deletes some expired networks of any account. */
export const deleteForgotten = (db: Database) =>
  sql`
    delete from known_networks
    where (user_id, network) in (
      select user_id, network from known_networks
      where seen_at <= now() - ${KNOWN_FOR}
      order by seen_at limit ${SWEPT} for update skip locked
    )`.execute(db)

/** Whether an admin has signed in with this browser lately. */
export const selectIsKnownBrowser = (
  db: Database,
  userId: string,
  browser: Buffer,
): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('known_browsers')
      .where('user_id', '=', userId)
      .where('browser', '=', browser)
      .where('seen_at', '>', sql<Date>`now() - ${KNOWN_FOR}`),
  )

export const insertKnownBrowser = (db: Database, userId: string, browser: Buffer) =>
  db
    .insertInto('known_browsers')
    .values({ user_id: userId, browser })
    .onConflict((known) =>
      known.columns(['user_id', 'browser']).doUpdateSet({ seen_at: sql<Date>`now()` }),
    )
    .execute()

/** Deletes the expired browsers of all admins, and those of an admin above the limit. */
export const deleteSurplusBrowsers = (db: Database, userId: string) =>
  sql`
    delete from known_browsers
    where seen_at <= now() - ${KNOWN_FOR} or user_id = ${userId} and browser in (
      select browser from known_browsers where user_id = ${userId}
      order by seen_at desc offset ${MOST}
    )`.execute(db)
