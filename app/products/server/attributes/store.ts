/** Statements of attributes, their choices, and the values of products. */
import { type Insertable, sql } from 'kysely'
import type { Attribute, AttributeKind, AttributeValues } from '#app/products/attribute-contract.ts'
import type { ShownAttribute } from '#app/products/shown-attribute-contract.ts'
import { changesRow, countRows, LATER } from '#app/shared/server/store.ts'
import type { Database, Row, Schema } from '#db/schema.ts'

/** The unique constraints on the names of attributes, and of the choices of one. */
export const NAME_TAKEN = 'attributes_name'
export const CHOICE_TAKEN = 'attribute_choices_name'

type Choice = Attribute['choices'][number]

const CHOICES = sql<Choice[]>`
  (select coalesce(jsonb_agg(jsonb_build_object('_id', id, 'name', attribute_choices.name) order by position), '[]')
  from attribute_choices where attribute_id = attributes.id)`

/** All attributes by name, or one of them, with their choices and the number of products with a value. */
export const selectAttributes = (db: Database, id?: string) =>
  db
    .selectFrom('attributes')
    .$if(id !== undefined, (all) => all.where('id', '=', id ?? ''))
    .select(['id', 'name', 'kind', 'unit', 'is_filterable', 'updated_at', CHOICES.as('choices')])
    .select(
      sql<number>`(select count(*)::integer from product_attributes where attribute_id = attributes.id)`.as(
        'products',
      ),
    )
    .orderBy('name_folded')
    .execute()
export type AttributeRow = Awaited<ReturnType<typeof selectAttributes>>[number]

export const countAttributes = (db: Database): Promise<number> =>
  countRows(db.selectFrom('attributes'))

/** The time of the last edit of an attribute, and its kind; locks it until the transaction ends. */
export const lockAttribute = (tx: Database, id: string) =>
  tx
    .selectFrom('attributes')
    .select(['id', 'kind', 'updated_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertAttribute = (tx: Database, attribute: Insertable<Schema['attributes']>) =>
  tx.insertInto('attributes').values(attribute).execute()

export const updateAttribute = (
  tx: Database,
  { id, ...changes }: Pick<Row<'attributes'>, 'id' | 'name' | 'unit' | 'is_filterable'>,
) =>
  tx
    .updateTable('attributes')
    .set({ ...changes, updated_at: LATER })
    .where('id', '=', id)
    .execute()

/** False when there was no such attribute. */
export const deleteAttribute = (tx: Database, id: string): Promise<boolean> =>
  changesRow(tx.deleteFrom('attributes').where('id', '=', id))

/** Stores the choices of an attribute in this order. Others are deleted, with the values of products. */
export async function replaceChoices(tx: Database, attributeId: string, choices: Choice[]) {
  const ids = choices.map(({ _id }) => _id)
  await sql`delete from attribute_choices where attribute_id = ${attributeId} and id <> all (${ids}::uuid[])`.execute(
    tx,
  )
  const names = choices.map(({ name }) => name)
  await sql`
    insert into attribute_choices (id, attribute_id, position, name)
    select id, ${attributeId}::uuid, at, name
    from unnest(${ids}::uuid[], ${names}::text[]) with ordinality as sent (id, name, at)
    on conflict (id) do update set position = excluded.position, name = excluded.name
    where (attribute_choices.position, attribute_choices.name) <> (excluded.position, excluded.name)`.execute(
    tx,
  )
}

/** The values of a product with their attributes and choices. In a statement on products. */
export const FROM_VALUES = sql`
  from product_attributes
  join attributes on attributes.id = product_attributes.attribute_id
  left join attribute_choices as choice on choice.id = choice_id
  where product_id = products.id`

/** The values of a product as its page shows them, by name; null without any. In a statement on products. */
export const SHOWN_ATTRIBUTES = sql<ShownAttribute[] | null>`
  (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', attributes.name, 'unit', unit, 'value',
      case kind when 'number' then to_jsonb(value::numeric) when 'yes_no' then to_jsonb(value = 'yes')
        else to_jsonb(coalesce(choice.name, value)) end)) order by attributes.name_folded)
  ${FROM_VALUES})`

/** The values of a product as the back office has them. In a statement on products. */
export const ATTRIBUTE_VALUES = sql<AttributeValues>`
  (select coalesce(jsonb_object_agg(attribute_id, coalesce(choice_id::text, value)), '{}')
  from product_attributes where product_id = products.id)`

/** The values of a product with a line each, such as "Material: Oak". In a statement on products. */
export const ATTRIBUTE_LINES = sql<string>`
  (select coalesce(string_agg(attributes.name || ': ' || coalesce(choice.name, value), E'\\n'
      order by attributes.name_folded), '')
  ${FROM_VALUES})`

/** The kinds of attributes by their ids. */
export async function selectKinds(db: Database, ids: string[]) {
  if (ids.length === 0) return new Map<string, AttributeKind>()
  const rows = await db
    .selectFrom('attributes')
    .select(['id', 'kind'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

export type ValueRow = { attribute_id: string; choice_id: string | null; value: string | null }

type DescribedProduct = { id: string; values: ValueRow[] }

/**
 * Stores all values of products. A changed one is a new row, so that the history names its attribute. The attributes are
 * locked first, in order, as an edit of them locks them before the values that go with a choice.
 */
export async function replaceValues(tx: Database, products: DescribedProduct[]) {
  const ids = products.map(({ id }) => id)
  const rows = products.flatMap(({ id, values }) =>
    values.map((value) => ({ product_id: id, ...value })),
  )
  const sent = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as sent (product_id uuid, attribute_id uuid, choice_id uuid, value text)`
  await sql`
    select id from attributes where id in (
      select attribute_id from product_attributes where product_id = any (${ids}::uuid[])
      union select attribute_id from ${sent})
    order by id for key share`.execute(tx)
  await sql`
    delete from product_attributes where product_id = any (${ids}::uuid[]) and not exists (
      select from ${sent}
      where (sent.product_id, sent.attribute_id, sent.choice_id, sent.value)
        is not distinct from (product_attributes.product_id, product_attributes.attribute_id,
          product_attributes.choice_id, product_attributes.value))`.execute(tx)
  await sql`
    insert into product_attributes (product_id, attribute_id, choice_id, value)
    select product_id, attribute_id, choice_id, value from ${sent} on conflict do nothing`.execute(
    tx,
  )
}
