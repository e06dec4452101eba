import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { categoryKey } from '#app/categories/server/service.ts'
import { refreshListings } from '#app/products/server/variants/listing-store.ts'
import { slugify } from '#app/shared/server/slug.ts'
import type { Database } from '#db/schema.ts'
import type { Batch } from './seed.ts'
import { hashed, idAt, LOOKS, MATERIALS, oneOf, THINGS } from './words.ts'

const n = sql`n`
const sides = (count: number) => sql<number>`${sql.lit(count)}`

/** The categories that are not there yet. */
export async function seedCategories(tx: Database) {
  const rows = THINGS.map(([, name]) => ({
    id: uuidv7(),
    name,
    name_key: categoryKey(name),
    slug: slugify(`${name} for testing`),
  }))
  const added = await tx
    .insertInto('categories')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['slug', 'id as category_id'])
    .execute()
  if (added.length > 0) await tx.insertInto('category_slugs').values(added).execute()
}

const things = sql.join(
  THINGS.map(([thing, category]) => sql`(${sql.lit(thing)}, ${sql.lit(categoryKey(category))})`),
)

/** A product a minute, the last one of them now. */
const moment = ({ last }: Batch) =>
  sql<Date>`date_trunc('second', now()) - (${last} - n) * interval '1 minute'`

/** One statement a batch: only numbers are sent to the database. */
export async function seedProducts(tx: Database, batch: Batch) {
  const { rows } = await sql<{ product_id: string }>`
    with things(thing, category) as (values ${things}),
    numbered as (select thing, category, row_number() over () - 1 as number from things),
    drafts as materialized (
      select n, gen_random_uuid() as variant, thing, categories.id as category_id, ${moment(batch)} as created_at,
        ${oneOf(LOOKS, n, 'look')} as look, ${oneOf(MATERIALS, n, 'material')} as material
      from generate_series(${batch.from}::integer, ${batch.to}::integer) as n
      join numbered on number = ${hashed(n, 'thing', sides(THINGS.length))}
      join categories on name_key = category
    ),
    added as (
      insert into products
        (id, name, slug, description, category_id, listed_variant_id, shipping, created_at, updated_at)
      select ${idAt(sql`created_at`, n, 'product')}, concat_ws(' ', look, material, thing, n),
        lower(concat_ws('-', look, material, thing, n)),
        concat('A ', lower(thing), ' of ', lower(material), ', ', lower(look), ' in colour. ',
          'Made by hand in a small workshop, number ', n, ' of its series. ',
          'It comes in a box that is a gift by itself, and it is made to be repaired.'),
        category_id, variant, ${hashed(n, 'shipping', sides(2))} = 1, created_at, created_at
      from drafts order by n
      returning slug, id, listed_variant_id
    ),
    offered as (
      insert into variants (id, product_id, price_minor, quantity)
      select variant, id, 100 + ${hashed(n, 'price', sides(30_000))},
        greatest(0, ${hashed(n, 'quantity', sides(200))} - 4)
      from added join drafts on variant = listed_variant_id
    )
    insert into product_slugs (slug, product_id) select slug, id from added returning product_id`.execute(
    tx,
  )
  await refreshListings(
    tx,
    rows.map(({ product_id }) => product_id),
  )
}
