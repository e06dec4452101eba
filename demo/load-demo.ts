import { type Kysely, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { openAccount } from '#app/accounts/server/service.ts'
import { categoryKey } from '#app/categories/server/service.ts'
import { refreshListings } from '#app/products/server/variants/listing-store.ts'
import { DEMO_FACT, selectIsDemo } from '#app/settings/server/demo.sql.ts'
import { toMinor } from '#app/shared/model/minor-units.ts'
import { slugify } from '#app/shared/server/slug.ts'
import type { Database, Schema } from '#db/schema.ts'
import { DEMO_ADMIN, DEMO_CUSTOMER } from './accounts.ts'
import { DEMO_CATEGORIES, newestFirst, type Shelved } from './catalogue.ts'
import { ORDERS_FACT } from './finish-orders.ts'
import { PHOTOS_FACT } from './finish-photos.ts'
import { insertDetails } from './insert-details.ts'

const isEmpty = sql<boolean>`
  not exists (select from users) and not exists (select from categories)
  and not exists (select from products)`

const canLoad = async (db: Database) => {
  const { rows } = await sql<{ empty: boolean }>`select ${isEmpty} as empty`.execute(db)
  return rows[0]?.empty === true
}

/**
 * Claims the empty database for the demo; of two concurrent processes one waits and gets nothing.
 */
const claim = async (tx: Database) => {
  const { rows } = await sql`
    insert into shop_facts (key, value) select ${DEMO_FACT.key}, ${DEMO_FACT.value} where ${isEmpty}
    on conflict (key) do nothing returning key`.execute(tx)
  return rows.length > 0
}

async function insertCategories(tx: Database) {
  const rows = DEMO_CATEGORIES.map(({ name }) => ({
    id: uuidv7(),
    name,
    name_key: categoryKey(name),
    slug: slugify(name),
  }))
  await tx.insertInto('categories').values(rows).execute()
  await tx
    .insertInto('category_slugs')
    .values(rows.map(({ id, slug }) => ({ slug, category_id: id })))
    .execute()
}

const rowOf = (
  { category, product }: Shelved,
  { categories, currency }: { categories: Map<string, string>; currency: string },
) => {
  const { name, description, quantity, shipping, price } = product
  const category_id = categories.get(category.name)
  if (!category_id) throw new Error(`The demo has no category ${category.name}.`)
  return {
    id: uuidv7(),
    name,
    slug: slugify(name),
    description,
    shipping,
    category_id,
    listed_variant_id: uuidv7(),
    offer: { quantity, price_minor: toMinor(price, currency) },
  }
}

async function insertProducts(tx: Database, currency: string) {
  const stored = await tx.selectFrom('categories').select(['id', 'name']).execute()
  const categories = new Map(stored.map(({ id, name }) => [name, id]))
  // ids increase with time, and lists are newest first
  const rows = newestFirst()
    .reverse()
    .map((shelved) => rowOf(shelved, { categories, currency }))
  await tx
    .insertInto('products')
    .values(rows.map(({ offer: _, ...product }) => product))
    .execute()
  await tx
    .insertInto('variants')
    .values(
      rows.map(({ id: product_id, listed_variant_id: id, offer }) => ({
        id,
        product_id,
        ...offer,
      })),
    )
    .execute()
  await tx
    .insertInto('product_slugs')
    .values(rows.map(({ id, slug }) => ({ slug, product_id: id })))
    .execute()
  await insertDetails(tx, rows)
  await refreshListings(
    tx,
    rows.map(({ id }) => id),
  )
}

async function insertAll(tx: Database, currency: string) {
  await openAccount(tx, DEMO_ADMIN, { admin: true })
  await openAccount(tx, DEMO_CUSTOMER, { isWelcomed: false })
  await insertCategories(tx)
  await insertProducts(tx, currency)
  await tx.insertInto('shop_facts').values([PHOTOS_FACT, ORDERS_FACT]).execute()
}

/** Whether the database contains the demo. */
export const isDemoLoaded = (db: Database): Promise<boolean> => selectIsDemo(db)

/**
 * Fills an empty database with the demo catalogue and its two accounts, all or nothing. A database
 * with a user, a category or a product is left unchanged. `finishPhotos` makes the photos, and
 * `finishOrders` the orders, while the shop is open. The figures are those of any currency.
 */
export async function loadDemo(db: Kysely<Schema>, currency = 'USD'): Promise<void> {
  if (!(await canLoad(db))) return
  await db.transaction().execute(async (tx) => {
    if (await claim(tx)) await insertAll(tx, currency)
  })
}
