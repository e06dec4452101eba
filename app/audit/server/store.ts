import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import { ACTOR_KINDS, type AuditFilter } from '#app/audit/admin-contract.ts'
import type { AuditedRow, AuditedRows } from '#app/shared/server/domain-module.ts'
import { sectionOf } from '#app/shared/server/personal-data-store.ts'
import { startOfDay } from '#app/shared/server/settings/day-store.ts'
import { countRows } from '#app/shared/server/store.ts'
import type { Database, Schema } from '#db/schema.ts'

type Filter = Omit<AuditFilter, 'page'>
type Builder = ExpressionBuilder<Schema, 'audit_log'>

/** The actor is the transaction's. */
export async function insertEntry(
  tx: Database,
  entry: Pick<Insertable<Schema['audit_log']>, 'action' | 'table_name' | 'row_id'>,
): Promise<void> {
  await tx.insertInto('audit_log').values(entry).execute()
}

const byActor = (eb: Builder, actor: string) => {
  const kind = ACTOR_KINDS.find((one) => one === actor)
  return kind ? eb('actor_kind', '=', kind) : eb('actor_id', '=', actor)
}

/** Entries of an object and, for an order, of its payment. */
const ofObject = (id: string) => sql<boolean>`
  audit_log.row_id = any (array[${id}::uuid, (select payment_id from orders where id = ${id}::uuid)])`

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

/** The name of the tax class of a product, a rate or shipping. */
const taxClassName = (columns: 'before' | 'after') => sql<string | null>`
  (select name from tax_classes where id = coalesce(${sql.ref(`audit_log.${columns}`)} ->> 'tax_class_id',
    ${sql.ref(`audit_log.${columns}`)} ->> 'class_id',
    ${sql.ref(`audit_log.${columns}`)} ->> 'shipping_class_id')::uuid)`

const categoryName = (columns: 'before' | 'after') => sql<string | null>`
  (select name from categories where id = (${sql.ref(`audit_log.${columns}`)} ->> 'category_id')::uuid)`

/** The names of the products and categories that a coupon is for, by their ids. */
const namesOfIds = sql<Record<string, string> | null>`
  (select jsonb_object_agg(named.id, named.name)
    from (select id, name from products union all select id, name from categories) as named
    where named.id::text in (
      select jsonb_array_elements_text(list)
      from unnest(array[audit_log.before -> 'product_ids', audit_log.after -> 'product_ids',
        audit_log.before -> 'category_ids', audit_log.after -> 'category_ids']) as list
      where jsonb_typeof(list) = 'array'))`

/** A page of entries, newest first, with the names of their rows, actors and categories. */
export const selectEntries = (
  db: Database,
  rows: AuditedRows,
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_log')
        .where(matching(filter))
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .selectAll()
        .as('audit_log'),
    )
    .leftJoin('users as actors', 'actors.id', 'audit_log.actor_id')
    .orderBy('audit_log.id', 'desc')
    .selectAll('audit_log')
    .select([
      'actors.name as actor_name',
      sql<string | null>`coalesce(${partOf(rows, 'name')}, ${lastName})`.as('name'),
      partOf(rows, 'currency').as('currency'),
      partOf(rows, 'slug').as('slug'),
      namesOfIds.as('names'),
      categoryName('before').as('category_before'),
      categoryName('after').as('category_after'),
      taxClassName('before').as('tax_class_before'),
      taxClassName('after').as('tax_class_after'),
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
