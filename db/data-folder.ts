/** The folder DATA_DIR: private to its owner, and used by one process at a time. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The folder of the embedded database's files. */
export const pgdataIn = (folder: string) => join(folder, 'pgdata')

/** Whether there is an embedded database in the folder. */
export const hasPgdata = (folder: string) => existsSync(pgdataIn(folder))

const OWNER = 0o700
const STICKY = 0o1000
const PERMISSIONS = 0o777

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Removes all permissions of group and others. */
function makePrivate(path: string, { mode }: Stats) {
  const permissions = mode & PERMISSIONS
  if (permissions !== (permissions & OWNER)) chmodSync(path, permissions & OWNER)
}

/** Windows has no such owners. */
const isForeign = ({ uid }: Stats) => process.getuid !== undefined && uid !== process.getuid()

/**
 * Creates the folder if it does not exist, and makes it private to its owner. Throws a
 * user-readable message when it belongs to another user, or is shared by all users.
 */
export function openPrivateFolder(folder: string) {
  let found: Stats
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER })
    found = statSync(folder)
  } catch (error) {
    throw new Error(`The folder DATA_DIR cannot be used: ${reason(error)}`, { cause: error })
  }
  if (found.mode & STICKY)
    throw new Error(
      `The folder DATA_DIR (${folder}) is shared by all users of this machine. Make a folder in it for the shop alone.`,
    )
  if (isForeign(found))
    throw new Error(
      `The folder DATA_DIR (${folder}) belongs to another user. Start the shop as that user, or give it the folder (chown -R).`,
    )
  makePrivate(folder, found)
}

/**
 * Makes all files in a folder private to their owner, because PGlite creates world-writable files.
 * Throws a user-readable message when that is not permitted. It takes about 10 ms for 1,000 files.
 */
export function makeContentsPrivate(folder: string) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, String(name))
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found || found.isSymbolicLink()) continue
    try {
      makePrivate(path, found)
    } catch (error) {
      throw new Error(
        `Others may read ${path} in DATA_DIR, and that cannot be changed: ${reason(error)}`,
        { cause: error },
      )
    }
  }
}

/** Makes the data folder of a shop whose database is on a server private, if it exists. */
export function makeUnusedFolderPrivate(folder: string) {
  if (!existsSync(folder)) return
  openPrivateFolder(folder)
  makeContentsPrivate(folder)
}

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
