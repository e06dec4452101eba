/** The personal data that a domain stores of a user: how it is exported, and erased. */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Schema } from '#db/schema.ts'

type Slice = { userId: string; after: string | null; limit: number }
type Item = { key: string; item: object }

/** A page of a section of the export, in key order: the rows after a key, or the first ones after null. */
export type Section = (db: Database, slice: Slice) => Promise<Item[]>

/** A section of a statement that selects `key` (a text) and `item` (a jsonb) of all rows of a user. */
export const sectionOf =
  (select: (userId: string) => RawBuilder<Item>): Section =>
  async (db, { userId, after, limit }) => {
    const { rows } = await sql<Item>`
      select key, item from (${select(userId)}) as found
      where ${after}::text is null or key collate "C" > ${after}::text
      order by key collate "C" limit ${limit}`.execute(db)
    return rows
  }

type Options = {
  /** The columns of the primary key, by which rows are read in pages. */
  key?: string[]
  /** Columns that are left out, because they are secrets. */
  without?: string[]
}

/** The rows of a table by their column `user_id`, as they are stored. */
export const rowsOfUser = (
  table: keyof Schema,
  { key = ['id'], without = [] }: Options = {},
): Section =>
  sectionOf(
    (userId) => sql`
      select concat_ws('/', ${sql.join(key.map((column) => sql.ref(column)))}) as key, to_jsonb(stored) - ${without}::text[] as item
      from ${sql.table(table)} as stored where user_id = ${userId}`,
  )

/** An account that is being closed, and the name that replaces its own. */
export type ClosedAccount = { userId: string; emailKey: string; newName: string }

/** The export and the erasure of a table; a text says why there is none. */
export type PersonalTable = {
  /** The name of its section; by default that of the table. */
  name?: string
  section: Section | string
  /** Deletes or anonymises the rows, in the transaction that closes the account. */
  erase: ((tx: Database, account: ClosedAccount) => Promise<unknown>) | string
}

/** By the name of the table. A test demands an entry for each table with a foreign key to `users`. */
export type PersonalData = Record<string, PersonalTable>
