import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct, ShownPhoto } from '#app/products/contract.ts'
import { photoUrls } from '#app/products/photo-contract.ts'
import type { Row } from '#db/schema.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { plain } from '#tests/support/pictures.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { addZone, removeZones } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'
import type { Thing } from '#tests/support/structured-data.ts'
import { parseXml } from '#tests/support/xml.ts'

const SHOP_URL = 'https://shop.example.com'
const DATA_DIR = mkdtempSync(join(tmpdir(), 'haat-seo-'))
afterAll(() => rmSync(DATA_DIR, { recursive: true }))

const shop = testShop({ SHOP_URL, DATA_DIR, CURRENCY_DISPLAY: 'USD', SHOP_NAME: 'Cups & Co' })
const bare = testShop({ DATA_DIR, CURRENCY_DISPLAY: 'USD' })

let admin: Person
let category: Row<'categories'>
/** A product with a photo that has to be shipped. */
let pot: ListedProduct
/** A product without a photo. */
let cup: Row<'products'>
/** The addresses of the two photos of the pot. */
let photos: [string, string]

const create = async (fields: Parameters<typeof formOf>[0]) => {
  const reply = await shop.post<{ products: ListedProduct }>('/product/create-product', {
    token: admin.token,
    body: formOf({ price: 12.5, quantity: 3, category: category.id, ...fields }),
  })
  return reply.body.products
}

beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Tea & more')
  pot = await create({
    name: 'Tea <pot>',
    description: 'Holds "tea" & more.\u0008 ]]>',
    shipping: 1,
    weightGrams: 350,
    photo: fileOf(await plain(700, 500).jpeg().toBuffer()),
  })
  const added = await shop.post<{ photos: ShownPhoto[] }>(`/product/photos/${pot._id}`, {
    token: admin.token,
    body: formOf({ photo: fileOf(await plain(600, 500).jpeg().toBuffer()) }),
  })
  const [first, second] = photoUrls(
    pot._id,
    added.body.photos.map(({ _id: id, photo: version }) => ({ id, version })),
    1280,
  ).map((photo) => SHOP_URL + photo)
  photos = [first ?? '', second ?? '']
  cup = await addProduct(shop.db, { category, name: 'Clay cup', quantity: 0 })
  await addZone(shop, admin)
})
afterAll(() => removeZones(shop))

/** The files of the product feed. */
const feedFiles = async () =>
  (await readdir(DATA_DIR)).filter((name) => name.startsWith('product-feed'))

const fetchOf =
  ({ app }: typeof shop) =>
  (url: string, headers = {}) =>
    app.inject({ method: 'GET', url, headers })
const get = (url: string, headers = {}) => fetchOf(shop)(url, headers)

const NEEDS_ADDRESS = ['/sitemap.xml', '/sitemap-pages.xml', '/sitemap-products.xml', '/feed.xml']

describe('documents for search engines', () => {
  it('need the public address of the shop, because the host of a request may be forged', async () => {
    for (const url of [...NEEDS_ADDRESS, '/product-feed.xml']) {
      const reply = await fetchOf(bare)(url)
      expect([reply.statusCode, reply.json().message]).toEqual([
        404,
        'This needs the public address of the shop: set SHOP_URL.',
      ])
    }
    const robots = await fetchOf(bare)('/robots.txt')
    expect(robots.body).not.toContain('Sitemap')
  })

  it.each([...NEEDS_ADDRESS, '/robots.txt', '/manifest.webmanifest', '/share.png'])(
    '%s is the same for everybody and has an ETag',
    async (url) => {
      const first = await get(url)
      const again = await get(url, { host: 'evil.example', cookie: 'a=b' })
      expect(first.statusCode).toBe(200)
      expect(again.rawPayload.equals(first.rawPayload)).toBe(true)
      const etag = String(first.headers.etag)
      expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(304)
    },
  )
})

describe('GET /robots.txt', () => {
  it('names the sitemap, and keeps crawlers out of the API and the dashboards', async () => {
    const { body, headers } = await get('/robots.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body.split('\n')).toEqual([
      'User-agent: *',
      'Allow: /api/v1/product/product-photo/',
      'Allow: /api/v1/seo/product-picture/',
      'Allow: /api/v1/settings/picture/',
      'Disallow: /api/',
      'Disallow: /dashboard/',
      '',
      `Sitemap: ${SHOP_URL}/sitemap.xml`,
      '',
    ])
  })
})

describe('GET /sitemap.xml', () => {
  it('lists the parts with the last edit of each', async () => {
    const { body, headers } = await get('/sitemap.xml')
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    const { sitemapindex } = parseXml(body)
    expect(sitemapindex['@_xmlns']).toBe('http://www.sitemaps.org/schemas/sitemap/0.9')
    expect(sitemapindex.sitemap).toEqual([
      { loc: `${SHOP_URL}/sitemap-pages.xml` },
      { loc: `${SHOP_URL}/sitemap-products.xml`, lastmod: cup.updated_at.toISOString() },
    ])
  })

  it('lists every page once', async () => {
    const { urlset } = parseXml((await get('/sitemap-pages.xml')).body)
    const changed = cup.created_at.toISOString()
    expect(urlset.url).toEqual([
      { loc: `${SHOP_URL}/`, lastmod: changed },
      ...['categories', 'about', 'contact', 'policy'].map((page) => ({
        loc: `${SHOP_URL}/${page}`,
      })),
      { loc: `${SHOP_URL}/category/${category.slug}`, lastmod: changed },
    ])
  })

  it('lists every product with its last edit and its photos', async () => {
    const { urlset } = parseXml((await get('/sitemap-products.xml')).body)
    expect(urlset.url).toEqual([
      {
        loc: `${SHOP_URL}/product/${pot.slug}`,
        lastmod: pot.updatedAt,
        'image:image': photos.map((photo) => ({ 'image:loc': photo })),
      },
      { loc: `${SHOP_URL}/product/${cup.slug}`, lastmod: cup.updated_at.toISOString() },
    ])
  })

  it('has no part behind the last product, or of a wrong key', async () => {
    expect((await get(`/sitemap-products.xml?after=${cup.id}`)).statusCode).toBe(404)
    expect((await get('/sitemap-products.xml?after=x')).statusCode).toBe(400)
  })
})

describe('GET /feed.xml', () => {
  it('has the newest products first, with their pictures', async () => {
    const { body, headers } = await get('/feed.xml')
    expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    const { channel } = parseXml(body).rss
    expect(channel).toMatchObject({
      title: 'Cups & Co: new products',
      link: `${SHOP_URL}/`,
      'atom:link': { '@_href': `${SHOP_URL}/feed.xml`, '@_rel': 'self' },
    })
    expect(channel.item.map((item: { title: string }) => item.title)).toEqual([
      'Clay cup',
      'Tea <pot>',
    ])
    const [, item] = channel.item
    expect(item).toMatchObject({
      link: `${SHOP_URL}/product/${pot.slug}`,
      guid: { '#text': pot._id, '@_isPermaLink': 'false' },
      pubDate: new Date(pot.createdAt).toUTCString(),
      category: 'Tea & more',
      description: 'Holds "tea" & more. ]]>',
      'media:content': {
        '@_url': `${SHOP_URL}/api/v1/seo/product-picture/${pot._id}?v=${pot.photo}`,
      },
    })
  })
})

describe('GET /product-feed.xml', () => {
  it('has what Google Merchant Center requires of each product with a photo', async () => {
    const { body, headers } = await get('/product-feed.xml')
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    const { rss } = parseXml(body)
    expect(rss['@_xmlns:g']).toBe('http://base.google.com/ns/1.0')
    expect(rss.channel.item).toEqual([
      {
        'g:id': pot._id,
        'g:title': 'Tea <pot>',
        'g:description': 'Holds "tea" & more. ]]>',
        'g:link': `${SHOP_URL}/product/${pot.slug}`,
        'g:image_link': `${SHOP_URL}/api/v1/product/product-photo/${pot._id}?w=1280&v=${pot.photo}`,
        'g:additional_image_link': photos[1],
        'g:availability': 'in_stock',
        'g:price': '12.50 USD',
        'g:condition': 'new',
        'g:identifier_exists': 'no',
        'g:product_type': 'Tea & more',
        'g:shipping_weight': '350 g',
        'g:shipping': [{ 'g:country': 'IN', 'g:service': 'Standard', 'g:price': '40.00 USD' }],
      },
    ])
  })

  it('is made once in an hour, as a file that only the shop reads, and sent packed', async () => {
    const first = await get('/product-feed.xml')
    await create({
      name: 'Bowl',
      description: 'Round.',
      photo: fileOf(await plain(9, 9).png().toBuffer()),
    })
    const packed = await get('/product-feed.xml', { 'accept-encoding': 'br, gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.rawPayload).equals(first.rawPayload)).toBe(true)
    const [file = ''] = await feedFiles()
    const { mode } = await stat(join(DATA_DIR, file))
    expect(mode & 0o777).toBe(0o600)
  })

  it('no longer names a product that has left the shop', async () => {
    const photo = () => plain(9, 9).png().toBuffer()
    const add = async (name: string) =>
      create({ name, description: 'Leaves.', photo: fileOf(await photo()) })
    const feedHas = async (name: string) => (await get('/product-feed.xml')).body.includes(name)
    const { token } = admin
    const [archived, deleted] = [await add('An old vase'), await add('A broken vase')]
    expect(await feedHas('vase')).toBe(false)
    // it is made anew, and has both
    await rm(join(DATA_DIR, (await feedFiles())[0] ?? ''))
    expect([await feedHas('old vase'), await feedHas('broken vase')]).toEqual([true, true])
    const body = formOf({ status: 'archived' })
    const edited = await shop.put(`/product/update-product/${archived._id}`, { token, body })
    expect(edited.status).toBe(200)
    expect([await feedHas('old vase'), await feedHas('broken vase')]).toEqual([false, true])
    await shop.delete(`/product/delete-product/${deleted._id}`, { token })
    expect(await feedHas('vase')).toBe(false)
  })
})

describe('a change of the settings', () => {
  const { read, save } = settingsThrough(shop, () => admin)

  it('changes every document that names the shop or a currency, the product feed among them', async () => {
    const {
      settings: { name, currencyDisplay, scheme },
    } = await read()
    const picture = await get('/share.png')
    const changes = { name: 'Bowls & Co', currencyDisplay: 'EUR', scheme: 'dark' } as const
    expect((await save(changes)).status).toBe(200)
    const feed = await get('/product-feed.xml')
    expect(parseXml(feed.body).rss.channel).toMatchObject({ title: 'Bowls & Co' })
    expect(feed.body).toContain('<g:price>12.50 EUR</g:price>')
    expect(await feedFiles()).toHaveLength(1)
    expect(JSON.parse((await get('/manifest.webmanifest')).body)).toMatchObject({
      name: 'Bowls & Co',
      theme_color: '#2a211b',
    })
    expect((await get('/feed.xml')).body).toContain('<title>Bowls &amp; Co: new products</title>')
    expect((await get('/share.png')).rawPayload.equals(picture.rawPayload)).toBe(false)
    const { body } = await shop.get<{ product: Thing }>(`/seo/structured-data/${pot._id}`)
    expect(body.product).toMatchObject({
      offers: { priceCurrency: 'EUR', seller: { name: 'Bowls & Co' } },
    })
    expect((await save({ name, currencyDisplay, scheme })).status).toBe(200)
  })
})

describe('GET /manifest.webmanifest', () => {
  it('has the name of the shop and icons that exist', async () => {
    const { headers, body } = await get('/manifest.webmanifest')
    expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    const manifest = JSON.parse(body)
    expect(manifest).toMatchObject({ name: 'Cups & Co', start_url: '/', display: 'minimal-ui' })
    for (const { src, sizes } of manifest.icons.slice(1)) {
      const { width, height } = await sharp((await get(src)).rawPayload).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
  })
})
