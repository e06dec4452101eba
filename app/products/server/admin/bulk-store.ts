/** Statements that change many products. */

import { type RawBuilder, sql } from 'kysely'
import type { BulkChange, BulkResult } from '#app/products/catalogue-contract.ts'
import { MAX_QUANTITY } from '#app/products/form-contract.ts'
import { MAX_PRICE_MINOR, toMajor, toMinor } from '#app/shared/model/minor-units.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { givenPrice } from '#app/shared/server/input/given-money.ts'
import { SHOP_CURRENCY } from '#app/shared/server/settings/currency-store.ts'
import { anyOf, LATER } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { recordEdits } from '../variants/listing-store.ts'

/**
 * The column that a change sets, and its value afterwards. With `max`, the greatest value that is allowed, it is a column
 * of variants; otherwise of products.
 */
export type Setting = {
  column: 'price_minor' | 'quantity' | 'category_id' | 'status'
  after: RawBuilder<unknown>
  max?: number
}

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

/**
 * A price in minor units, rounded to the nearest one with an ending such as '.99', halves up. One below zero stays so,
 * and is refused. Throws `invalid` in a currency without decimals.
 */
function roundedTo(
  price: RawBuilder<unknown>,
  ending: BulkChange['priceEnding'],
  currency: string,
): RawBuilder<unknown> {
  if (ending === undefined) return price
  const unit = toMinor(1, currency)
  if (unit === 1) throw invalid(`Prices in ${currency} have no decimals.`, 'priceEnding')
  const end = toMinor(Number(ending), currency)
  return sql`(select case when exact < 0 then exact
    else greatest(${end}::integer, floor((exact - ${end}::integer) / ${unit}::numeric + 0.5) * ${unit}::integer + ${end}::integer) end::bigint
    from (select ${price} as exact) as changed)`
}

/** The setting of a change that deletes nothing. A percentage is of the regular price, rounded to the minor unit: halves away from zero. */
export function settingOf(change: BulkChange, currency: string): Setting {
  const { pricePercent, priceAmount, priceEnding, category, quantity, quantityAdded, status } =
    change
  if (pricePercent !== undefined)
    return priceTo(
      roundedTo(
        sql`round(price_minor * (100 + ${pricePercent}::numeric) / 100)::bigint`,
        priceEnding,
        currency,
      ),
    )
  if (priceAmount !== undefined)
    return priceTo(
      roundedTo(
        sql`price_minor::bigint + ${givenPrice(priceAmount, currency, 'priceAmount')}::integer`,
        priceEnding,
        currency,
      ),
    )
  if (category !== undefined) return { column: 'category_id', after: sql`${category}::uuid` }
  if (status !== undefined) return { column: 'status', after: sql`${status}::product_status` }
  return quantityTo(
    quantity === undefined
      ? sql`quantity + ${quantityAdded ?? 0}::integer`
      : sql`${quantity}::integer`,
  )
}

/** Whether something is true of a product or, of a change of variants, of one of these. */
const isTrueOf = ({ max }: Setting, condition: RawBuilder<boolean>) =>
  max === undefined
    ? condition
    : sql<boolean>`exists (
        select from variants where variants.product_id = products.id and ${condition})`

/** A product is left out as a whole when the value of one of its variants would be out of range. */
const isRefused = (setting: Setting) =>
  setting.max === undefined
    ? sql<boolean>`false`
    : isTrueOf(setting, sql<boolean>`(${setting.after}) not between 0 and ${setting.max}::integer`)

const differs = ({ column, after }: Setting) => sql<boolean>`${sql.ref(column)} <> (${after})`

/** The existing ones among these ids, in their order. */
export async function selectExisting(db: Database, ids: string[]): Promise<string[]> {
  const rows = db.selectFrom('products').where('id', '=', anyOf(ids)).select('id').orderBy('id')
  return (await rows.execute()).map(({ id }) => id)
}

const isNew = (changeId: string) =>
  sql<boolean>`id not in (select row_id from audit_log where change_id = ${changeId})`

/** How many of the products a change would change, and would refuse; without those it has changed. */
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
    where id = ${anyOf(ids)}
      and ${isTrueOf(setting, sql`(${differs(setting)} and ${isNew(changeId)})`)}`.execute(db)
  return rows[0] ?? { changed: 0, refused: 0 }
}

type Preview = BulkResult['preview']

/** What a preview shows of variants: that of the listed one. */
const LISTED = sql`cross join lateral (
  select price_minor, quantity from variants where variants.id = listed_variant_id) as listed`

/** The first products that a change would change: those that it would refuse, then the newest. */
export async function selectPreview(
  db: Database,
  ids: string[],
  setting: Setting,
  limit: number,
): Promise<Preview> {
  const named = (value: RawBuilder<unknown>) =>
    setting.column === 'category_id'
      ? sql`to_jsonb((select name from categories where id = ${value}))`
      : sql`to_jsonb(${value})`
  const { rows } = await sql<Preview[number] & { currency: string }>`
    select id as _id, name, ${SHOP_CURRENCY} as currency, ${named(sql.ref(setting.column))} as before,
      ${named(setting.after)} as after, ${isRefused(setting)} as "isRefused"
    from products ${setting.max === undefined ? sql`` : LISTED}
    where id = ${anyOf(ids)} and ${isTrueOf(setting, differs(setting))}
    order by "isRefused" desc, id desc limit ${limit}::integer`.execute(db)
  const shown = (value: Preview[number]['after'], currency: string) =>
    setting.column === 'price_minor' && typeof value === 'number' ? toMajor(value, currency) : value
  return rows.map(({ currency, before, after, ...row }) => ({
    ...row,
    before: shown(before, currency),
    after: shown(after, currency),
  }))
}

/** The first products that would be deleted. */
export async function selectDeleted(db: Database, ids: string[], limit: number): Promise<Preview> {
  const { rows } = await sql<Preview[number]>`
    select id as _id, name, name as before, null as after, false as "isRefused"
    from products where id = ${anyOf(ids)}
    order by id desc limit ${limit}::integer`.execute(db)
  return rows
}

/** Changes locked products, or all their variants, but those that are refused, or that this change has changed before. Answers which products. */
export async function updateSelected(
  tx: Database,
  ids: string[],
  setting: Setting,
  changeId: string,
): Promise<string[]> {
  const accepted = sql`(select id from products where id = ${anyOf(ids)} and not ${isRefused(setting)})`
  const set = sql`set ${sql.ref(setting.column)} = ${setting.after}, updated_at = ${LATER}`
  const isChanged = sql`${differs(setting)} and ${isNew(changeId)}`
  if (setting.max === undefined) {
    const { rows } = await sql<{ id: string }>`
      update products ${set} where id in ${accepted} and ${isChanged} returning id`.execute(tx)
    return rows.map(({ id }) => id)
  }
  const { rows } = await sql<{ id: string }>`
    with changed as (
      update variants ${set} where product_id in ${accepted} and ${isChanged} returning product_id
    )
    select distinct product_id as id from changed`.execute(tx)
  const changed = rows.map(({ id }) => id)
  await recordEdits(tx, changed)
  return changed
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
  const { rows } = await sql<{ id: string }>`
    select row_id as id from audit_log
    where change_id = ${changeId} and action = ${action} and table_name = 'products'
    union
    select product_id from audit_log join variants on variants.id = row_id
    where change_id = ${changeId} and action = ${action} and table_name = 'variants'
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Undoes a change of locked products, where no later edit has changed the same: price, category and status are
 * as before, and the quantity changes back by the difference, so that sales since then stay. Answers the rows that
 * changed back, with their products.
 */
export async function undoSelected(
  tx: Database,
  ids: string[],
  changeId: string,
): Promise<{ row: string; product: string }[]> {
  const former = (column: string, type: 'integer' | 'uuid' | 'product_status') =>
    sql`coalesce((before ->> ${sql.lit(column)})::${sql.raw(type)}, ${sql.ref(column)})`
  const difference = sql`coalesce((after ->> 'quantity')::integer - (before ->> 'quantity')::integer, 0)`
  const isOfEntry = (table: 'products' | 'variants') => sql`
    change_id = ${changeId} and row_id = ${sql.ref(`${table}.id`)}
      and table_name = ${sql.lit(table)} and action = 'update'
      and not exists (
        select from audit_log as later
        where later.row_id = entry.row_id and later.id > entry.id
          and later.after ?| array(select jsonb_object_keys(entry.before)))`
  const { rows } = await sql<{ row: string; product: string }>`
    with changed as (
      update products set
        category_id = ${former('category_id', 'uuid')},
        status = ${former('status', 'product_status')},
        updated_at = ${LATER}
      from audit_log as entry
      where ${isOfEntry('products')} and products.id = ${anyOf(ids)}
        and (before ->> 'category_id' is null
          or exists (select from categories where id = (before ->> 'category_id')::uuid))
      returning products.id
    ), changed_variants as (
      update variants set
        price_minor = ${former('price_minor', 'integer')},
        quantity = quantity - ${difference},
        updated_at = ${LATER}
      from audit_log as entry
      where ${isOfEntry('variants')} and product_id = ${anyOf(ids)}
        and quantity - ${difference} between 0 and ${MAX_QUANTITY}::integer
      returning variants.id, product_id
    )
    select id as row, id as product from changed
    union all select id, product_id from changed_variants`.execute(tx)
  await recordEdits(
    tx,
    rows.flatMap(({ row, product }) => (row === product ? [] : product)),
  )
  return rows
}

/** The products of a change of which a row was not changed back, by their names; null for a deleted one. */
export async function selectLeft(
  db: Database,
  changeId: string,
  undone: string[],
): Promise<{ id: string; name: string | null }[]> {
  const { rows } = await sql<{ id: string; name: string | null }>`
    select distinct coalesce(product_id, row_id) as id, name
    from audit_log
      left join variants on variants.id = row_id
      left join products on products.id = coalesce(product_id, row_id)
    where change_id = ${changeId} and action = 'update' and row_id <> all (${undone}::uuid[])
    order by name`.execute(db)
  return rows
}
