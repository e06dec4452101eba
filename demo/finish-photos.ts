import { sql } from 'kysely'
import { publishEdits } from '#app/products/server/publish.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { PictureVariants } from '#app/shared/server/pictures/resize-picture.ts'
import { slugify } from '#app/shared/server/slug.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { acquireLock, LOCKS } from '#db/locks.ts'
import type { Database } from '#db/schema.ts'
import { newestFirst } from './catalogue.ts'
import { makePhotos } from './make-photos.ts'

/** Called after each photo with the number done and the total. */
export type Progress = (done: number, total: number) => void

/** Exists from the loading of the demo until each of its products has had its photo. */
export const PHOTOS_FACT = { key: 'demo_photos', value: 'missing' }

/** Photos per write: each write invalidates cached pages. As many as a page of products has. */
const BATCH = 12

type MadePhoto = { id: string; photo: PictureVariants }

/** Whether all photos of the demo are made. */
export async function isFinished(db: Database): Promise<boolean> {
  const fact = await db
    .selectFrom('shop_facts')
    .select('value')
    .where('key', '=', PHOTOS_FACT.key)
    .executeTakeFirst()
  return fact === undefined
}

const HAS_NO_PHOTO = sql<boolean>`not exists (
  select from product_photos where product_id = products.id)`

/** The demo products without a photo, by their positions in the catalogue. */
async function selectMissing(db: Database): Promise<Map<number, string>> {
  const slugs = newestFirst().map(({ product }) => slugify(product.name))
  const rows = await db
    .selectFrom('product_slugs')
    .innerJoin('products', 'products.id', 'product_slugs.product_id')
    .where('product_slugs.slug', 'in', slugs)
    .where(HAS_NO_PHOTO)
    .select(['products.id', 'product_slugs.slug'])
    .execute()
  const places = rows.map(({ id, slug }): [number, string] => [slugs.indexOf(slug), id])
  return new Map(places.sort(([a], [b]) => a - b))
}

/** A product that has got another photo meanwhile keeps it. Machines save one after the other. */
const savePhotos = (db: Database, batch: MadePhoto[]) =>
  inTransaction(db, SHOP, async (tx) => {
    await acquireLock(tx, LOCKS.demoPhotos)
    const versions = sql`unnest(${batch.map(({ id }) => id)}::uuid[],
      ${batch.map(({ photo }) => photo.version)}::text[])`
    const { rows } = await sql<{ id: string; product_id: string }>`
      insert into product_photos (id, product_id, position, version)
      select gen_random_uuid(), products.id, 0, made.version
      from ${versions} as made (id, version) join products on products.id = made.id
      where ${HAS_NO_PHOTO} returning id, product_id`.execute(tx)
    const saved = new Map(rows.map(({ id, product_id }) => [product_id, id]))
    const pictures = batch.flatMap(({ id, photo }) => {
      const photo_id = saved.get(id)
      return photo_id ? photo.variants.map((variant) => ({ photo_id, ...variant })) : []
    })
    if (pictures.length > 0) await tx.insertInto('pictures').values(pictures).execute()
    await publishEdits(tx, [...saved.keys()])
  })

async function makeMissing(db: Database, progress: Progress, closing?: AbortSignal) {
  const missing = await selectMissing(db)
  const total = newestFirst().length
  let done = total - missing.size
  let batch: MadePhoto[] = []
  const save = async () => {
    await savePhotos(db, batch)
    for (const _ of batch) progress(++done, total)
    batch = []
  }
  for await (const { index, photo } of makePhotos([...missing.keys()], closing)) {
    const id = missing.get(index)
    if (id) batch.push({ id, photo })
    if (batch.length === BATCH) await save()
  }
  if (batch.length > 0) await save()
  await db.deleteFrom('shop_facts').where('key', '=', PHOTOS_FACT.key).execute()
}

/**
 * Makes the missing photos of the demo while the shop is open. Ends early when it closes; the next
 * start continues. One process of a machine does it; with several machines some photos may be made
 * twice.
 */
export async function finishPhotos(
  { db }: Pick<OpenDatabase, 'db'>,
  progress: Progress = () => {},
  closing?: AbortSignal,
): Promise<void> {
  if (await isFinished(db)) return
  try {
    await makeMissing(db, progress, closing)
  } catch (error) {
    if (!closing?.aborted) throw error
  }
}
