/** Statements that change many products. Products are locked in the order of their ids, as sales lock them. */
import { type RawBuilder, sql } from 'kysely'
import { MAX_PRICE, MAX_QUANTITY } from '#app/products/admin-contract.ts'
import type { BulkChange } from '#app/products/catalogue-contract.ts'
import { toMinor } from '#app/shared/server/minor-units.ts'
import { anyOf, LATER } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** The column that a change sets, its value afterwards, and the greatest one that is allowed. */
export type Setting = {
  column: 'price_minor' | 'quantity' | 'category_id'
  after: RawBuilder<unknown>
  max?: number
}

const MAX_PRICE_MINOR = toMinor(MAX_PRICE)

const priceTo = (after: RawBuilder<unknown>): Setting => ({
  column: 'price_minor',
  after,
  max: MAX_PRICE_MINOR,
})
const quantityTo = (after: RawBuilder<unknown>): Setting => ({
  column: 'quantity',
  after,
  max: MAX_QUANTITY,
})

/** The setting of a change that deletes nothing. A percentage is of the present price, rounded to the minor unit: halves away from zero. */
export function settingOf(change: BulkChange): Setting {
  const { pricePercent, priceAmount, category, quantity, quantityAdded } = change
  if (pricePercent !== undefined)
    return priceTo(sql`round(price_minor * (100 + ${pricePercent}::numeric) / 100)::bigint`)
  if (priceAmount !== undefined)
    return priceTo(sql`price_minor::bigint + ${toMinor(priceAmount)}::integer`)
  if (category !== undefined) return { column: 'category_id', after: sql`${category}::uuid` }
  return quantityTo(
    quantity === undefined
      ? sql`quantity + ${quantityAdded ?? 0}::integer`
      : sql`${quantity}::integer`,
  )
}

const isRefused = ({ after, max }: Setting) =>
  max === undefined
    ? sql<boolean>`false`
    : sql<boolean>`(${after}) not between 0 and ${max}::integer`

const differs = ({ column, after }: Setting) => sql<boolean>`${sql.ref(column)} <> (${after})`

/** The existing ones among these ids, in their order. */
export async function selectExisting(db: Database, ids: string[]): Promise<string[]> {
  const rows = db.selectFrom('products').where('id', '=', anyOf(ids)).select('id').orderBy('id')
  return (await rows.execute()).map(({ id }) => id)
}

const isNew = (changeId: string) =>
  sql<boolean>`id not in (select row_id from audit_log where change_id = ${changeId})`

/** How many of the products a change would change, and how many it would refuse; without those it has changed. */
export async function countEffects(
  db: Database,
  ids: string[],
  setting: Setting,
  changeId: string,
) {
  const { rows } = await sql<{ changed: number; refused: number }>`
    select (count(*) filter (where not ${isRefused(setting)}))::integer as changed,
      (count(*) filter (where ${isRefused(setting)}))::integer as refused
    from products
    where id = ${anyOf(ids)} and ${differs(setting)} and ${isNew(changeId)}`.execute(db)
  return rows[0] ?? { changed: 0, refused: 0 }
}

type PreviewRow = {
  id: string
  name: string
  before: number | string
  after: number | string | null
  is_refused: boolean
}

/** The first products that a change would change: those that it would refuse, then the newest. */
export async function selectPreview(
  db: Database,
  ids: string[],
  setting: Setting,
  limit: number,
): Promise<PreviewRow[]> {
  const named = (value: RawBuilder<unknown>) =>
    setting.column === 'category_id'
      ? sql`to_jsonb((select name from categories where id = ${value}))`
      : sql`to_jsonb(${value})`
  const { rows } = await sql<PreviewRow>`
    select id, name, ${named(sql.ref(`products.${setting.column}`))} as before,
      ${named(setting.after)} as after, ${isRefused(setting)} as is_refused
    from products where id = ${anyOf(ids)} and ${differs(setting)}
    order by is_refused desc, id desc limit ${limit}::integer`.execute(db)
  return rows
}

export const selectNamesOf = (db: Database, ids: string[], limit: number) =>
  db
    .selectFrom('products')
    .where('id', '=', anyOf(ids))
    .select(['id', 'name'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Locks products until the transaction ends: against edits and sales, or against all, before they are deleted. */
export const lockProducts = (tx: Database, ids: string[], forDeletion = false) =>
  sql`
    select id from products where id = ${anyOf(ids)}
    order by id ${forDeletion ? sql`for update` : sql`for no key update`}`.execute(tx)

/** Changes locked products but those that are refused, or that this change has changed before. Answers which. */
export async function updateSelected(
  tx: Database,
  ids: string[],
  setting: Setting,
  changeId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update products set ${sql.ref(setting.column)} = ${setting.after}, updated_at = ${LATER}
    where id = ${anyOf(ids)} and ${differs(setting)} and not ${isRefused(setting)}
      and ${isNew(changeId)}
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes locked products. Answers which. */
export async function deleteSelected(tx: Database, ids: string[]): Promise<string[]> {
  const rows = tx.deleteFrom('products').where('id', '=', anyOf(ids)).returning('id')
  return (await rows.execute()).map(({ id }) => id)
}

/** The products that a change has changed or deleted, in the order of their ids. */
export async function selectChanged(
  db: Database,
  changeId: string,
  action: 'update' | 'delete',
): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .where('change_id', '=', changeId)
    .where('table_name', '=', 'products')
    .where('action', '=', action)
    .select('row_id')
    .distinct()
    .orderBy('row_id')
    .execute()
  return rows.map(({ row_id }) => row_id)
}

/**
 * Undoes a change of locked products, where no later edit has changed the same: price and category are as
 * before, and the quantity changes back by the difference, so that sales since then stay. Answers which.
 */
export async function undoSelected(
  tx: Database,
  ids: string[],
  changeId: string,
): Promise<string[]> {
  const former = (column: string, type: 'integer' | 'uuid') =>
    sql`coalesce((before ->> ${sql.lit(column)})::${sql.raw(type)}, ${sql.ref(`products.${column}`)})`
  const difference = sql`coalesce((after ->> 'quantity')::integer - (before ->> 'quantity')::integer, 0)`
  const { rows } = await sql<{ id: string }>`
    update products set
      price_minor = ${former('price_minor', 'integer')},
      category_id = ${former('category_id', 'uuid')},
      quantity = quantity - ${difference},
      updated_at = ${LATER}
    from audit_log as entry
    where change_id = ${changeId} and row_id = products.id and products.id = ${anyOf(ids)}
      and table_name = 'products' and action = 'update'
      and quantity - ${difference} between 0 and ${MAX_QUANTITY}::integer
      and (before ->> 'category_id' is null
        or exists (select from categories where id = (before ->> 'category_id')::uuid))
      and not exists (
        select from audit_log as later
        where later.row_id = products.id and later.id > entry.id
          and later.after ?| array(select jsonb_object_keys(entry.before)))
    returning products.id`.execute(tx)
  return rows.map(({ id }) => id)
}
