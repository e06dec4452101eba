import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Actor } from './actor.ts'

/** Sets the actor of this transaction, which the audit log's triggers store. */
export async function setActor(tx: Database, { kind, id }: Actor): Promise<void> {
  const actor = id === undefined ? kind : `${kind} ${id}`
  await sql`select set_config('haat.actor', ${actor}, true)`.execute(tx)
}

/** Sets what the audit log's triggers store of this transaction beside the actor. */
export async function describeChange(
  tx: Database,
  { changeId = '', reason = '' }: { changeId?: string; reason?: string },
): Promise<void> {
  await sql`
    select set_config('haat.change', ${changeId}, true), set_config('haat.reason', ${reason}, true)`.execute(
    tx,
  )
}
