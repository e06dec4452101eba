import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Actor } from './actor.ts'

/** Sets the actor of this transaction, which the audit log's triggers store. */
export async function setActor(tx: Database, { kind, id }: Actor): Promise<void> {
  const actor = id === undefined ? kind : `${kind} ${id}`
  await sql`select set_config('haat.actor', ${actor}, true)`.execute(tx)
}
