import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'

/**
 * Makes the files of an embedded database, all or nothing, where there are none. A process of its
 * own does it: this one would hold the memory that it takes (some 250 MB) for ever.
 */
export async function createPgdata(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), partial])
  await rename(partial, folder)
}

const [, , folder] = process.argv
if (import.meta.main && folder) {
  const pglite = await PGlite.create(folder)
  await pglite.close()
}
