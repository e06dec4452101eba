/** Refused calls and documents, through connections. */
import { describe, expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'

const shop = testCachedShop({
  settings: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1', SHOP_URL: 'https://shop.example.com' },
})

const from = (network: string) => ({ 'x-forwarded-for': network })

describe('refused calls of one account', () => {
  it('delay no other account of the same address', async () => {
    const [busy, other] = [await addPerson(shop.db), await addPerson(shop.db)]
    const address = from('203.0.113.1')
    const change = (n: number) =>
      fetch(`${shop.address}${API_PREFIX}/auth/profile`, {
        method: 'PUT',
        headers: { ...address, authorization: busy.token, 'content-type': 'application/json' },
        body: JSON.stringify({ password: `another-horse-${n}` }),
      })
    for (let n = 0; n < 5; n++) expect((await change(n)).status).toBe(200)
    const order: string[] = []
    let arrived = 0
    shop.app.server.on('request', () => {
      arrived += 1
    })
    const refused = Array.from({ length: 30 }, async (_, n) => {
      const { status } = await change(n)
      order.push('refused')
      return status
    })
    await expect.poll(() => arrived).toBe(30)
    const { status } = await shop.ask(`${API_PREFIX}/auth/orders`, {
      headers: { ...address, authorization: other.token },
    })
    order.push('served')
    expect(status).toBe(200)
    expect(new Set(await Promise.all(refused))).toEqual(new Set([429]))
    expect(order.indexOf('served')).toBeLessThan(15)
  })
})

describe('documents for search engines', () => {
  /** The statuses of requests of one address. */
  async function statuses(network: string, count: number, sent: (n: number) => [string, object?]) {
    const all: number[] = []
    for (let n = 0; n < count; n++) {
      const [path, headers] = sent(n)
      all.push((await shop.ask(path, { headers: { ...from(network), ...headers } })).status)
    }
    return all
  }

  it.each<[what: string, network: string, made: number, sent: (n: number) => [string, object?]]>([
    [
      'that the page cache has not',
      '203.0.113.2',
      404,
      () => [`/sitemap-products.xml?after=${crypto.randomUUID()}`],
    ],
    [
      'that bypass the page cache',
      '203.0.113.3',
      200,
      (n) => [['/robots.txt', '/feed.xml', '/favicon.ico'][n % 3] ?? '', { authorization: 'x' }],
    ],
  ])('%s are limited like pages', async (_what, network, made, sent) => {
    const counted = await statuses(network, 31, sent)
    expect(new Set(counted.slice(0, 30))).toEqual(new Set([made]))
    expect(counted.at(-1)).toBe(429)
    // one and the same limit, whichever document it is
    const others = await statuses(network, 2, (n) => [
      n === 0 ? '/sitemap-pages.xml' : '/manifest.webmanifest',
      { authorization: 'x' },
    ])
    expect(others).toEqual([429, 429])
  })
})
