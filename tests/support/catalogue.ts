import { v7 as uuidv7 } from 'uuid'
import { categoryKey } from '#app/categories/server/service.ts'
import { changeProduct } from '#app/products/server/editing.ts'
import { setFirstPhoto } from '#app/products/server/photos/edit.ts'
import { returnStock, takeStock } from '#app/products/server/service.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { type Database, PHOTO_FORMATS, type Row } from '#db/schema.ts'

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

/** Inserts a product into the database; `price` is in major units. */
export async function addProduct(db: Database, facts: Facts): Promise<Row<'products'>> {
  const {
    category,
    name = 'Clay cup',
    description = 'Holds tea.',
    price = 12.5,
    quantity = 10,
  } = facts
  const id = uuidv7()
  const slug = slugOf(name, id)
  const product = await db
    .insertInto('products')
    .values({
      id,
      name,
      slug,
      description,
      price_minor: Math.round(price * 100),
      quantity,
      category_id: category.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
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
    const { quantity, ...product } = await tx
      .selectFrom('products')
      .where('id', '=', id)
      .select(['id as product_id', 'name', 'price_minor', 'quantity'])
      .executeTakeFirstOrThrow()
    const sold = quantity - left
    if (sold > 0) await takeStock(tx, [{ ...product, quantity: sold }])
    else await returnStock(tx, [{ product_id: id, quantity: -sold }])
  })
