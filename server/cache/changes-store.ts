import { type Kysely, sql } from 'kysely'
import type { Schema } from '#db/schema.ts'

/** Whose stock changed, and whether it sold out or is there again; without a product, anything. */
export type Change = { product: string | null; crossed: boolean }

export type Look = {
  /** What was over at this look, to be handed to the next one. */
  snapshot: string
  /** By the clock of the database. */
  seconds: number
  /** Another one, and nobody can say what happened in between: another server, or a restored shop. */
  source: string
  changes: Change[]
}

/**
 * What was committed between a former look, by its snapshot, and this one; nothing at the first.
 * Of transactions that ended in another order than they began none is missed and none comes twice.
 * Rows of the future came with the data of another server, and mean nothing.
 */
export async function selectChanges(db: Kysely<Schema>, former: string | null): Promise<Look> {
  const since = sql`coalesce(${former}::pg_snapshot, pg_current_snapshot())`
  const { rows } = await sql<Look>`
    select pg_current_snapshot()::text as snapshot,
      extract(epoch from clock_timestamp())::float8 as seconds,
      concat(pg_postmaster_start_time(), ' ', 'catalogue_changes'::regclass::oid) as source,
      (
        select coalesce(json_agg(distinct jsonb_build_object('product', product_id, 'crossed', crossed)), '[]')
        from catalogue_changes
        where transaction >= pg_snapshot_xmin(${since})
          and transaction < pg_snapshot_xmax(pg_current_snapshot())
          and not pg_visible_in_snapshot(transaction, ${since})
      ) as changes`.execute(db)
  const [look] = rows
  if (!look) throw new Error('The database told nothing of the changes.')
  return look
}

/** Forgets what was over at this snapshot, and what came with the data of another server. */
export async function deleteChanges(db: Kysely<Schema>, snapshot: string): Promise<void> {
  await sql`delete from catalogue_changes
    where transaction < pg_snapshot_xmin(${snapshot}::pg_snapshot)
      or transaction >= pg_snapshot_xmax(pg_current_snapshot())`.execute(db)
  // the embedded database does not do it by itself
  await sql`vacuum catalogue_changes`.execute(db)
}
