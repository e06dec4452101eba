/** One visitor asks for all that can be made up; another one waits for a page meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { categoryPath } from '#app/categories/contract.ts'
import { bandKey, LIST_ORDERS, PRICE_BANDS } from '#app/products/contract.ts'
import { median } from '#bench/statistics.ts'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { askOver } from '../support/cached-shop.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'

const CONNECTIONS = 40
const MOST_MS = 300
/** On a busy machine a page takes longer than that by itself. */
const SLOWER = 5
const VISITOR = { 'x-forwarded-for': '198.51.100.1' }

let folder: string
let shop: ShopProcess
let category: { slug: string }
const [many, one] = [new Agent({ keepAlive: true, maxSockets: CONNECTIONS }), new Agent()]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-flood-'))
  const { db, close } = await openDatabase({ dataDir: folder })
  await migrate(db)
  const kitchen = await addCategory(db, 'Kitchen')
  for (let n = 0; n < 30; n++) await addProduct(db, { category: kitchen, name: `Cup ${n}` })
  category = kitchen
  await close()
  const settings = { DATA_DIR: folder, DEMO: 'off', SANDBOX_SECRET: 's' }
  shop = await startShopProcess({ ...settings, RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' })
})
afterAll(async () => {
  many.destroy()
  one.destroy()
  await shop?.stop()
  await rm(folder, { recursive: true, force: true })
})

type MadeUp = { path: string; method?: string; headers?: Record<string, string> }

const CALL = '/api/v1/product/get-product'

/** Addresses that were never asked for; each would be made. */
const MADE_UP: [what: string, madeUp: (word: string) => MadeUp][] = [
  ['GET /', (word) => ({ path: `/?page=${word}` })],
  ['GET of a product', (word) => ({ path: `/product/${word}` })],
  ['GET of no page', (word) => ({ path: `/no/${word}` })],
  ['GET of a call', (word) => ({ path: `${CALL}?q=${word}` })],
  [
    'HEAD of a call with a token',
    (word) => ({ path: `${CALL}?q=${word}`, method: 'HEAD', headers: { authorization: 'x' } }),
  ],
  ['GET of a list', (word) => ({ path: `/api/v1/product/product-list/${word}` })],
]

/** Pages that nobody has seen yet, a round of them for each order of the list. */
const rounds = () =>
  LIST_ORDERS.map((sort) =>
    PRICE_BANDS.flatMap((_, band) =>
      ['', '&stock=in'].map((also) => {
        return `${categoryPath(category)}?price=${bandKey(band)}&sort=${sort}${also}`
      }),
    ),
  )

const from = (network: string) => ({ 'x-forwarded-for': network })

let words = 10_000

/** Asks for one made-up address after the other over each connection, until `isOver`. */
function flood(network: string, kinds: typeof MADE_UP, isOver: (asked: number) => boolean) {
  const ask = askOver(shop.address, many)
  const statuses: Record<number, number> = {}
  let asked = 0
  const loop = async () => {
    while (!isOver(asked)) {
      asked += 1
      const [, madeUp] = kinds[asked % kinds.length] ?? []
      if (!madeUp) return
      words += 1
      const { path, method, headers } = madeUp(`${words}`)
      const sent = { ...(method && { method }), headers: { ...headers, ...from(network) } }
      const { status } = await ask(path, sent)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const done = Promise.all(Array.from({ length: CONNECTIONS }, loop))
  return { done, statuses }
}

/** How long each of these pages takes that visitor, in ms. */
async function waitsFor(pages: string[]): Promise<number[]> {
  const ask = askOver(shop.address, one)
  const waits: number[] = []
  for (const page of pages) {
    const since = performance.now()
    const { status } = await ask(page, { headers: VISITOR })
    waits.push(performance.now() - since)
    expect(status).toBe(200)
  }
  return waits
}

it.each([
  ...['/?page=999', '/?page=4', '/?price=0-19&page=4', '/search?q=cup&page=999'],
  ...['/search?q=nothing&page=2', 'CATEGORY?page=4', 'CATEGORY?sort=price-up&page=999'],
])('%s is beyond the last page: not found, and not kept', async (path) => {
  const ask = askOver(shop.address, one)
  const address = path.replace('CATEGORY', categoryPath(category))
  const { status, headers, bytes } = await ask(address, { headers: VISITOR })
  expect(status).toBe(404)
  expect(bytes.toString()).toContain('Page Not Found')
  // whatever is kept has one
  expect(headers).not.toHaveProperty('etag')
})

it.each(['/?page=3', 'CATEGORY?page=3', '/search?q=nothing', '/search?q=cup&page=3'])(
  '%s is a page of its list',
  async (path) => {
    const address = path.replace('CATEGORY', categoryPath(category))
    const { status } = await askOver(shop.address, one)(address, { headers: VISITOR })
    expect(status).toBe(200)
  },
)

it('a network that sends HEAD with a token is refused beyond its limit', async () => {
  const heads = MADE_UP.filter(([what]) => what === 'HEAD of a call with a token')
  const { done, statuses } = flood('203.0.113.3', heads, (asked) => asked >= 400)
  await done
  expect(statuses[429]).toBeGreaterThan(0)
})

it('whoever waits to be refused keeps nobody waiting who asks for the same', async () => {
  const network = '203.0.113.2'
  const calls = MADE_UP.filter(([what]) => what === 'GET of a call')
  await flood(network, calls, (asked) => asked >= 400).done
  for (const number of [101, 102, 103]) {
    const path = `/api/v1/product/product-list/${number}`
    const over: string[] = []
    const refused = askOver(shop.address, many)(path, { headers: from(network) })
    const served = askOver(shop.address, one)(path, { headers: VISITOR })
    const [{ status: first }, { status: second }] = await Promise.all([
      refused.finally(() => over.push('refused')),
      served.finally(() => over.push('served')),
    ])
    expect([first, second]).toEqual([429, 200])
    expect(over).toEqual(['served', 'refused'])
  }
})

it('a flood of made-up addresses leaves others their pages, and is refused in the end', async () => {
  await waitsFor(['/', categoryPath(category)])
  const [quietRound = [], ...others] = rounds()
  const quiet = median(await waitsFor(quietRound))
  let isOver = false
  const { done, statuses } = flood('203.0.113.1', MADE_UP, () => isOver)
  const waits: number[] = []
  for (const pages of others) waits.push(...(await waitsFor(pages)))
  isOver = true
  await done
  const told = `${Math.round(quiet)} ms without the flood; ${waits.map(Math.round)} ms with it`
  expect(median(waits), told).toBeLessThan(Math.max(MOST_MS, SLOWER * quiet))
  expect(statuses[429]).toBeGreaterThan(0)
})
