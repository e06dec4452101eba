import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The process that has written its id into the file, as the end of a sentence. */
function describeHolder(file: string): string {
  try {
    return `: process ${Number.parseInt(readFileSync(file, 'utf8'), 10)}`
  } catch {
    return ''
  }
}

/**
 * Locks the folder for this process, and returns a function that unlocks it. It is a file lock of
 * the operating system (SQLite's exclusive mode), so it ends with the process, even when that
 * crashes. Throws a user-readable message when another process holds it.
 */
export function lockFolder(folder: string): () => void {
  const holder = join(folder, 'lock.pid')
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive; commit')
  } catch {
    lock.close()
    throw new Error(
      `Another process is using the database in ${folder}${describeHolder(holder)}. Stop it first, or set DATA_DIR to another folder, or DATABASE_URL to share a PostgreSQL server.`,
    )
  }
  writeFileSync(holder, String(process.pid))
  return () => lock.close()
}
