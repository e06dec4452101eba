import type { Updateable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { categoryKey } from '#app/categories/server/service.ts'
import { changeProduct } from '#app/products/server/editing.ts'
import { setFirstPhoto } from '#app/products/server/photos/edit.ts'
import { returnStock, takeStock } from '#app/products/server/service.ts'
import { refreshListings } from '#app/products/server/variants/listing-store.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { inOrderOf } from '#app/shared/server/store.ts'
import { type Database, PHOTO_FORMATS, type Row, type Schema } from '#db/schema.ts'

const slugOf = (name: string, id: string) =>
  `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${id.slice(-12)}`

/** Inserts a category into the database. */
export async function addCategory(db: Database, name: string): Promise<Row<'categories'>> {
  const id = uuidv7()
  const slug = slugOf(name, id)
  const category = await db
    .insertInto('categories')
    .values({ id, name, name_key: categoryKey(name), slug })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db.insertInto('category_slugs').values({ slug, category_id: id }).execute()
  return category
}

type Facts = {
  category: { id: string }
  name?: string
  description?: string
  price?: number
  quantity?: number
}

/** A product, and what its variant is sold for. */
export type AddedProduct = Row<'products'> & Pick<Row<'variants'>, 'price_minor' | 'quantity'>

type NewRow = Pick<Row<'products'>, 'id' | 'name' | 'slug' | 'description' | 'category_id'> &
  Pick<Row<'variants'>, 'price_minor' | 'quantity'>

/** Inserts products into the database, each with one variant. */
export async function insertProducts(db: Database, rows: NewRow[]): Promise<AddedProduct[]> {
  const offered = rows.map((row) => ({ ...row, listed_variant_id: uuidv7() }))
  await db
    .insertInto('products')
    .values(offered.map(({ price_minor: _, quantity: __, ...product }) => product))
    .execute()
  await db
    .insertInto('variants')
    .values(
      offered.map(({ listed_variant_id: id, id: product_id, price_minor, quantity }) => ({
        id,
        product_id,
        price_minor,
        quantity,
      })),
    )
    .execute()
  const ids = rows.map(({ id }) => id)
  await refreshListings(db, ids)
  const added = await db
    .selectFrom('products')
    .innerJoin('variants', 'variants.id', 'listed_variant_id')
    .where('products.id', 'in', ids)
    .selectAll('products')
    .select(['price_minor', 'quantity'])
    .execute()
  return inOrderOf(ids, added)
}

/** Changes columns of the listed variant of a product, as no edit does. */
export async function changeListed(
  db: Database,
  { id }: { id: string },
  columns: Updateable<Schema['variants']>,
): Promise<void> {
  await db
    .updateTable('variants')
    .set(columns)
    .where('id', '=', (eb) =>
      eb.selectFrom('products').select('listed_variant_id').where('products.id', '=', id),
    )
    .execute()
  await refreshListings(db, [id])
}

/** The listed variant of a product. */
export const listedOf = (db: Database, { id }: { id: string }): Promise<Row<'variants'>> =>
  db
    .selectFrom('variants')
    .innerJoin('products', 'listed_variant_id', 'variants.id')
    .where('products.id', '=', id)
    .selectAll('variants')
    .executeTakeFirstOrThrow()

/** Inserts a product into the database; `price` is in major units. */
export async function addProduct(db: Database, facts: Facts): Promise<AddedProduct> {
  const {
    category,
    name = 'Clay cup',
    description = 'Holds tea.',
    price = 12.5,
    quantity = 10,
  } = facts
  const id = uuidv7()
  const slug = slugOf(name, id)
  const row = { id, name, slug, description, category_id: category.id }
  const price_minor = Math.round(price * 100)
  const [product] = await inTransaction(db, SHOP, (tx) =>
    insertProducts(tx, [{ ...row, price_minor, quantity }]),
  )
  if (!product) throw new Error('No product was inserted.')
  await db.insertInto('product_slugs').values({ slug, product_id: id }).execute()
  return product
}

/** Makes a fake photo the first one of a product; its bytes name its version, width and format. */
export async function addPhoto(
  db: Database,
  product: { id: string },
  { version = 'v1', widths = [320, 640] } = {},
): Promise<void> {
  const variants = widths.flatMap((width) =>
    PHOTO_FORMATS.map((format) => ({
      width,
      format,
      bytes: Buffer.from(`${version} ${width} ${format}`),
    })),
  )
  await inTransaction(db, SHOP, (tx) =>
    setFirstPhoto(tx, product.id, { version, width: 640, height: 640, variants }),
  )
}

/** Replaces the photo of a product, as an admin does. */
export const replacePhoto = (db: Database, { id }: { id: string }, version: string) =>
  changeProduct(db, SHOP, {
    id,
    changes: {},
    seen: {},
    photo: {
      version,
      width: 640,
      height: 640,
      variants: [{ width: 640, format: 'jpeg', bytes: Buffer.from(version) }],
    },
  })

/** Sells or returns pieces, until so many are left. */
export const sellUntil = (db: Database, { id }: { id: string }, left: number) =>
  inTransaction(db, SHOP, async (tx) => {
    const { quantity, price_minor } = await listedOf(tx, { id })
    const sold = quantity - left
    if (sold > 0) await takeStock(tx, [{ product_id: id, name: '', price_minor, quantity: sold }])
    else await returnStock(tx, [{ product_id: id, quantity: -sold }])
  })
