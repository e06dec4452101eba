import { type Kysely, sql } from 'kysely'
import type { Schema } from '#db/schema.ts'

const TABLES = ['product_options', 'option_values', 'variants', 'product_attributes']

const MATERIALS = ['Ash', 'Beech', 'Birch', 'Cherry', 'Elm', 'Maple', 'Oak', 'Walnut']

/** Gives each product one of eight materials, by turns, and a weight up to ten kilograms. */
async function fillAttributes(db: Kysely<Schema>): Promise<void> {
  await sql`
    insert into attributes (id, name, kind, unit, is_filterable)
    values (gen_random_uuid(), 'Material', 'choice', null, true),
      (gen_random_uuid(), 'Weight', 'number', 'kg', true)`.execute(db)
  await sql`
    insert into attribute_choices (id, attribute_id, position, name)
    select gen_random_uuid(), attributes.id, at, material
    from attributes, unnest(${MATERIALS}::text[]) with ordinality as choice (material, at)
    where kind = 'choice'`.execute(db)
  await sql`
    insert into product_attributes (product_id, attribute_id, choice_id, value)
    select numbered.id, attributes.id, choice.id, case when kind = 'number' then (number % 10)::text end
    from (select id, row_number() over (order by id) as number from products) as numbered
    cross join attributes
    left join attribute_choices as choice
      on choice.attribute_id = attributes.id and choice.position = 1 + number % 8`.execute(db)
}

/** What triggers would have written. */
async function fillDerived(db: Kysely<Schema>): Promise<void> {
  // else the plans would be those of empty tables
  await sql`analyze`.execute(db)
  await sql`
    select refresh_facets(ids), write_product_words(ids), refresh_listing(ids)
    from (
      select array_agg(id) as ids from (
        select id, row_number() over (order by id) / 1000 as part from products
      ) as numbered group by part
    ) as parts`.execute(db)
}

/** Gives each product three colours and two sizes: six variants, which have the price of the product. */
export async function fillVariants(db: Kysely<Schema>): Promise<void> {
  // their entries of the audit log would be most of the shop
  for (const table of TABLES)
    await sql`alter table ${sql.id(table)} disable trigger user`.execute(db)
  await sql`
    insert into product_options (product_id, slot, position, name)
    select id, slot, slot, option.name from products
    cross join (values (1, 'Colour'), (2, 'Size')) as option (slot, name)`.execute(db)
  await sql`
    insert into option_values (id, product_id, slot, position, name)
    select gen_random_uuid(), products.id, slot, position, value from products
    cross join (values (1, 1, 'Red'), (1, 2, 'Blue'), (1, 3, 'Green'), (2, 1, 'S'), (2, 2, 'M'))
      as value (slot, position, value)`.execute(db)
  await sql`
    update variants set value1 = colours.id, value2 = sizes.id
    from option_values as colours, option_values as sizes
    where colours.product_id = variants.product_id and (colours.slot, colours.position) = (1, 1)
      and sizes.product_id = variants.product_id and (sizes.slot, sizes.position) = (2, 1)`.execute(
    db,
  )
  await sql`
    insert into variants (id, product_id, position, value1, value2, price_minor, quantity)
    select gen_random_uuid(), products.id, 2 * colours.position + sizes.position, colours.id,
      sizes.id, price_minor, quantity
    from products join variants on variants.id = listed_variant_id
    join option_values as colours on colours.product_id = products.id and colours.slot = 1
    join option_values as sizes on sizes.product_id = products.id and sizes.slot = 2
    where (colours.position, sizes.position) <> (1, 1)`.execute(db)
  await fillAttributes(db)
  await fillDerived(db)
  for (const table of TABLES)
    await sql`alter table ${sql.id(table)} enable trigger user`.execute(db)
  // instead, an entry for each product explains their stock
  await sql`
    insert into audit_log (action, table_name, row_id, before, after)
    select 'update', 'products', product_id, '{"quantity": 0}',
      jsonb_build_object('quantity', sum(quantity))
    from variants join products on products.id = product_id
    where variants.id <> listed_variant_id group by product_id`.execute(db)
}
