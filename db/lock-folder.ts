import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Locks the folder for this process, and returns a function that unlocks it. It is a file lock of
 * the operating system (SQLite's exclusive mode), so it ends with the process, even when that
 * crashes. Throws a user-readable message when another process holds it.
 */
export function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive; commit')
  } catch {
    lock.close()
    throw new Error(
      `Another process is using the database in ${folder}. Stop it first, or set DATA_DIR to another folder, or DATABASE_URL to share a PostgreSQL server.`,
    )
  }
  return () => lock.close()
}
