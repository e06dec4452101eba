import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { openEmbedded } from '#db/embedded.ts'
import { migrate } from '#db/migrate.ts'

const MIGRATIONS = new URL('../../db/migrations/', import.meta.url)

/** Opens a database of the first migration with these rows (statements of SQL), and upgrades it. */
export async function upgradedFromFirst(rows: string) {
  const folder = await mkdtemp(join(tmpdir(), 'haat-upgrade-'))
  for (const file of ['0001_shop.sql', 'released.sha256'])
    await cp(new URL(file, MIGRATIONS), join(folder, file))
  const { db, close } = await openEmbedded(undefined)
  await migrate(db, { folder: pathToFileURL(`${folder}/`) })
  await rm(folder, { recursive: true })
  await sql.raw(`do $$ begin ${rows} end $$`).execute(db)
  await migrate(db)
  return { db, close }
}
