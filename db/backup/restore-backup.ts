import { type Kysely, sql, type Transaction } from 'kysely'
import { migrate, namesOfMigrations } from '#db/migrate.ts'
import { haveAlone } from '#db/occupancy.ts'
import type { Schema } from '#db/schema.ts'
import type { Header, Table } from './format.ts'
import { readBackup } from './read-backup.ts'
import { rebuild } from './rebuild.ts'
import { agreeOnWriting, isEmpty, type Shape, shapesOf } from './shape.ts'
import { refuseStrangers } from './strangers.ts'
import type { Told } from './write-backup.ts'

/** Rows are written in portions of about so many characters. */
const PORTION = 1_000_000

const newer = (what: string) =>
  new Error(`This backup was written by a newer shop: ${what} is not known here. Update it first.`)

/** Reads all of a backup, and changes nothing. Throws a sentence when it is no whole one, or of a newer shop. */
export async function examineBackup(file: string): Promise<Header> {
  let found: Header | undefined
  await readBackup(file, {
    header(header) {
      found = header
    },
    row() {},
    end() {},
  })
  if (!found) throw new Error('The backup has no header.')
  const known = await namesOfMigrations()
  const unknown = found.migrations.find((name) => !known.includes(name))
  if (unknown) throw newer(unknown)
  return found
}

const insertOf = ({ name, columns }: Table, shape: Shape) => {
  const typed = columns.map((column, index) => {
    const type = shape.columns.find((one) => one.name === column)?.type
    if (!type) throw newer(`${name}.${column}`)
    return sql`(r ->> ${sql.lit(index)})::${sql.raw(type)}`
  })
  const into = sql`${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})`
  return (rows: string[]) => sql`
    insert into ${into} overriding system value
    select ${sql.join(typed)} from jsonb_array_elements(${`[${rows.join(',')}]`}::jsonb) as r`
}

/** Writes the rows of each table as they come, portion by portion. */
async function fill(
  tx: Transaction<Schema>,
  file: string,
  { tables, sequences }: Header,
  told: Told,
) {
  const shapes = new Map((await shapesOf(tx)).map((shape) => [shape.name, shape]))
  const inserts = new Map(
    tables.map((table) => {
      const shape = shapes.get(table.name)
      if (!shape) throw newer(table.name)
      return [table.name, insertOf(table, shape)]
    }),
  )
  let waiting: string[] = []
  let length = 0
  const write = async (table: string) => {
    if (waiting.length > 0) await inserts.get(table)?.(waiting).execute(tx)
    waiting = []
    length = 0
  }
  await readBackup(file, {
    header() {},
    async row(table, row) {
      waiting.push(row)
      length += row.length
      if (length > PORTION) await write(table)
    },
    async end(table, rows) {
      await write(table)
      told(table, rows)
    },
  })
  for (const [name, value] of Object.entries(sequences))
    await sql`select setval(${name}::regclass, ${value})`.execute(tx)
}

type Options = {
  replace?: boolean
  told?: Told
  /** What examining the file has shown, where that was done before. */
  read?: Header
}

/**
 * Puts a backup in the place of what is in the database, in one transaction; the database may be
 * of the other kind, and the backup of an older shop. Who was signed in then is signed out. Answers
 * when the backup was taken (ISO 8601). Throws a sentence when the file is no whole backup or of a
 * newer shop, when a shop runs on the database or something else lies in it, and when it is not
 * empty unless `replace` says that it may go.
 */
export async function restoreBackup(
  db: Kysely<Schema>,
  file: string,
  { replace = false, told = () => {}, read }: Options = {},
): Promise<string> {
  const header = read ?? (await examineBackup(file))
  await refuseStrangers(db)
  // before the migrations, too
  await db.transaction().execute(haveAlone)
  await migrate(db)
  await db.transaction().execute(async (tx) => {
    await haveAlone(tx)
    await agreeOnWriting(tx)
    if (!replace && !(await isEmpty(tx)))
      throw new Error(
        'There is a shop in this database already. Use --replace to put the backup in its place.',
      )
    await rebuild(tx, header.migrations, () => fill(tx, file, header, told))
    // whoever ended theirs since then, because it was stolen, must not find it open again
    await tx.deleteFrom('sessions').execute()
  })
  await sql`analyze`.execute(db)
  return header.at
}
