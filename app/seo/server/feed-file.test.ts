import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'haat-feed-'))
afterAll(() => rmSync(DATA_DIR, { recursive: true }))

const shop = testShop({ SHOP_URL: 'https://shop.example.com', DATA_DIR })

it('the product feed no longer names what a long transaction removed that began before it was made', async () => {
  const category = await addCategory(shop.db, 'Vases')
  const { id } = await addProduct(shop.db, { category, name: 'A late vase' })
  await addPhoto(shop.db, { id })
  const feed = async () => (await shop.app.inject({ url: '/product-feed.xml' })).body
  expect(await feed()).toContain('late vase')
  await shop.db.transaction().execute(async (tx) => {
    // as the import writes it, which takes minutes until its end
    const at = new Date(Date.now() - 5 * 60_000).toISOString()
    await sql`select set_config('haat.at', ${at}, true)`.execute(tx)
    await tx.updateTable('products').set({ status: 'archived' }).where('id', '=', id).execute()
  })
  expect(await feed()).not.toContain('late vase')
})
