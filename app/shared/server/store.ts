/** Parts of statements that the stores of all domains share. */
import {
  type DeleteResult,
  type InsertResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type UpdateResult,
} from 'kysely'
import type { Database, Schema } from '#db/schema.ts'
import type { Invariant } from './domain-module.ts'

type Result = DeleteResult | InsertResult | UpdateResult

const changedIn = (result: Result): bigint => {
  if ('numDeletedRows' in result) return result.numDeletedRows
  if ('numUpdatedRows' in result) return result.numUpdatedRows
  return result.numInsertedOrUpdatedRows ?? 0n
}

/** The number of rows that a statement without `returning` inserted, updated or deleted. */
export async function countChanged(statement: {
  executeTakeFirstOrThrow(): Promise<Result>
}): Promise<number> {
  return Number(changedIn(await statement.executeTakeFirstOrThrow()))
}

/** Whether a statement without `returning` inserted, updated or deleted a row. */
export const changesRow = async (statement: Parameters<typeof countChanged>[0]): Promise<boolean> =>
  (await countChanged(statement)) > 0

/** The number of rows of a query that selects no columns. */
export async function countRows<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, unknown>,
): Promise<number> {
  const { total } = await query
    .select(sql`count(*)::integer`.as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow()
  return total
}

/** Whether a query that selects no columns has a row. */
export async function hasRow<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, unknown>,
): Promise<boolean> {
  const rows = await query.select(sql`1`.as('found')).limit(1).execute()
  return rows.length > 0
}

/**
 * The limit of a table of so many given rows: the next power of two, so that few texts of a statement differ. By it the
 * planner knows how few rows there are, and looks up what they are joined with, where it would scan a small table.
 */
export const limitOf = (rows: number) => sql`limit ${sql.lit(2 ** Math.ceil(Math.log2(rows)))}`

/** A list of ids as one parameter, so that the text of a statement does not depend on their number. */
export const anyOf = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`

/** The rows in the order of these ids; an id without a row is left out. */
export function inOrderOf<Row extends { id: string }>(ids: readonly string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The pattern for `like` that finds a text anywhere, case-insensitively; none of its characters is syntax. */
export const containing = (text: string) => sql<string>`containing(${text})`

/** A moment so many seconds from now, by the database's clock; null seconds are no moment. */
export const secondsFromNow = <Seconds extends number | null>(seconds: Seconds) =>
  sql<Seconds extends number ? Date : Date | null>`now() + ${seconds}::float * interval '1 second'`

/** A new `updated_at`, which always increases, however fast edits follow each other. */
export const LATER: RawBuilder<Date> = sql`
  greatest(clock_timestamp(), updated_at + interval '1 millisecond')`

/** These columns, of a table or of the only one, separated by commas. */
export const listOf = (columns: readonly string[], table?: string): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(table ? `${table}.${column}` : column)))

/** The numbers of rows by the values of a column. */
export async function countBy<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, unknown>,
  column: string,
): Promise<Record<string, number>> {
  const value = sql.ref<string>(column)
  const rows = await query
    .groupBy(value)
    .select([value.as('value'), sql`count(*)::integer`.as('rows')])
    .$castTo<{ value: string; rows: number }>()
    .execute()
  return Object.fromEntries(rows.map(({ value, rows }) => [value, rows]))
}

/** How many violations of an invariant are read. */
export const MAX_VIOLATIONS = 100

/** The ids of the rows that break an invariant, at most `MAX_VIOLATIONS`. Reads whole tables. */
export async function selectViolations(db: Database, { query }: Invariant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from (${query}) as violations limit ${MAX_VIOLATIONS}::integer`.execute(db)
  return rows.map(({ id }) => id)
}

/** A column of the row that an entry of the audit log is about. */
export const auditedColumn = (table: keyof Schema, column = 'name') => sql<string | null>`
  (select ${sql.ref(column)} from ${sql.table(table)} where id = audit_log.row_id)`
