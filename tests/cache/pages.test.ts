/** Cached pages of the built site. */
import { beforeAll, expect, it } from 'vitest'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { servePages } from '#tests/support/pages.ts'

const shop = testCachedShop({ complete: servePages })

/** An answer rendered for one request is compressed as a stream, so its length is unknown. */
async function isStored(path: string): Promise<boolean> {
  const { headers } = await shop.ask(path, { headers: { 'accept-encoding': 'gzip' } })
  return headers.etag !== undefined && headers['content-length'] !== undefined
}

// nothing is cached before the first poll of the change feed
beforeAll(async () => {
  while (!(await isStored('/about')));
})

it.each([
  '/',
  '/?price=20-39',
  '/search?q=lamp',
  '/search?q=lamp&sort=newest',
  '/categories',
  '/cart',
  '/login',
  '/about',
  '/dashboard/user',
  '/dashboard/admin/orders',
])('%s is kept, whatever else its address says', async (path) => {
  const first = await shop.ask(path)
  const again = await shop.ask(`${path}${path.includes('?') ? '&' : '?'}utm_source=x`)
  expect(first.status).toBe(200)
  expect(await isStored(path)).toBe(true)
  expect(again.bytes.equals(first.bytes)).toBe(true)
  expect(again.headers.etag).toBe(first.headers.etag)
  expect(again.headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-/)
  // a token in the URL or the headers changes nothing
  const headers = { authorization: 'x'.repeat(40), cookie: 'session=1' }
  expect((await shop.ask(path, { headers })).bytes.equals(first.bytes)).toBe(true)
})

const ONE = '0190a0c0-0000-7000-8000-00000000000a'
const OTHER = '0190a0c0-0000-7000-8000-00000000000b'

it.each([
  ...['/?page=01', '/?page=1e0&price=none', '/?category=x&page=-1'].map((path) => [path, '/']),
  ...['/', '/search?q=cup&'].flatMap((path) => {
    const start = path.includes('?') ? path : `${path}?`
    const plain = `${start}category=${ONE}&category=${OTHER}`
    return [
      [`${start}category=${OTHER}&category=${ONE}`, plain],
      [`${start}category=${OTHER}&category=${ONE?.toUpperCase()}&category=${OTHER}`, plain],
      [`${start}page=01&category=${ONE}&category=x&category=${OTHER}`, plain],
    ]
  }),
  ['/search?page=01&q=cup&sort=worst&q=mug', '/search?q=cup'],
])('%s is kept as %s', async (spelt, plain) => {
  const { bytes, headers } = await shop.ask(spelt)
  const other = await shop.ask(plain)
  expect(other.bytes.equals(bytes)).toBe(true)
  expect([other.status, other.headers.etag]).toEqual([200, headers.etag])
})

it.each(['/nothing', '/product/none', '/CATEGORIES', '/categories/', '/_root.data', '/?page=2'])(
  '%s is not kept',
  async (path) => {
    await shop.ask(path)
    expect(await isStored(path)).toBe(false)
  },
)

it('a page that is not kept tells who has it already, too', async () => {
  const { headers } = await shop.ask('/CATEGORIES')
  expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=1, must-revalidate')
  const known = { 'if-none-match': String(headers.etag) }
  const again = await shop.ask('/CATEGORIES', { headers: known })
  expect([again.status, again.bytes.length]).toEqual([304, 0])
})

it.each([
  ['/categories/?page=2', '/categories?page=2'],
  ['//evil.example/x', '/evil.example/x'],
  ['/category//cups/', '/category/cups'],
])('%s leads to its one address', async (path, address) => {
  const { status, headers } = await shop.ask(path)
  expect([status, headers.location]).toEqual([308, address])
})
