import { type Kysely, sql } from 'kysely'
import { categoryKey } from '#app/categories/server/service.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { slugify } from '#app/shared/server/slug.ts'
import type { Database, Schema } from '#db/schema.ts'
import { type SeededRandom, seededRandom } from '#tests/support/seeded-random.ts'
import { fillVariants } from './fill-variants.ts'
import { wordBy } from './words.ts'

const CATEGORIES = 40
const BATCH = 20_000
const SEED = 5

/** A UUIDv7 of time 0 that is the same on every machine. */
const idOf = (kind: number, number: number) =>
  `00000000-0000-7000-${8000 + kind}-${String(number).padStart(12, '0')}`

const PRODUCT = 0
const CATEGORY = 1

const between = (chance: SeededRandom, min: number, max: number) =>
  min + Math.floor(chance.next() * (max - min + 1))

const words = (chance: SeededRandom, count: number) =>
  Array.from({ length: count }, () => wordBy(chance.next())).join(' ')

function productOf(chance: SeededRandom, number: number, categories: string[]) {
  const name = words(chance, between(chance, 3, 6))
  return {
    id: idOf(PRODUCT, number),
    name,
    slug: `${slugify(name)}-${number}`,
    description: `A ${words(chance, 7)} of ${words(chance, 6)}, made for ${words(chance, 7)}.`,
    // from 1 to 300, most of them low
    price_minor: Math.round(100 * 300 ** chance.next()),
    quantity: chance.next() < 0.03 ? 0 : between(chance, 1, 200),
    // some categories are much larger than others
    category_id: categories[Math.floor(categories.length * chance.next() ** 2)] ?? '',
  }
}

async function fillCategories(tx: Database): Promise<string[]> {
  const rows = Array.from({ length: CATEGORIES }, (_, at) => {
    const name = `${wordBy(at / CATEGORIES)} ${at + 1}`
    return { id: idOf(CATEGORY, at + 1), name, name_key: categoryKey(name), slug: slugify(name) }
  })
  await tx.insertInto('categories').values(rows).execute()
  await tx
    .insertInto('category_slugs')
    .values(rows.map(({ id, slug }) => ({ slug, category_id: id })))
    .execute()
  return rows.map(({ id }) => id)
}

const insertProducts = (products: object[], first: number) => sql`
  with given as materialized (
    select * from json_to_recordset(${JSON.stringify(products)}::json) as row (
      id uuid, name text, slug text, description text, price_minor integer, quantity integer,
      category_id uuid
    )
  ),
  added as (
    insert into products
      (id, name, slug, description, category_id, listed_variant_id, shipping, created_at, updated_at)
    select id, name, slug, description, category_id, gen_random_uuid(), true, at, at
    from given, lateral (
      select now() - interval '2 years' + (${first}::integer) * interval '1 second' as at
    ) as moment
    returning slug, id, listed_variant_id
  ),
  offered as (
    insert into variants (id, product_id, price_minor, quantity)
    select listed_variant_id, id, price_minor, quantity from added join given using (id)
  )
  insert into product_slugs (slug, product_id) select slug, id from added`

const INDEXES = sql<{ name: string; definition: string }>`
  select indexname as name, indexdef as definition from pg_indexes
  where schemaname = current_schema() and indexdef like '%USING gin%'
    and tablename = 'products'`

/** Does the work without the GIN indexes, which are much faster to create afterwards. */
async function withoutIndexes(db: Kysely<Schema>, work: () => Promise<void>) {
  const { rows } = await INDEXES.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db)
  await work()
  for (const { definition } of rows) await sql.raw(definition).execute(db)
}

async function fillProducts(db: Kysely<Schema>, count: number, categories: string[]) {
  const chance = seededRandom(SEED)
  for (let first = 1; first <= count; first += BATCH) {
    const length = Math.min(BATCH, count - first + 1)
    const products = Array.from({ length }, (_, at) => productOf(chance, first + at, categories))
    await inTransaction(db, OWNER, (tx) => insertProducts(products, first).execute(tx))
  }
}

/** Fills an empty shop with products that are the same on every machine. */
export async function fillCatalogue(db: Kysely<Schema>, count: number): Promise<void> {
  const categories = await inTransaction(db, OWNER, fillCategories)
  await withoutIndexes(db, () => fillProducts(db, count, categories))
  await fillVariants(db)
  // the planner needs statistics of the new rows
  await sql`vacuum analyze`.execute(db)
}
