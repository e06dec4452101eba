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
const FLOODER = { 'x-forwarded-for': '203.0.113.1' }
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

/** Addresses that were never asked for; each would be made. */
const MADE_UP = [
  (word: string) => `/?page=${word}`,
  (word: string) => `/product/${word}`,
  (word: string) => `/no/${word}`,
  (word: string) => `/api/v1/product/get-product?q=${word}`,
  (word: string) => `/api/v1/product/product-list/${word}`,
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

/** Asks for one made-up address after the other over each connection, until `isOver`. */
function flood(isOver: () => boolean) {
  const ask = askOver(shop.address, many)
  const statuses: Record<number, number> = {}
  let asked = 0
  const loop = async () => {
    while (!isOver()) {
      asked += 1
      const madeUp = MADE_UP[asked % MADE_UP.length] ?? String
      const { status } = await ask(madeUp(`${10_000 + asked}`), { headers: FLOODER })
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

it('a flood of made-up addresses leaves others their pages, and is refused in the end', async () => {
  await waitsFor(['/', categoryPath(category)])
  let isOver = false
  const { done, statuses } = flood(() => isOver)
  const medians: number[] = []
  // other tests take turns on this machine: the round that they disturbed least tells
  for (const pages of rounds()) medians.push(median(await waitsFor(pages)))
  isOver = true
  await done
  expect(Math.min(...medians), `${medians.map(Math.round)}`).toBeLessThan(MOST_MS)
  expect(statuses[200]).toBeGreaterThan(0)
  expect(statuses[429]).toBeGreaterThan(0)
})
