import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

const lasting = (minutes: number) => sql`${minutes}::float * interval '1 minute'`

type Keeping = { userId: string; productIds: string[]; minutes: number; longest: number }

/**
 * Goes on with the buyer's spells of these products, whose beginnings move along with every gap, so
 * that only the time counts in which they were held; after a pause as long as the longest they
 * begin anew. Answers the products of those that are not too long already. The clock may have been
 * put back meanwhile.
 */
export async function continueSpells(
  tx: Database,
  { userId, productIds, minutes, longest }: Keeping,
): Promise<string[]> {
  const isOver = sql`spell.ended_at <= now() - ${lasting(longest)}`
  const end = sql`least(spell.ended_at, now())`
  const { rows } = await sql<{ product_id: string }>`
    insert into hold_spells as spell (user_id, product_id, began_at, ended_at)
    select ${userId}::uuid, product_id, now(), now() + ${lasting(minutes)}
    from unnest(${productIds}::uuid[]) as product_id order by product_id
    on conflict (user_id, product_id) do update set
      began_at = case when ${isOver} then now()
        else least(spell.began_at + (now() - ${end}), now()) end,
      ended_at = excluded.ended_at
    where ${isOver} or ${end} - spell.began_at < ${lasting(longest)}
    returning product_id`.execute(tx)
  return rows.map(({ product_id }) => product_id)
}

/** When a hold has to end because one of its products has been held long enough. */
export const endOfSpells = (userId: string, longest: number) => sql<Date>`(
  select min(began_at) + ${lasting(longest)} from hold_spells
  where user_id = ${userId} and ended_at > now())`

/** What the buyer holds is held until their hold ends; where there is none, until now. */
export const endSpells = (tx: Database, userId: string) =>
  sql`
    update hold_spells
    set ended_at = coalesce((select expires_at from holds where user_id = ${userId}), now())
    where user_id = ${userId} and ended_at > now()`.execute(tx)

/** What was paid for was kept from nobody; a spell that is gone on with meanwhile may stay. */
export const forgetSpells = (tx: Database, userId: string, productIds: string[]) =>
  sql`
    delete from hold_spells where (user_id, product_id) in (
      select user_id, product_id from hold_spells
      where user_id = ${userId} and product_id = any(${productIds}::uuid[])
      for update skip locked)`.execute(tx)

/** Those that count for nothing any more. */
export const deleteOldSpells = (db: Database, longest: number) =>
  sql`
    delete from hold_spells where (user_id, product_id) in (
      select user_id, product_id from hold_spells
      where ended_at <= now() - ${lasting(longest)} for update skip locked)`.execute(db)

/** In how many seconds the buyer may hold the product again. */
export async function secondsOfPause(
  db: Database,
  { userId, productId, longest }: { userId: string; productId: string; longest: number },
): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from least(ended_at, now()) + ${lasting(longest)} - now())::float as seconds
    from hold_spells where user_id = ${userId} and product_id = ${productId}`.execute(db)
  return rows[0]?.seconds ?? 0
}

/** Whoever else takes pieces from this network waits until the transaction ends. */
export const lockNetwork = (tx: Database, network: string) =>
  sql`select pg_advisory_xact_lock('holds'::regclass::oid::integer, hashtext(${network}))`.execute(
    tx,
  )
