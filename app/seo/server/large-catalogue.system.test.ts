/** The sitemap of a catalogue that has more than one part. */
import { beforeAll, expect, it } from 'vitest'
import { seed } from '#bench/seed/seed.ts'
import { testShop } from '#tests/support/shop.ts'
import { parseXml } from '#tests/support/xml.ts'

const SHOP_URL = 'https://shop.example.com'
const shop = testShop({ SHOP_URL })
beforeAll(() => seed(shop.db, { products: 10_001 }))

const get = async (url: string) =>
  parseXml((await shop.app.inject({ method: 'GET', url })).rawPayload)

it('lists each product in exactly one part, with the last edit of the part', async () => {
  const { sitemapindex } = await get('/sitemap.xml')
  const [, ...parts] = sitemapindex.sitemap
  expect(parts).toHaveLength(3)
  const listed: string[] = []
  for (const { loc, lastmod } of parts) {
    const { urlset } = await get(loc.slice(SHOP_URL.length))
    listed.push(...urlset.url.map((one: { loc: string }) => one.loc))
    const edits: string[] = urlset.url.map((one: { lastmod: string }) => one.lastmod)
    expect(lastmod).toBe(edits.toSorted().at(-1))
  }
  const all = await shop.db.selectFrom('products').orderBy('id').select('slug').execute()
  expect(listed).toEqual(all.map(({ slug }) => `${SHOP_URL}/product/${slug}`))
})

it('has no part after another id than the last one of a part', async () => {
  const at = (offset: number) =>
    shop.db
      .selectFrom('products')
      .orderBy('id')
      .offset(offset)
      .select('id')
      .executeTakeFirstOrThrow()
  const statusAfter = async (id: string) => {
    const url = `/sitemap-products.xml?after=${id}`
    return (await shop.app.inject({ method: 'GET', url })).statusCode
  }
  for (const offset of [4999, 9999]) {
    const { id } = await at(offset)
    expect(await statusAfter(id)).toBe(200)
    expect(await statusAfter(id.toUpperCase())).toBe(404)
  }
  for (const offset of [0, 4998, 5000, 10_000])
    expect(await statusAfter((await at(offset)).id)).toBe(404)
  expect(await statusAfter(crypto.randomUUID())).toBe(404)
  expect(await statusAfter('00000000-0000-7000-8000-000000000000')).toBe(404)
})
