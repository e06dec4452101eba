import { sql } from 'kysely'
import { acquireLocks, LOCKS } from '#db/locks.ts'
import type { Database } from '#db/schema.ts'

const lasting = (minutes: number) => sql`${minutes}::float * interval '1 minute'`

type Products = { network: string; productIds: string[] }
type Spells = Products & { minutes: number; longest: number; pause: number }

/**
 * Goes on with the network's spells of these products, whose beginnings move along with every gap,
 * so that only the time counts in which they were held; after a pause they begin anew. Answers the
 * products of those that are not too long already: those go on no more, whoever holds what. The
 * clock may have been put back meanwhile.
 */
export async function continueSpells(
  tx: Database,
  { network, productIds, minutes, longest, pause }: Spells,
): Promise<string[]> {
  const isOver = sql`spell.ended_at <= now() - ${lasting(pause)}`
  const end = sql`least(spell.ended_at, now())`
  const { rows } = await sql<{ product_id: string }>`
    insert into hold_spells as spell (network, product_id, began_at, ended_at)
    select ${network}, product_id, now(), now() + ${lasting(minutes)}
    from unnest(${productIds}::uuid[]) as product_id order by product_id
    on conflict (network, product_id) do update set
      began_at = case when ${isOver} then now()
        else least(spell.began_at + (now() - ${end}), now()) end,
      ended_at = excluded.ended_at
    where ${isOver} or ${end} - spell.began_at < ${lasting(longest)}
    returning product_id`.execute(tx)
  return rows.map(({ product_id }) => product_id)
}

/**
 * One of these products of which the network holds more pieces than are left for others, with the
 * seconds until its pause is over.
 */
export async function selectOvertaken(
  tx: Database,
  { network, productIds, pause }: Products & { pause: number },
): Promise<{ product_id: string; seconds: number } | undefined> {
  const { rows } = await sql<{ product_id: string; seconds: number }>`
    select product_id,
      extract(epoch from ended_at + ${lasting(pause)} - now())::float as seconds
    from (select product_id, sum(quantity) as pieces
        from holds join payment_lines using (payment_id)
        where network = ${network} and product_id = any(${productIds}::uuid[])
          and expires_at > now() group by 1) as held
      join products on products.id = product_id
      join hold_spells using (product_id)
    where hold_spells.network = ${network} and pieces > products.quantity
    order by seconds desc limit 1`.execute(tx)
  return rows[0]
}

/** What the network holds of these products is held until its last hold ends, at most as before. */
export const shortenSpells = (tx: Database, { network, productIds }: Products) =>
  sql`
    update hold_spells as spell
    set ended_at = least(ended_at, coalesce(last_end, now()))
    from unnest(${productIds}::uuid[]) as ended
      left join (select product_id, max(expires_at) as last_end
        from holds join payment_lines using (payment_id)
        where network = ${network} group by 1) as held on held.product_id = ended
    where spell.network = ${network} and spell.product_id = ended and ended_at > now()`.execute(tx)

/** Where pieces were sold, nobody keeps them; a spell that is gone on with meanwhile may stay. */
export const forgetSpells = (tx: Database, { network, productIds }: Products) =>
  sql`
    delete from hold_spells where (network, product_id) in (
      select network, product_id from hold_spells
      where network = ${network} and product_id = any(${productIds}::uuid[])
      for update skip locked)`.execute(tx)

/** Those that count for nothing any more. */
export const deleteOldSpells = (db: Database, pause: number) =>
  sql`
    delete from hold_spells where (network, product_id) in (
      select network, product_id from hold_spells
      where ended_at <= now() - ${lasting(pause)} for update skip locked)`.execute(db)

/**
 * Whoever else takes pieces from these networks, or gives them back, waits until the transaction
 * ends; always in one order.
 */
export const lockNetworks = (tx: Database, networks: string[]) =>
  acquireLocks(tx, LOCKS.networkReservations, networks)
