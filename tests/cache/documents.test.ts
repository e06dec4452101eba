/** Sitemaps, feeds and pictures in the page cache. */
import { describe, expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Row } from '#db/schema.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { addCategory, addProduct, sellUntil } from '../support/catalogue.ts'
import { formOf } from '../support/form.ts'
import { settingsThrough } from '../support/settings.ts'
import { addZone, INDIA } from '../support/shipping.ts'

let admin: Person
let category: Row<'categories'>
let cup: Row<'products'>
/** The pieces of the cup. */
let left = 10
const shop = testCachedShop({
  settings: { SHOP_URL: 'https://shop.example.com' },
  async fill(db) {
    admin = await addPerson(db, { admin: true })
    category = await addCategory(db, 'Kitchen')
    cup = await addProduct(db, { category })
    await db.updateTable('products').set({ shipping: true }).execute()
  },
})

const textOf = async (path: string) => String((await shop.ask(path)).bytes)

const PRODUCT_LISTS = ['/sitemap.xml', '/sitemap-pages.xml', '/sitemap-products.xml', '/feed.xml']
const DOCUMENTS = [...PRODUCT_LISTS, '/robots.txt', '/manifest.webmanifest', '/share.png']

const create = (name: string) =>
  shop.post('/product/create-product', {
    token: admin.token,
    body: formOf({ name, description: 'Round.', price: 1, quantity: 1, category: category.id }),
  })

describe.each(DOCUMENTS)('%s', (path) => {
  it('is made once, for every visitor and whatever else its address says', async () => {
    const first = await shop.ask(path)
    expect(first.status).toBe(200)
    const crawlers = async () => {
      const headers = { 'user-agent': 'crawler', cookie: 'a=b', host: 'evil.example' }
      const other = await shop.ask(`${path}?utm_source=x`, { headers })
      expect(other.bytes.equals(first.bytes)).toBe(true)
    }
    expect(await shop.madeBy(crawlers)).toBe(0)
  })

  it('is not made again after a sale', async () => {
    await shop.ask(path)
    left -= 1
    await sellUntil(shop.db, cup, left)
    const detail = `${API_PREFIX}/product/get-product/${cup.slug}`
    await expect.poll(() => textOf(detail)).toContain(`"quantity":${left},`)
    expect(await shop.madeBy(() => shop.ask(path))).toBe(0)
  })
})

describe('what lists products', () => {
  it.each(['/sitemap-products.xml', '/feed.xml'])('%s has a new one', async (path) => {
    const slug = `bowl-of-${path.slice(1, 5)}`
    expect(await textOf(path)).not.toContain(slug)
    await create(slug.replaceAll('-', ' '))
    await expect.poll(() => textOf(path)).toContain(`/product/${slug}<`)
  })
})

describe('what names the shop', () => {
  it.each(['/manifest.webmanifest', '/feed.xml'])('%s has its new name', async (path) => {
    const name = `Bowls of ${path.slice(1, 5)}`
    await shop.ask(path)
    expect((await settingsThrough(shop, () => admin).save({ name })).status).toBe(200)
    await expect.poll(() => textOf(path)).toContain(name)
  })
})

describe('structured data of a product', () => {
  const path = () => `${API_PREFIX}/seo/structured-data/${cup.id}`

  it('is made once, also where the id is in capitals', async () => {
    await shop.ask(path())
    const capitals = path().replace(cup.id, cup.id.toUpperCase())
    expect(await shop.madeBy(() => shop.ask(capitals))).toBe(0)
  })

  it('has the rates of today', async () => {
    expect(await textOf(path())).not.toContain('shippingDetails')
    const zone = await addZone(shop, admin)
    await expect.poll(() => textOf(path())).toContain('"value":"40.00"')
    await shop.put(`/shipping/zone/${zone._id}`, {
      token: admin.token,
      body: { ...INDIA, rates: [{ name: 'Standard', kind: 'flat', price: 55 }] },
    })
    await expect.poll(() => textOf(path())).toContain('"value":"55.00"')
    await shop.delete(`/shipping/zone/${zone._id}`, { token: admin.token })
    await expect.poll(() => textOf(path())).not.toContain('shippingDetails')
  })
})
