import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { COMPRESSION, FORMAT, line, tally, VERSION } from './format.ts'
import { agreeOnWriting, migrationsOf, type Shape, sequencesOf, shapesOf } from './shape.ts'

/** Rows are fetched in portions of about so many characters, however long they are. */
const PORTION = 1_000_000
const MOST_ROWS = 2000

export type Told = (table: string, rows: number) => void

/** Every row of a table as an array of texts, portion by portion. */
async function* rowsOf(tx: Transaction<Schema>, { name, columns }: Shape) {
  const values = sql.join(columns.map((column) => sql`${sql.ref(column.name)}::text`))
  const rows = sql`select to_json(array[${values}])::text as row from ${sql.table(name)}`
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

async function* linesOf(tx: Transaction<Schema>, told: Told) {
  await agreeOnWriting(tx)
  const shapes = await shapesOf(tx)
  const tables = shapes.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => column.name),
  }))
  yield line({
    ...{ format: FORMAT, version: VERSION, at: new Date().toISOString(), tables },
    ...{ migrations: await migrationsOf(tx), sequences: await sequencesOf(tx) },
  })
  for (const shape of shapes) {
    const counted = tally()
    yield line({ table: shape.name })
    for await (const rows of rowsOf(tx, shape)) {
      for (const row of rows) counted.add(row)
      yield `${rows.join('\n')}\n`
    }
    const sum = counted.sum()
    yield line({ end: shape.name, ...sum })
    told(shape.name, sum.rows)
  }
  yield line({ whole: true, tables: shapes.length })
}

/**
 * Writes everything that the database held at one moment, while the shop goes on. Memory holds a
 * portion of it. `told` hears of each table and its rows.
 */
export const writeBackup = (db: Kysely<Schema>, to: Writable, told: Told = () => {}) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => pipeline(linesOf(tx, told), createZstdCompress(COMPRESSION), to))
