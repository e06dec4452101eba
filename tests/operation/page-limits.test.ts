import { describe, expect, it } from 'vitest'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { servePages } from '#tests/support/pages.ts'

/** The calls of a search page. */
const SEARCH = '/api/v1/product/search-results'

const shop = testCachedShop({
  settings: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' },
  complete: servePages,
})

const get = (path: string, visitor: string) =>
  fetch(shop.address + path, { headers: { 'x-forwarded-for': visitor } })

describe('a page that searches', () => {
  it('counts as a search of its visitor, and of nobody else', async () => {
    const busy = '203.0.113.1'
    const other = '203.0.113.2'
    for (let n = 0; n < 299; n++) await get(`${SEARCH}?keyword=x&page=x`, busy)
    expect((await get('/search?q=lamp', busy)).status).toBe(200)
    // cached pages are not counted
    expect((await get('/search?q=lamp', busy)).status).toBe(200)
    const refused = await get('/search?q=cup', busy)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.text()).toContain('Too many requests.')
    expect((await get('/search?q=cup', other)).status).toBe(200)
    expect((await get('/', busy)).status).toBe(200)
  })

  it('is not let to say itself who calls', async () => {
    for (const visitor of ['inside', '203.0.113.1, inside', '203.0.113.1']) {
      const word = encodeURIComponent(visitor)
      const { status } = await get(`${SEARCH}?keyword=${word}`, visitor)
      expect(status, visitor).toBe(visitor === 'inside' ? 200 : 429)
    }
  })
})

describe('a photo that is not in memory', () => {
  it('is limited for its visitor, and for nobody else', async () => {
    const photo = '/api/v1/product/product-photo/000000000000000000000000?w=320&v='
    const busy = '203.0.113.3'
    const other = '203.0.113.4'
    const counts: Record<number, number> = {}
    for (let round = 0; round < 7; round++) {
      const versions = Array.from({ length: 100 }, (_, n) => `${round}-${n}`)
      const answers = await Promise.all(versions.map((version) => get(photo + version, busy)))
      for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
    }
    expect(Object.keys(counts)).toEqual(['404', '429'])
    expect(counts[404]).toBeLessThanOrEqual(600)
    expect((await get(`${photo}x`, other)).status).toBe(404)
  })
})
