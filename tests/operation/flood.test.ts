/** A client that floods the shop with uncached requests, and another one that waits for a page. */
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { categoryPath } from '#app/categories/contract.ts'
import { LIST_ORDERS } from '#app/products/model.ts'
import { median, quantile } from '#bench/statistics.ts'
import { openDatabase } from '#db/connect.ts'
import { testDataFolder } from '#tests/support/test-folder.ts'
import { askOver } from '../support/cached-shop.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'

const CONNECTIONS = 40
const MAX_MS = 300
const SLOWEST_MS = 800
/** The shortest measured period. */
const BURST_SECONDS = 5
/** A page that takes longer shows a busy machine. */
const SLOWER = 5
const VISITOR = { 'x-forwarded-for': '198.51.100.254' }

const folder = await testDataFolder()
let shop: ShopProcess
let category: { slug: string }
/** A category for each flood, with uncached pages. */
let unseen: { slug: string }[]
const many = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
const one = new Agent()

beforeAll(async () => {
  const { db, close } = await openDatabase({ dataDir: folder })
  const kitchen = await addCategory(db, 'Kitchen')
  for (let n = 0; n < 30; n++) await addProduct(db, { category: kitchen, name: `Cup ${n}` })
  category = kitchen
  unseen = []
  for (const { title } of FLOODS) {
    const own = await addCategory(db, title)
    await addProduct(db, { category: own, name: `Bowl of ${title}` })
    unseen.push(own)
  }
  await close()
  const settings = { DATA_DIR: folder, DEMO: 'off', SANDBOX_SECRET: 's' }
  shop = await startShopProcess({ ...settings, RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' })
  // the first pages after a start take longer
  await floodOnce(PRODUCT_PAGES, '203.0.113.5', 20)
})
afterAll(async () => {
  many.destroy()
  one.destroy()
  await shop?.stop()
})

type MadeUp = { path: string; method?: string; headers?: Record<string, string> }

const CALL = '/api/v1/product/get-product'

/** Uncached URLs. */
const MADE_UP: [what: string, madeUp: (word: string) => MadeUp][] = [
  ['GET /', (word) => ({ path: `/?page=${word}` })],
  ['GET of a product', (word) => ({ path: `/product/${word}` })],
  ['GET of its data', (word) => ({ path: `/product/${word}.data` })],
  ['HEAD of a product', (word) => ({ path: `/product/${word}`, method: 'HEAD' })],
  ['GET of no page', (word) => ({ path: `/no/${word}` })],
  ['GET of a call', (word) => ({ path: `${CALL}?q=${word}` })],
  [
    'HEAD of a call with a token',
    (word) => ({ path: `${CALL}?q=${word}`, method: 'HEAD', headers: { authorization: 'x' } }),
  ],
  ['GET of a list', (word) => ({ path: `/api/v1/product/product-list/${word}` })],
]

/** Uncached pages of a category, a round for each order of the list. */
const rounds = (of: { slug: string }) =>
  LIST_ORDERS.map((sort) =>
    ['0-19', '20-39', '40-59', '60-79', '80-99', '100-9999'].flatMap((band) =>
      ['', '&stock=in'].map((also) => {
        return `${categoryPath(of)}?price=${band}&sort=${sort}${also}`
      }),
    ),
  )

const PRODUCT_PAGES = MADE_UP.filter(([, madeUp]) => madeUp('').path.startsWith('/product/'))

const FLOODS = [
  {
    title: 'one address, of all kinds',
    keepAlive: true,
    kinds: MADE_UP,
    // pages, and all calls of a minute
    burst: 30 + 300,
    addressOf: () => '203.0.113.6',
  },
  {
    title: 'one address',
    keepAlive: true,
    kinds: PRODUCT_PAGES,
    burst: 30,
    addressOf: () => '203.0.113.1',
  },
  {
    title: 'new connections',
    keepAlive: false,
    kinds: PRODUCT_PAGES,
    burst: 30,
    addressOf: () => '203.0.113.4',
  },
  {
    title: 'one /48',
    keepAlive: true,
    kinds: PRODUCT_PAGES,
    burst: 60,
    addressOf: (word: number) => `2001:db8:77:${(word % 65_536).toString(16)}::1`,
  },
]

const from = (network: string) => ({ 'x-forwarded-for': network })

let words = 10_000

type Flood = {
  agent: Agent
  kinds: typeof MADE_UP
  addressOf: (word: number) => string
  isOver: (asked: number) => boolean
}

/** Requests one uncached URL after the other over each connection, until `isOver`. */
function flood({ agent, kinds, addressOf, isOver }: Flood) {
  const ask = askOver(shop.address, agent)
  const statuses: Record<number, number> = {}
  let asked = 0
  const loop = async () => {
    while (!isOver(asked)) {
      asked += 1
      const [, madeUp] = kinds[asked % kinds.length] ?? []
      if (!madeUp) return
      words += 1
      const { path, method, headers } = madeUp(`${words}`)
      const sent = { ...(method && { method }), headers: { ...headers, ...from(addressOf(words)) } }
      const { status } = await ask(path, sent)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const done = Promise.all(Array.from({ length: CONNECTIONS }, loop))
  return { done, statuses }
}

/** So many requests over kept connections from one address. */
const floodOnce = async (kinds: typeof MADE_UP, network: string, requests: number) => {
  const isOver = (asked: number) => asked >= requests
  const { done, statuses } = flood({ agent: many, kinds, addressOf: () => network, isOver })
  await done
  return statuses
}

const ofKind = (what: string) => MADE_UP.filter(([kind]) => kind === what)

let visitors = 0

/**
 * Durations in ms of these pages for visitors: each requests one over a new connection, and then
 * the cached home page.
 */
async function waitsFor(pages: string[]): Promise<number[]> {
  const ask = askOver(shop.address, one)
  const waits: number[] = []
  for (const page of pages) {
    visitors += 1
    for (const path of [page, '/']) {
      const since = performance.now()
      const { status } = await ask(path, { headers: from(`198.51.100.${visitors % 250}`) })
      waits.push(performance.now() - since)
      expect(status).toBe(200)
    }
  }
  return waits
}

it.each([
  '/?page=999',
  '/?page=4',
  '/?price=0-19&page=4',
  '/search?q=cup&page=999',
  '/search?q=nothing&page=2',
  'CATEGORY?page=4',
  'CATEGORY?sort=price-up&page=999',
])('%s is beyond the last page: not found, and not kept', async (path) => {
  const ask = askOver(shop.address, one)
  const address = path.replace('CATEGORY', categoryPath(category))
  const { status, headers, bytes } = await ask(address, { headers: VISITOR })
  expect(status).toBe(404)
  expect(bytes.toString()).toContain('Page Not Found')
  // cached answers have an ETag
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

it('requests whose bodies do not arrive keep no place', async () => {
  const { port } = new URL(shop.address)
  const slow = Array.from({ length: 12 }, (_, n) => {
    const socket = connect(Number(port), '127.0.0.1')
    const lines = [
      'POST /api/v1/product/product-filters HTTP/1.1',
      'Host: 127.0.0.1',
      `X-Forwarded-For: 203.0.113.${20 + (n % 6)}`,
      'Content-Type: application/json',
      'Content-Length: 100',
      'Expect: 100-continue',
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    return socket
  })
  await Promise.all(slow.map((socket) => once(socket, 'data')))
  const { status } = await askOver(shop.address, one)('/?page=2', { headers: VISITOR })
  expect(status).toBe(200)
  for (const socket of slow) socket.destroy()
})

it('a network that sends HEAD with a token is refused beyond its limit', async () => {
  const statuses = await floodOnce(ofKind('HEAD of a call with a token'), '203.0.113.3', 400)
  expect(statuses[429]).toBeGreaterThan(0)
})

it('a refused request does not delay others for the same page', async () => {
  const network = '203.0.113.2'
  await floodOnce(ofKind('GET of a call'), network, 400)
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

it.each(FLOODS.map((kind, at) => ({ ...kind, at })))(
  'a flood from $title leaves others their pages, and is refused in the end',
  async ({ keepAlive, kinds, burst, addressOf, at }) => {
    const [quietRound = [], ...others] = rounds(unseen[at] ?? category)
    const quiet = await waitsFor(quietRound)
    const agent = new Agent({ keepAlive, maxSockets: CONNECTIONS })
    let isSeen = false
    const isOver = (asked: number) => isSeen && asked >= 200
    const since = performance.now()
    const { done, statuses } = flood({ agent, kinds, addressOf, isOver })
    const waits: number[] = []
    for (const pages of others) waits.push(...(await waitsFor(pages)))
    isSeen = true
    await done
    const seconds = (performance.now() - since) / 1000
    agent.destroy()
    const told = `${quiet.map(Math.round)} ms without the flood; ${waits.map(Math.round)} ms with it; ${JSON.stringify(statuses)}`
    const { 429: refused = 0, ...answers } = statuses
    const made = Object.values(answers).reduce((sum, count) => sum + count, 0)
    expect(refused, told).toBeGreaterThan(0)
    expect(made, told).toBeLessThanOrEqual(burst * (1 + Math.floor(seconds / BURST_SECONDS)))
    expect(median(waits), told).toBeLessThan(Math.max(MAX_MS, SLOWER * median(quiet)))
    // one of twenty may wait for other work on a busy machine
    const slowest = quantile(waits, 0.95)
    const slowestQuiet = quantile(quiet, 0.95)
    expect(slowest, told).toBeLessThan(Math.max(SLOWEST_MS, SLOWER * slowestQuiet))
  },
)
