import { type Kysely, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { openAccount } from '#app/accounts/server/service.ts'
import { categoryKey } from '#app/categories/server/service.ts'
import type { PhotoVariants } from '#app/products/server/photos/photo-variants.ts'
import { toMinor } from '#app/shared/server/money.ts'
import { slugify } from '#app/shared/server/slug.ts'
import type { Database, Schema } from '../schema.ts'
import { DEMO_ADMIN, DEMO_CUSTOMER } from './accounts.ts'
import { DEMO_CATEGORIES, newestFirst, type Shelved } from './catalogue.ts'
import { type Progress, takePhotos } from './take-photos.ts'

/** What the database remembers of the demo. */
export const DEMO_FACT = { key: 'demo', value: 'loaded' }

const isEmpty = sql<boolean>`
  not exists (select from users) and not exists (select from categories)
  and not exists (select from products)`

const canLoad = async (db: Database) => {
  const { rows } = await sql<{ empty: boolean }>`select ${isEmpty} as empty`.execute(db)
  return rows[0]?.empty === true
}

/** Takes the empty database for the demo; of two processes that try, one waits and gets nothing. */
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

async function insertProduct(tx: Database, { category, product }: Shelved, photo: PhotoVariants) {
  const { name, description, quantity, shipping, price } = product
  const [id, slug] = [uuidv7(), slugify(name)]
  await tx
    .insertInto('products')
    .values({
      ...{ id, name, slug, description, quantity, shipping },
      category_id: tx.selectFrom('categories').select('id').where('name', '=', category.name),
      price_minor: toMinor(price),
      photo_version: photo.version,
    })
    .execute()
  await tx.insertInto('product_slugs').values({ slug, product_id: id }).execute()
  await tx
    .insertInto('product_photos')
    .values(photo.variants.map((variant) => ({ product_id: id, ...variant })))
    .execute()
}

async function insertAll(tx: Database, photos: PhotoVariants[]) {
  await openAccount(tx, DEMO_ADMIN, { admin: true })
  await openAccount(tx, DEMO_CUSTOMER)
  await insertCategories(tx)
  // ids grow with time, and lists are newest first
  for (const [index, shelved] of [...newestFirst().entries()].reverse()) {
    const photo = photos[index]
    if (photo) await insertProduct(tx, shelved, photo)
  }
}

/** Whether this database holds the demo. */
export async function isDemoLoaded(db: Database): Promise<boolean> {
  const fact = await db
    .selectFrom('shop_facts')
    .select('value')
    .where('key', '=', DEMO_FACT.key)
    .executeTakeFirst()
  return fact?.value === DEMO_FACT.value
}

/**
 * Fills an empty database with the demo catalogue and its two accounts, all of it or nothing.
 * A database that has a user, a category or a product is left as it is.
 */
export async function loadDemo(db: Kysely<Schema>, progress: Progress = () => {}): Promise<void> {
  if (!(await canLoad(db))) return
  const photos = await takePhotos(progress)
  await db.transaction().execute(async (tx) => {
    if (await claim(tx)) await insertAll(tx, photos)
  })
}
