/** The embedded database: PostgreSQL inside this process (PGlite), for trying out and for small shops. */
import { Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import { PGlite, types } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { Kysely, PGliteDialect } from 'kysely'
import { compilePglite } from './compile-pglite.ts'
import type { OpenDatabase, QueryListener } from './connect.ts'
import { createPgdata } from './create-pgdata.ts'
import {
  hasPgdata,
  lockFolder,
  makeContentsPrivate,
  openPrivateFolder,
  pgdataIn,
} from './data-folder.ts'
import type { Schema } from './schema.ts'

/**
 * PGlite disables fsync by default (-F), but data must survive a power failure. Its shared buffers
 * of 160 MB would be most of the process's memory; the operating system caches the files, too.
 */
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'shared_buffers=32MB',
]

/** Bytes are sent as hexadecimal text, which PGlite's own serializer handles one byte at a time. */
const BYTES = {
  serializers: { [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}` },
  parsers: { [types.BYTEA]: (text: string) => Buffer.from(text.slice('\\x'.length), 'hex') },
}

const isCrash = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && error.severity === 'PANIC'

/**
 * Ends the process when PostgreSQL panics because it cannot write its log: the disk is full or
 * broken. PGlite cannot restart it, and the next statement would never return.
 */
function exitOnCrash(pglite: Pick<PGlite, 'execProtocolStream'>, onCrash: (why: string) => void) {
  const send = pglite.execProtocolStream.bind(pglite)
  pglite.execProtocolStream = async (message, options) => {
    try {
      return await send(message, options)
    } catch (error) {
      if (!isCrash(error)) throw error
      onCrash(`The embedded database has crashed: ${error.message}`)
      process.exit(1)
    }
  }
}

/** Opens the files in the folder, or in memory, and makes them private to their owner. */
async function createPglite(folder: string | undefined, image: Blob | undefined) {
  if (folder) {
    await createPgdata(pgdataIn(folder))
    makeContentsPrivate(folder)
  }
  const pglite = await PGlite.create({
    ...(folder && { dataDir: pgdataIn(folder), startParams: START_PARAMS }),
    ...(image && { loadDataDir: image }),
    pgliteWasmModule: await compilePglite(),
    extensions: { pg_trgm },
    ...BYTES,
  })
  // PGlite creates some files world-readable when it opens
  if (folder) makeContentsPrivate(folder)
  return pglite
}

export type EmbeddedDatabase = OpenDatabase & { pglite: PGlite }

/**
 * Opens the embedded database in a folder, or one in memory. It has one session, so Kysely's
 * dialect runs transactions one after the other. Throws a user-readable message when another
 * process has the folder open.
 */
export async function openEmbedded(
  folder?: string,
  image?: Blob,
  onQuery?: QueryListener,
  onCrash = (why: string) => {
    process.stderr.write(`${why}\n`)
  },
): Promise<EmbeddedDatabase> {
  if (folder) openPrivateFolder(folder)
  const unlock = folder ? lockFolder(folder) : () => {}
  const pglite = await createPglite(folder, image)
  exitOnCrash(pglite, onCrash)
  const db = new Kysely<Schema>({
    dialect: new PGliteDialect({ pglite }),
    ...(onQuery && { log: onQuery }),
  })
  const close = async () => {
    await db.destroy()
    // Kysely closes only a connection that it has used
    if (!pglite.closed) await pglite.close()
    unlock()
  }
  return { db, pglite, embedded: true, close, watch() {} }
}

/**
 * Dumps the files of the database at one moment as a tar archive, compressed with gzip. Other
 * statements wait while the files are read into memory, not while they are compressed.
 */
export async function dumpEmbedded(pglite: PGlite): Promise<Readable> {
  const archive = await pglite.dumpDataDir('none')
  return Readable.from(archive.stream()).pipe(createGzip({ level: constants.Z_BEST_SPEED }))
}

/**
 * Restores a backup (a tar archive of PGlite's files, compressed with gzip) into a folder without a
 * database. Throws a user-readable message, without changing anything, when the folder has a
 * database, a shop is running on it, or the file is not a complete backup.
 */
export async function restoreEmbedded(folder: string, backup: string): Promise<void> {
  openPrivateFolder(folder)
  const unlock = lockFolder(folder)
  try {
    if (hasPgdata(folder))
      throw new Error(
        `The folder ${folder} already contains a shop. Move ${pgdataIn(folder)} elsewhere, or set DATA_DIR to another folder.`,
      )
    await createPgdata(pgdataIn(folder), backup).catch((cause) => {
      const sentence = `${backup} is not a backup of an embedded shop, or it is damaged. Nothing was changed.`
      throw new Error(sentence, { cause })
    })
    makeContentsPrivate(folder)
  } finally {
    unlock()
  }
}
