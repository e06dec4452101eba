import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** The table that marks a database into which a backup is being restored. */
export const RESTORE_MARK = 'unfinished_restore'

const mark = sql.id(RESTORE_MARK)

/** Marks an empty database before a backup is restored into it. */
export const markRestore = (db: Kysely<Schema>) =>
  sql`create table if not exists ${mark} ()`.execute(db)

/** Removes the mark of a restore that has changed nothing. */
export const unmarkRestore = (db: Kysely<Schema>) => sql`drop table if exists ${mark}`.execute(db)

/**
 * Parks the e-mails that were queued in a restored backup, once: the shop that made it may have sent
 * them since. Their owner sends or drops them. A restore that was ended before this is finished by
 * the next start.
 */
export async function finishRestore(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass(${RESTORE_MARK}) is not null as found`.execute(db)
  if (!rows[0]?.found) return
  await db.transaction().execute(async (tx) => {
    await sql`lock table ${mark} in access exclusive mode`.execute(tx)
    await sql`
      update emails set state = 'parked', next_attempt_at = null where state = 'queued'`.execute(tx)
    await sql`drop table ${mark}`.execute(tx)
  })
}
