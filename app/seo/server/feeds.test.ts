import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { get } from 'node:http'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ProductForm } from '#app/products/form-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop({ SHOP_URL: 'https://shop.example.com' })

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
  await sql`insert into product_photos (id, product_id, position, version)
    select gen_random_uuid(), id, 0, '1' from products`.execute(shop.db)
  const address = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  await disconnect(address)
  const openFiles = () => readdirSync('/dev/fd').length
  const before = openFiles()
  for (let n = 0; n < 20; n += 1) await disconnect(address)
  await expect.poll(openFiles).toBeLessThan(before + 10)
})

const google = testShop({ SHOP_URL: 'https://shop.example.com' })

/**
 * The longest texts of the feed in characters, which Google's product data specification has
 * (support.google.com/merchants/answer/7052112), or the shop's form where it takes no longer ones.
 */
const MAX_LENGTH = { title: 150, description: 5000 }

it('each text of the product feed is as long as Google takes it', async () => {
  const { token } = await addPerson(google.db, { admin: true })
  const { id: category } = await addCategory(google.db, 'Cups')
  const texts = Object.entries(ProductForm.properties).flatMap(([name, schema]) => {
    const [, maxLength] = /"maxLength":(\d+)/.exec(JSON.stringify(schema)) ?? []
    return maxLength ? [[name, '😀'.repeat(Number(maxLength))]] : []
  })
  const body = formOf({ ...Object.fromEntries(texts), category, price: 1, quantity: 1 })
  const created = await google.post<{ products: { _id: string } }>('/product/create-product', {
    token,
    body,
  })
  await addPhoto(google.db, { id: created.body.products._id })
  const feed = await google.app.inject({ url: '/product-feed.xml' })
  const elements = [...feed.body.matchAll(/<g:(\w+)>(😀+)</gu)]
  const lengths = elements.map(([, name, text = '']) => [name, [...text].length])
  expect(Object.fromEntries(lengths)).toEqual(MAX_LENGTH)
})
