import { type ExpressionBuilder, sql } from 'kysely'
import { ACTOR_KINDS, type AuditFilter } from '#app/audit/admin-contract.ts'
import type { AuditedRow, AuditedRows } from '#app/shared/server/domain-module.ts'
import { sectionOf } from '#app/shared/server/personal-data-store.ts'
import { SHOP_CURRENCY } from '#app/shared/server/settings/currency-store.ts'
import { startOfDay } from '#app/shared/server/settings/day-store.ts'
import { anyOf, countRows } from '#app/shared/server/store.ts'
import type { Database, Schema } from '#db/schema.ts'

type Filter = Omit<AuditFilter, 'page'>
type Builder = ExpressionBuilder<Schema, 'audit_log'>

const byActor = (eb: Builder, actor: string) => {
  const kind = ACTOR_KINDS.find((one) => one === actor)
  return kind ? eb('actor_kind', '=', kind) : eb('actor_id', '=', actor)
}

/**
 * Entries of an object: of a product with its variants and values of options, of an order or a payment with its
 * money and the refunds of it.
 */
const ofObject = (id: string) => sql<boolean>`
  audit_log.row_id = any (array(
    select ${id}::uuid
    union all select id from variants where product_id = ${id}::uuid
    union all select id from option_values where product_id = ${id}::uuid
    union all select row_id from audit_log as removal
      where action = 'delete' and table_name in ('variants', 'option_values')
        and before ->> 'product_id' = ${id}::uuid::text
    union all select payment_id from orders where id = ${id}::uuid
    union all select unnest(array[captures.id, refunds.id])
      from captures left join refunds on capture_id = captures.id
      where payment_id in (${id}::uuid, (select payment_id from orders where id = ${id}::uuid))))`

const matching =
  ({ object, kind, actor, from, to }: Filter) =>
  (eb: Builder) =>
    eb.and([
      ...(object ? [ofObject(object)] : []),
      ...(kind ? [eb('table_name', '=', kind)] : []),
      ...(actor ? [byActor(eb, actor)] : []),
      ...(from ? [eb('at', '>=', startOfDay(from))] : []),
      ...(to ? [eb('at', '<', startOfDay(to, 1))] : []),
    ])

/** A part of the row of an entry, as the domain of its table registers it. */
const partOf = (rows: AuditedRows, part: keyof AuditedRow) => {
  const cases = Object.entries(rows).flatMap(([table, { [part]: value }]) =>
    value ? [sql`when ${sql.lit(table)} then ${value}`] : [],
  )
  return sql<string | null>`case table_name ${sql.join(cases, sql` `)} end`
}

/** The last name of a deleted row. */
const lastName = sql<string | null>`
  (select coalesce(deleted.before ->> 'name', deleted.before ->> 'code') from audit_log as deleted
    where deleted.row_id = audit_log.row_id and deleted.action = 'delete'
      and deleted.before ?| array['name', 'code'] limit 1)`

const NAMED_TABLES = [
  'products',
  'categories',
  'tax_classes',
  'option_values',
  'attributes',
  'attribute_choices',
] as const

/** The names of rows of these tables with these ids. */
export async function selectNames(db: Database, ids: string[]): Promise<Map<string, string>> {
  const [first, ...others] = NAMED_TABLES.map((table) =>
    db.selectFrom(table).where('id', '=', anyOf(ids)).select(['id', 'name']),
  )
  const rows = (await first?.unionAll(others).execute()) ?? []
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A page of entries, newest first, with the names of their rows and actors. */
export const selectEntries = (
  db: Database,
  rows: AuditedRows,
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
) =>
  db
    // ids first: they are in the indexes of kinds and actors, so that the planner prefers these
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_log')
        .where(matching(filter))
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .select('id as entry')
        .as('listed'),
    )
    .innerJoin('audit_log', 'audit_log.id', 'listed.entry')
    .leftJoin('users as actors', 'actors.id', 'audit_log.actor_id')
    .orderBy('audit_log.id', 'desc')
    .selectAll('audit_log')
    .select([
      'actors.name as actor_name',
      sql<string | null>`coalesce(${partOf(rows, 'name')}, ${lastName})`.as('name'),
      partOf(rows, 'currency').as('currency'),
      SHOP_CURRENCY.as('shop_currency'),
      partOf(rows, 'slug').as('slug'),
    ])
    .execute()

export type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number]

export const countEntries = (db: Database, filter: Filter): Promise<number> =>
  countRows(db.selectFrom('audit_log').where(matching(filter)))

/** The entries about a user and by the user, for the export. Those about others contain only their kind. */
export const entriesOfUser = sectionOf(
  (userId) => sql`
    select lpad(id::text, 20, '0') as key, jsonb_build_object(
      'at', at, 'by', case when actor_id = ${userId} then 'you' else actor_kind end,
      'action', action, 'kind', table_name, '_id', row_id,
      'before', case when table_name = 'users' then before end,
      'after', case when table_name = 'users' then after end) as item
    from audit_log
    where row_id = ${userId} or actor_id = ${userId}`,
)
