import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

/**
 * Creates the files of an embedded database, empty or from a backup, all or nothing. A child
 * process does it, because the memory that it needs (some 250 MB) would not be returned in this
 * one.
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

/** Throws when the file is damaged, or contains no shop. */
async function unpackBackup(dataDir: string, backup: string) {
  const loadDataDir = new Blob([gunzipSync(readFileSync(backup))])
  const pglite = await PGlite.create({ dataDir, loadDataDir, extensions: { pg_trgm } })
  // sessions that ended after the backup, and links that were used, must not become valid again
  await pglite.exec('delete from sessions; delete from account_tokens')
  await pglite.close()
}

const [, , folder, backup] = process.argv
if (import.meta.main && folder) await (backup ? unpackBackup(folder, backup) : createEmpty(folder))
