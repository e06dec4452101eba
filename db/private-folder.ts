import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

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
