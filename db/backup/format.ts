/**
 * A backup is lines of JSON, compressed by Zstandard. The first line is the header; then each table
 * has a line that names it, a line for each row and a line that ends it; the last line says that it
 * is whole. A row is an array of texts, as PostgreSQL writes its values, so that nothing is rounded.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:zlib'

export const FORMAT = 'haat-backup'
export const VERSION = 1

export type Table = { name: string; columns: string[] }

export type Header = {
  format: typeof FORMAT
  version: number
  /** When it was taken (ISO 8601): it holds what was committed by then. */
  at: string
  /** What the database had gone through. */
  migrations: string[]
  tables: Table[]
  /** The last value of each sequence. */
  sequences: Record<string, number>
}

/** What stands beside the rows; a row is an array. */
export type Mark =
  | { table: string }
  | { end: string; rows: number; sha256: string }
  | { whole: true; tables: number }

/** Little time for most of the gain; the checksum finds a bit that fell over. */
export const COMPRESSION = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 3,
    [constants.ZSTD_c_checksumFlag]: 1,
  },
}

export const line = (value: Header | Mark) => `${JSON.stringify(value)}\n`

/** Counts rows and takes their checksum, line by line. */
export function tally() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(row: string | Buffer) {
      hash.update(row).update('\n')
      rows += 1
    },
    sum: () => ({ rows, sha256: hash.digest('hex') }),
  }
}
