import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

/**
 * Creates the files of an embedded database where there are none, all or nothing: empty ones, or
 * those of a backup. A child process does it, because this one would keep the memory that it takes
 * (some 250 MB) for ever.
 */
export async function createPgdata(folder: string, backup?: string): Promise<void> {
  if (existsSync(folder)) return
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  const args = [fileURLToPath(import.meta.url), partial, ...(backup ? [backup] : [])]
  try {
    await promisify(execFile)(process.execPath, args)
    await rename(partial, folder)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

async function createEmpty(dataDir: string) {
  const pglite = await PGlite.create(dataDir)
  await pglite.close()
}

/** Throws when the file is damaged, or holds no shop. */
async function unpackBackup(dataDir: string, backup: string) {
  const loadDataDir = new Blob([gunzipSync(readFileSync(backup))])
  const pglite = await PGlite.create({ dataDir, loadDataDir, extensions: { pg_trgm } })
  // a session that was ended since the backup must not come back
  await pglite.exec('delete from sessions')
  await pglite.close()
}

const [, , folder, backup] = process.argv
if (import.meta.main && folder) await (backup ? unpackBackup(folder, backup) : createEmpty(folder))
