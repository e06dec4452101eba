import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { COMPRESSION, FORMAT, line, tally, VERSION } from './format.ts'
import { readAhead, readRest } from './photos.ts'
import { agreeOnWriting, migrationsOf, rowOf, type Shape, sequencesOf, shapesOf } from './shape.ts'
import { openSpool, type Spool } from './spool.ts'

/** Rows are fetched in portions of about so many characters, however long they are. */
const PORTION = 1_000_000
const MOST_ROWS = 2000
/** It holds every customer's address: nobody else may read it. */
const OWNERS = { mode: 0o600, flags: 'wx', flush: true }

export type Told = (table: string, rows: number) => void

/** Every row of a table as an array of texts, portion by portion. */
async function* rowsOf(tx: Transaction<Schema>, shape: Shape) {
  const rows = sql`select ${rowOf(shape)} as row from ${sql.table(shape.name)}`
  await sql`declare backup no scroll cursor for ${rows}`.execute(tx)
  for (let portion = 16; ; ) {
    const fetch = sql<{ row: string }>`${sql.raw(`fetch ${portion} from backup`)}`
    const fetched = (await fetch.execute(tx)).rows.map(({ row }) => row)
    if (fetched.length === 0) break
    yield fetched
    const length = fetched.reduce((sum, row) => sum + row.length, 0)
    const fitting = Math.ceil((PORTION / length) * fetched.length)
    portion = Math.min(fitting, portion * 4, MOST_ROWS)
  }
  await sql`close backup`.execute(tx)
}

async function* found(spool: Spool, names: string[]) {
  for (const name of names) yield [await spool.find(name)]
}

async function* linesOfTable(name: string, portions: AsyncIterable<string[]>, told: Told) {
  const counted = tally()
  yield line({ table: name })
  for await (const rows of portions) {
    for (const row of rows) counted.add(row)
    yield `${rows.join('\n')}\n`
  }
  const sum = counted.sum()
  yield line({ end: name, ...sum })
  told(name, sum.rows)
}

async function headerOf(tx: Transaction<Schema>, shapes: Shape[]) {
  const tables = shapes.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => column.name),
  }))
  return line({
    ...{ format: FORMAT, version: VERSION, at: new Date().toISOString(), tables },
    ...{ migrations: await migrationsOf(tx), sequences: await sequencesOf(tx) },
  })
}

const snapshotOf = (db: Kysely<Schema>) =>
  db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()

/**
 * The photos are most of a shop. They are read before the moment of the backup, and written after
 * it; between them, where others may have to wait, is only the rest.
 */
async function* linesOf(db: Kysely<Schema>, spool: Spool, told: Told) {
  const all = await shapesOf(db)
  const [photos, others] = [all.filter(isOfPhotos), all.filter((shape) => !isOfPhotos(shape))]
  for (const shape of photos) await readAhead(db, shape, spool)
  const names: string[] = []
  const tx = await snapshotOf(db)
  try {
    await agreeOnWriting(tx)
    yield await headerOf(tx, [...others, ...photos])
    for (const shape of others) yield* linesOfTable(shape.name, rowsOf(tx, shape), told)
    for (const shape of photos) names.push(...(await readRest(tx, shape, spool)))
  } finally {
    await tx.rollback().execute()
  }
  for (const { name } of photos) yield* linesOfTable(name, found(spool, names), told)
  yield line({ whole: true, tables: all.length })
}

const isOfPhotos = ({ name }: Shape) => name === 'product_photos'

/**
 * Writes everything that the database held at one moment to a new file, while the shop goes on.
 * Memory holds a portion of it, the disk beside the file all photos for a while. `told` hears of each
 * table and its rows.
 */
export async function writeBackup(
  db: Kysely<Schema>,
  file: string,
  told: Told = () => {},
): Promise<void> {
  const spool = await openSpool(file)
  try {
    const lines = linesOf(db, spool, told)
    await pipeline(lines, createZstdCompress(COMPRESSION), createWriteStream(file, OWNERS))
  } finally {
    await spool.close()
  }
}
