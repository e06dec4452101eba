/** The metadata of the built pages for search engines and social networks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import { DEMO_SETTINGS } from '#app/settings/server/defaults.ts'
import { NO_SETTINGS, type ShopSettings } from '#app/shared/model/shop-settings.ts'
import type { OpenDatabase } from '#db/connect.ts'
import type { Row } from '#db/schema.ts'
import { builtSite, serveSite } from '#server/site.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { formOf } from '#tests/support/form.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { shopOn, type TestShop } from '#tests/support/shop.ts'
import { errorsIn, thingsIn } from '#tests/support/structured-data.ts'

const SHOP_URL = 'https://shop.example.com'

let opened: OpenDatabase
let shop: TestShop
let bare: TestShop
let admin: Person
let category: Row<'categories'>
let cup: Row<'products'>

const settings: ShopSettings = { ...NO_SETTINGS, payments: 'none' }

/** The shop with its built pages. */
const openSite = (url: string | null) =>
  shopOn(
    opened.db,
    { SHOP_NAME: 'Cups & Co', CURRENCY_DISPLAY: 'USD', ...(url !== null && { SHOP_URL: url }) },
    (app) =>
      serveSite(app, {
        load: builtSite,
        settings: () => ({ ...settings, url }),
        policy: (hashes) => hashes.join(' '),
      }),
  )

beforeAll(async () => {
  opened = await openTestDatabase()
  shop = await openSite(SHOP_URL)
  bare = await openSite(null)
  admin = await addPerson(opened.db, { admin: true })
  await settingsThrough(shop, () => admin).save(DEMO_SETTINGS)
  category = await addCategory(opened.db, 'Cups')
  for (let n = 0; n < 13; n++) await addProduct(opened.db, { category, name: `Cup ${n}` })
  const description = `Holds tea.\n\n${'Made of clay. '.repeat(20)}`
  cup = await addProduct(opened.db, { category, name: 'Best </script> cup', description })
  await addPhoto(opened.db, cup)
})
afterAll(async () => {
  await shop.app.close()
  await bare.app.close()
  await opened.close()
})

const pageOf = (url: string, from = shop) => from.app.inject({ url })

/** The head of a page as its readers see it. */
async function headOf(url: string, from = shop) {
  const { body, statusCode } = await pageOf(url, from)
  const text = (match: RegExpMatchArray | null) =>
    match?.[1]?.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  const meta = (name: string) =>
    text(body.match(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`)))
  return {
    status: statusCode,
    title: text(body.match(/<title>([^<]*)<\/title>/)),
    canonical: text(body.match(/<link rel="canonical" href="([^"]*)"/)),
    robots: meta('robots'),
    description: meta('description'),
    meta,
    things: thingsIn(body),
    body,
  }
}

describe('the home page', () => {
  it('describes the shop with its search', async () => {
    const { title, canonical, robots, description, things } = await headOf('/')
    expect(title).toBe('Cups & Co: the open-air market')
    expect(canonical).toBe(`${SHOP_URL}/`)
    expect(robots).toBeUndefined()
    expect(description?.length).toBeGreaterThan(20)
    expect(things).toEqual([
      {
        '@context': 'https://schema.org',
        '@type': 'WebSite',
        name: 'Cups & Co',
        description: 'the open-air market',
        url: `${SHOP_URL}/`,
        potentialAction: {
          '@type': 'SearchAction',
          target: {
            '@type': 'EntryPoint',
            urlTemplate: `${SHOP_URL}/search?q={search_term_string}`,
          },
          'query-input': 'required name=search_term_string',
        },
      },
      {
        '@context': 'https://schema.org',
        '@type': 'Organization',
        name: 'Cups & Co',
        url: `${SHOP_URL}/`,
        logo: `${SHOP_URL}/icon-512.png`,
        email: 'help@example.com',
        telephone: '555-0100',
      },
    ])
    expect(await errorsIn(things)).toEqual([])
  })

  it('has a picture for shared links, the feed, the manifest and the icons', async () => {
    const { meta, body } = await headOf('/')
    expect(meta('og:image')).toBe(`${SHOP_URL}/share.png`)
    expect([meta('og:image:width'), meta('og:image:height')]).toEqual(['1200', '630'])
    expect([meta('og:url'), meta('og:type')]).toEqual([`${SHOP_URL}/`, 'website'])
    expect(meta('twitter:card')).toBe('summary_large_image')
    expect(body).toContain('href="/manifest.webmanifest"')
    expect(body).toContain('href="/apple-touch-icon.png"')
    expect(body).toMatch(
      /<link rel="alternate" type="application\/rss\+xml" title="Cups &amp; Co: new products" href="https:\/\/shop.example.com\/feed.xml"/,
    )
  })

  it('has a page two of its own', async () => {
    expect(await headOf('/?page=2')).toMatchObject({
      title: 'All Products, page 2 · Cups & Co',
      canonical: `${SHOP_URL}/?page=2`,
      robots: undefined,
    })
  })
})

describe('lists of filters and orders', () => {
  it.each([
    ['/?price=0-19', '/'],
    ['/category/:slug?price=0-19', '/category/:slug'],
    ['/category/:slug?sort=price-up', '/category/:slug'],
    ['/category/:slug?stock=in&page=2', '/category/:slug'],
    ['/search?q=cup&price=0-19', '/search?q=cup'],
    ['/search?q=cup&sort=newest', '/search?q=cup'],
  ])('%s is not indexed, and points to %s', async (url, canonical) => {
    const at = (path: string) => path.replace(':slug', category.slug)
    expect(await headOf(at(url))).toMatchObject({
      status: 200,
      robots: 'noindex, follow',
      canonical: SHOP_URL + at(canonical),
    })
  })

  it.each(['/cart', '/search?q=cup', '/categories', '/about', '/contact', '/policy'])(
    '%s is indexed at its own address, with a description',
    async (url) => {
      const { canonical, robots, description } = await headOf(url)
      expect([canonical, robots]).toEqual([SHOP_URL + url, undefined])
      expect(description?.length).toBeGreaterThan(20)
    },
  )

  it.each(['/login', '/register', '/dashboard/user', '/nope', '/search?q=nothing'])(
    '%s is not indexed',
    async (url) => {
      expect((await headOf(url)).robots).toBe('noindex, follow')
    },
  )
})

describe('a category', () => {
  it('has the way to it, and a page two of its own', async () => {
    const path = `/category/${category.slug}`
    const { things, canonical } = await headOf(path)
    expect(canonical).toBe(SHOP_URL + path)
    expect(things).toEqual([
      {
        '@context': 'https://schema.org',
        '@type': 'BreadcrumbList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: 'Home', item: `${SHOP_URL}/` },
          {
            '@type': 'ListItem',
            position: 2,
            name: 'All Categories',
            item: `${SHOP_URL}/categories`,
          },
          { '@type': 'ListItem', position: 3, name: 'Cups', item: SHOP_URL + path },
        ],
      },
    ])
    expect(await errorsIn(things)).toEqual([])
    expect(await headOf(`${path}?page=2`)).toMatchObject({
      title: 'Cups, page 2 · Cups & Co',
      canonical: `${SHOP_URL}${path}?page=2`,
    })
  })
})

describe('a product', () => {
  it('is described, whatever its name contains, with no script that runs', async () => {
    const { things, canonical, title, body } = await headOf(`/product/${cup.slug}`)
    expect(title).toBe('Best </script> cup · Cups & Co')
    expect(canonical).toBe(`${SHOP_URL}/product/${cup.slug}`)
    expect(things.map((thing) => [thing['@type'], thing.name])).toEqual([
      ['Product', 'Best </script> cup'],
      ['BreadcrumbList', undefined],
    ])
    expect(await errorsIn(things)).toEqual([])
    expect(body).not.toContain('Best </script>')
  })

  it('has a description of one line and its photo for shared links', async () => {
    const { description, meta } = await headOf(`/product/${cup.slug}`)
    expect(description).toMatch(/^Holds tea\. Made of clay\. .*\.\.\.$/)
    expect(description?.length).toBeLessThanOrEqual(163)
    expect(meta('og:type')).toBe('product')
    expect(meta('og:image')).toBe(`${SHOP_URL}/api/v1/seo/product-picture/${cup.id}?v=v1`)
  })

  it('has no hash of its data in the policy, because data does not run', async () => {
    const plain = await pageOf('/about')
    const product = await pageOf(`/product/${cup.slug}`)
    const hashes = (reply: typeof plain) =>
      String(reply.headers['content-security-policy']).split(' ').length
    expect(hashes(product)).toBe(hashes(plain))
  })

  it('redirects from a former address, and is gone when it was deleted', async () => {
    const { token } = admin
    const fields = { name: 'Old bowl', description: 'Round.', price: 1, quantity: 1 }
    const create = async () => {
      const body = formOf({ ...fields, category: category.id })
      const reply = await shop.post<{ products: ListedProduct }>('/product/create-product', {
        token,
        body,
      })
      return reply.body.products
    }
    const { _id } = await create()
    await shop.put(`/product/update-product/${_id}`, { token, body: formOf({ name: 'New bowl' }) })
    const moved = await pageOf('/product/old-bowl')
    expect([moved.statusCode, moved.headers.location]).toEqual([301, '/product/new-bowl'])
    await shop.delete(`/product/delete-product/${_id}`, { token })
    for (const path of ['/product/old-bowl', '/product/new-bowl']) {
      const { status, robots, body } = await headOf(path)
      expect([status, robots]).toEqual([410, 'noindex, follow'])
      expect(body).toContain('This product is no longer sold.')
    }
    expect((await pageOf('/product/never-was')).statusCode).toBe(404)
    await create()
    expect((await pageOf('/product/old-bowl')).statusCode).toBe(200)
  })
})

describe('a shop without a public address', () => {
  it('has no absolute addresses in its pages', async () => {
    const { canonical, meta, body } = await headOf(`/product/${cup.slug}`, bare)
    expect([canonical, meta('og:image'), meta('og:url')]).toEqual([undefined, undefined, undefined])
    expect(meta('og:title')).toBe('Best </script> cup · Cups & Co')
    expect(thingsIn(body).map((thing) => thing['@type'])).toEqual(['Product'])
  })
})
