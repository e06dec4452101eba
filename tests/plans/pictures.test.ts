/** The rows that a save of the settings reads of the pictures, in a shop with many photos. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { deleteUnusedPictures, touchUsedPictures } from '#app/shared/server/pictures/store.ts'
import { addCategory, addPhoto, addProduct } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'

const WIDTHS = 3000

it('a save of the settings does not read the photos of products', async () => {
  const { db, close } = await openTestDatabase()
  const product = await addProduct(db, { category: await addCategory(db, 'Kitchen') })
  await addPhoto(db, product)
  await sql`insert into pictures (photo_id, width, format, bytes)
    select id, 1000 + width, 'webp', ''
    from product_photos, generate_series(1, ${WIDTHS}::integer) as width`.execute(db)
  await sql`vacuum analyze pictures`.execute(db)
  await db.transaction().execute(async (tx) => {
    await touchUsedPictures(tx)
    await deleteUnusedPictures(tx)
    const { rows } = await sql`select seq_tup_read + idx_tup_fetch as read
      from pg_stat_xact_user_tables where relname = 'pictures'`.execute(tx)
    expect(rows).toEqual([{ read: 0 }])
  })
  await close()
})
