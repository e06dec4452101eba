import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

const KEY = 'network_key'
/** An account is known at so many networks: those that it was last seen at. */
const MOST = 20
/** So long from its last success there. Hours are as long in every time zone. */
const KNOWN_FOR = sql`interval '720 hours'`
/** How many of the oldest are looked at when somebody signs in. */
const SWEPT = 100
/** A success within this time of the last one is not stored again. */
const NEAR_ENOUGH = sql`interval '1 hour'`

/** The key that networks are hashed with: the same in every process of a shop, made by the first. */
export async function networkKeyOf(db: Database, fresh: () => string): Promise<string> {
  const select = () =>
    db.selectFrom('shop_facts').select('value').where('key', '=', KEY).executeTakeFirst()
  const known = await select()
  if (known) return known.value
  await db
    .insertInto('shop_facts')
    .values({ key: KEY, value: fresh() })
    .onConflict((fact) => fact.column('key').doNothing())
    .execute()
  return (await select())?.value ?? ''
}

/** Whether the account of this e-mail was seen at this network lately; one question for everybody. */
export async function selectIsKnown(
  db: Database,
  emailKey: string,
  network: Buffer,
): Promise<boolean> {
  const found = await db
    .selectFrom('known_networks')
    .innerJoin('users', 'users.id', 'known_networks.user_id')
    .where('users.email_key', '=', emailKey)
    .where('network', '=', network)
    .where('seen_at', '>', sql<Date>`now() - ${KNOWN_FOR}`)
    .select('user_id')
    .executeTakeFirst()
  return found !== undefined
}

/** Notes that an account was seen at a network. */
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

/** Forgets every network of an account: somebody else may have signed in there. */
export const deleteKnown = (db: Database, userId: string) =>
  db.deleteFrom('known_networks').where('user_id', '=', userId).execute()

/** Lets go of those of an account that are too many. */
export const deleteSurplus = (db: Database, emailKey: string) =>
  sql`
    delete from known_networks
    where (user_id, network) in (
      select user_id, network from known_networks
      where user_id = (select id from users where email_key = ${emailKey})
      order by seen_at desc offset ${MOST} for update skip locked
    )`.execute(db)

/** Lets go of some of anybody's that are too old. */
export const deleteForgotten = (db: Database) =>
  sql`
    delete from known_networks
    where (user_id, network) in (
      select user_id, network from known_networks
      where seen_at <= now() - ${KNOWN_FOR}
      order by seen_at limit ${SWEPT} for update skip locked
    )`.execute(db)
