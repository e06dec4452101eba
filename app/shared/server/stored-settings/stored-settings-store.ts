import { sql } from 'kysely'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { auditedColumn } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import type { Sealed } from './encryption.ts'

/** Entries of the history are named by the setting; they have none of its values. */
export const AUDITED_STORED_SETTINGS: AuditedRows = {
  stored_settings: { name: auditedColumn('stored_settings') },
}

export type StoredRow = Sealed & { name: string }

/** All stored settings, still encrypted, in the order of their names. */
export const selectStoredSettings = (db: Database): Promise<StoredRow[]> =>
  db
    .selectFrom('stored_settings')
    .select(['name', 'key_id', 'nonce', 'sealed'])
    .orderBy('name')
    .execute()

/** Stores settings; those of the same names are replaced. */
export async function upsertStoredSettings(tx: Database, rows: StoredRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('stored_settings')
    .values(rows)
    .onConflict((stored) =>
      stored.column('name').doUpdateSet((given) => ({
        key_id: given.ref('excluded.key_id'),
        nonce: given.ref('excluded.nonce'),
        sealed: given.ref('excluded.sealed'),
        changed_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute()
}

export async function deleteStoredSettings(
  tx: Database,
  names: Row<'stored_settings'>['name'][],
): Promise<void> {
  if (names.length > 0) await tx.deleteFrom('stored_settings').where('name', 'in', names).execute()
}
