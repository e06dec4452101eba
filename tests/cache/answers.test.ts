/** Cache hits, and requests that bypass the cache. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { cachedShopOn } from '../support/cached-shop.ts'
import { addCategory, addPhoto, addProduct } from '../support/catalogue.ts'

const ORIGIN = 'https://window.example'
const LIST = `${API_PREFIX}/product/product-list/1`

let product: { id: string; slug: string }
let categories: { id: string }[]
const shop = testCachedShop({
  settings: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1', CORS_ORIGINS: ORIGIN },
  async fill(db) {
    const category = await addCategory(db, 'Kitchen')
    categories = [category, await addCategory(db, 'Garden')]
    for (let n = 0; n < 12; n++) await addProduct(db, { category, name: `Cup ${n}` })
    product = await addProduct(db, { category })
    await addPhoto(db, product)
  },
})

function unpacked(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes)
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes
}

/** A failure contains its request id. */
const headers = { 'x-request-id': 'mine' }
const uncached = async (url: string) => (await shop.app.inject({ url, headers })).rawPayload

describe('an answer', () => {
  it('is made once, however many want it at once', async () => {
    const path = `${API_PREFIX}/product/get-product/${product.slug}`
    const all = () => Promise.all(Array.from({ length: 100 }, () => shop.ask(path)))
    const whileNobodyCanRead = async () => {
      const { answers } = await shop.db.transaction().execute(async (tx) => {
        await sql`lock table products in access exclusive mode`.execute(tx)
        let came = 0
        const arrived = Promise.withResolvers<void>()
        shop.app.server.on('request', () => ++came === 100 && arrived.resolve())
        const answers = all()
        await arrived.promise
        return { answers }
      })
      return answers
    }
    expect(await shop.madeBy(whileNobodyCanRead)).toBe(1)
    expect(await shop.madeBy(all)).toBe(0)
    for (const { status, bytes } of await all()) {
      expect(status).toBe(200)
      expect(bytes.equals(await uncached(path))).toBe(true)
    }
  })

  it.each([
    [undefined, undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['deflate, nonsense;q=x', undefined],
  ])('travels as the client likes it: %s', async (accepted, encoding) => {
    const headers: Record<string, string> = accepted ? { 'accept-encoding': accepted } : {}
    const { headers: told, bytes } = await shop.ask(LIST, { headers })
    expect(told['content-encoding']).toBe(encoding)
    expect(Number(told['content-length'])).toBe(bytes.length)
    expect(told.vary).toMatch(/accept-encoding/i)
    expect(unpacked(bytes, encoding).equals(await uncached(LIST))).toBe(true)
  })

  it('is not sent again to who has it', async () => {
    const { headers } = await shop.ask(LIST)
    const etag = String(headers.etag)
    expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=1, must-revalidate')
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const again = await shop.ask(LIST, { headers: { 'if-none-match': known } })
      expect([again.status, again.bytes.length], known).toEqual([304, 0])
      expect(again.headers.etag).toBe(etag)
    }
    const other = await shop.ask(LIST, { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
  })

  it('is told of by its head alone', async () => {
    const whole = await shop.ask(LIST)
    const head = await shop.ask(LIST, { method: 'HEAD' })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers['content-length']).toBe(whole.headers['content-length'])
  })

  it('has the headers that it has without a cache, and those of its request', async () => {
    const before = await shop.app.inject({ url: LIST, headers: { origin: ORIGIN } })
    const headers = { origin: ORIGIN, 'x-forwarded-proto': 'https', 'x-request-id': 'mine' }
    for (const path of [LIST, `${LIST}?new=1`]) {
      const { headers: told } = await shop.ask(path, { headers })
      expect(told).toMatchObject({
        'content-security-policy': before.headers['content-security-policy'],
        'content-type': before.headers['content-type'],
        'access-control-allow-origin': ORIGIN,
        'access-control-expose-headers': before.headers['access-control-expose-headers'],
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-request-id': 'mine',
        vary: expect.stringMatching(/Origin/),
      })
    }
    const plain = await shop.ask(LIST, { headers: { origin: 'https://evil.example' } })
    expect(plain.headers).not.toHaveProperty('access-control-allow-origin')
    expect(plain.headers).not.toHaveProperty('strict-transport-security')
    expect(plain.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('of the first page has links that lead on', async () => {
    const search = `${API_PREFIX}/product/search/cup`
    const first = await shop.ask(search)
    const again = await shop.ask(`${search}?page=1&x=y`)
    expect(first.headers.link).toContain(`${search}?page=2>; rel="next"`)
    expect(again.headers.link).toBe(first.headers.link)
    expect(first.headers['x-total-count']).toBe('13')
  })
})

describe('an answer that all origins may read', () => {
  it('says so once, also to one that is named besides', async () => {
    const open = await cachedShopOn(shop.db, { CORS_ORIGINS: `*,${ORIGIN}` })
    for (const origin of [ORIGIN, 'https://other.example']) {
      const { headers } = await open.ask(LIST, { headers: { origin } })
      expect(headers['access-control-allow-origin']).toBe('*')
    }
    await open.close()
  })
})

describe('an address', () => {
  it('has one spelling: what changes nothing neither misses nor fills', async () => {
    const path = `${API_PREFIX}/product/get-product`
    await shop.ask(path)
    const stored = shop.stored().length
    const same = ['?page=1', '?utm_source=x', '?x=1&page=1&y', `?${'x'.repeat(500)}`, '?']
    expect(await shop.madeBy(() => Promise.all(same.map((query) => shop.ask(path + query))))).toBe(
      0,
    )
    expect(shop.stored()).toHaveLength(stored)
    const search = `${API_PREFIX}/product/search-results`
    expect(await shop.madeBy(() => shop.ask(`${search}?keyword=cup&page=2`))).toBe(1)
    expect(await shop.madeBy(() => shop.ask(`${search}?page=2&a=b&keyword=%63up`))).toBe(0)
  })

  it('of a search has one spelling for each choice', async () => {
    const path = `${API_PREFIX}/product/search/cup`
    const ids = categories.map(({ id }) => id)
    const [one = '', other = ''] = ids
    const spellings = [
      `${one},${other}`,
      `${other},${one}`,
      `${one},${other},${one}`,
      `${one.toUpperCase()},${other}`,
      encodeURIComponent(`${other},${one}`),
    ]
    const asked = [path, `${API_PREFIX}/product/search-results?keyword=cup`]
    for (const url of asked) {
      const also = url.includes('?') ? '&' : '?'
      const same = spellings.map((category) => `${url}${also}category=${category}&page=1`)
      const plain = await Promise.all(same.map((spelt) => uncached(spelt)))
      const answers: Buffer[] = []
      const ask = async () => {
        for (const spelt of same) answers.push((await shop.ask(spelt)).bytes)
      }
      expect(await shop.madeBy(ask)).toBe(1)
      for (const bytes of [...plain, ...answers]) expect(bytes.equals(plain[0] ?? bytes)).toBe(true)
      expect(await shop.madeBy(() => shop.ask(`${url}${also}category=${one}`))).toBe(1)
    }
  })

  it.each([
    ['a page that is none', '?page=x', 400],
    ['a page in another spelling', '?page=01', 400],
    ['a page twice', '?page=1&page=2', 400],
    ['half a character', '?q=%ED%A0%80', 400],
    ['what cannot be decoded', '?q=%', 200],
    ['a NUL', '?q=%00', 400],
  ])('with %s is answered as without a cache', async (_what, query, status) => {
    const path = `${API_PREFIX}/product/get-product${query}`
    const stored = shop.stored()
    const { status: found, bytes } = await shop.ask(path, { headers })
    expect(found).toBe(status)
    expect(bytes.equals(await uncached(path))).toBe(true)
    expect(shop.stored()).toEqual(stored)
  })

  it('beyond the last page of a list is answered, and kept by nobody', async () => {
    const stored = shop.stored()
    const [category] = categories
    const slug = await shop.db
      .selectFrom('categories')
      .where('id', '=', category?.id ?? '')
      .select('slug')
      .executeTakeFirstOrThrow()
    const empty: [path: string, list: (body: unknown) => unknown][] = [
      ['/product/product-list/999', (body) => Object(body).products],
      ['/product/get-product?page=999', (body) => Object(body).products],
      [`/product/product-category/${slug.slug}?page=999`, (body) => Object(body).products],
      ['/product/search-results?keyword=cup&page=999', (body) => Object(body).products],
      ['/product/search/cup?page=999', (body) => body],
    ]
    for (const [path, list] of empty) {
      const { status, headers, bytes } = await shop.ask(API_PREFIX + path)
      expect([status, headers['cache-control']], path).toEqual([200, 'no-store'])
      expect(list(JSON.parse(bytes.toString())), path).toEqual([])
    }
    expect(shop.stored()).toEqual(stored)
  })

  it('that names nothing is answered with the id of its request', async () => {
    const asAnyone = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    const { headers: told, bytes } = await shop.ask(
      `${API_PREFIX}/product/get-product/none`,
      asAnyone,
    )
    expect(JSON.parse(bytes.toString()).requestId).toBe(told['x-request-id'])
  })

  it('that names nothing is kept by nobody', async () => {
    const stored = shop.stored()
    for (const path of ['/product/get-product/none', '/product/product-list/0', '/nothing']) {
      const { status } = await shop.ask(API_PREFIX + path)
      expect(status, path).toBeGreaterThanOrEqual(400)
    }
    expect(shop.stored()).toEqual(stored)
  })
})

describe('a photo', () => {
  const photo = () => `${API_PREFIX}/product/product-photo/${product.id}`

  it('is kept by its width and format, with its version or without', async () => {
    const widths = ['', '?w=640', '?w=600', '?w=321.5']
    expect(await shop.madeBy(() => Promise.all(widths.map((w) => shop.ask(photo() + w))))).toBe(1)
    const avif = { accept: 'image/avif,image/webp,*/*' }
    const modern = await shop.ask(photo(), { headers: avif })
    expect(modern.headers['content-type']).toBe('image/avif')
    expect(modern.headers.vary).toMatch(/Accept/)
    const forever = await shop.ask(`${photo()}?v=v1`)
    expect(forever.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(forever.headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(await shop.madeBy(() => shop.ask(`${photo()}?v=v1&w=640`))).toBe(0)
  })

  it('is not kept under a version that is not its own', async () => {
    const stored = shop.stored()
    const { status, headers } = await shop.ask(`${photo()}?v=old`)
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60'])
    expect(shop.stored()).toEqual(stored)
  })
})

describe('a limit', () => {
  it('counts what is made, for who asked first, and nothing that is kept', async () => {
    const ask = (word: string, visitor: string) =>
      shop.ask(`${API_PREFIX}/product/search/${word}`, { headers: { 'x-forwarded-for': visitor } })
    const busy = '203.0.113.1'
    const other = '203.0.113.2'
    for (let n = 0; n < 300; n++) await ask('cup', busy)
    for (let n = 0; n < 300; n++) await ask(`cup%20${n}`, busy)
    const refused = await ask('cup%20300', busy)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask('cup', busy)).status).toBe(200)
    expect((await ask('cup%20300', other)).status).toBe(200)
    expect((await ask('cup%20300', busy)).status).toBe(200)
  })
})
