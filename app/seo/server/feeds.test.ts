import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'haat-feed-'))
afterAll(() => rmSync(DATA_DIR, { recursive: true }))

const shop = testShop({ SHOP_URL: 'https://shop.example.com', DATA_DIR })

/** 20 KB that cannot be compressed much. */
const longText = () =>
  Array.from(randomBytes(5000), (byte) => String.fromCodePoint(0x1f400 + byte)).join('')

/** Begins to read the feed, and disconnects. */
async function disconnect(address: string) {
  const request = get(`${address}/product-feed.xml`)
  await once(request, 'response')
  request.destroy()
  await once(request, 'close')
}

it('clients that disconnect while they read the product feed leave no file open', async () => {
  const category = await addCategory(shop.db, 'Cups')
  for (let n = 0; n < 200; n += 1)
    await addProduct(shop.db, { category, name: `${n}`, description: longText() })
  // Google takes products with photos only
  await shop.db.updateTable('products').set({ photo_version: '1' }).execute()
  const address = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  await disconnect(address)
  const openFiles = () => readdirSync('/dev/fd').length
  const before = openFiles()
  for (let n = 0; n < 20; n += 1) await disconnect(address)
  await expect.poll(openFiles).toBeLessThan(before + 10)
})

const google = testShop({ SHOP_URL: 'https://shop.example.com' })

it('texts of the product feed are as long as Google takes them', async () => {
  const category = await addCategory(google.db, 'Cups')
  const { id } = await addProduct(google.db, {
    category,
    name: 'n'.repeat(200),
    description: '😀'.repeat(6000),
  })
  await addPhoto(google.db, { id })
  const { body } = await google.app.inject({ url: '/product-feed.xml' })
  const textOf = (name: string) => [...(new RegExp(`<g:${name}>(.*?)</g`).exec(body)?.[1] ?? '')]
  expect(textOf('title')).toHaveLength(150)
  expect(textOf('description')).toHaveLength(5000)
})
