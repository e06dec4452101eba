/** Two shops on one PostgreSQL behind nginx, with the files of deploy/one-machine: restarted, killed, away. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { testFolder } from '#tests/support/test-folder.ts'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { freePort } from '../support/free-port.ts'
import { type Nginx, nginxMissing, startNginx } from '../support/nginx.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'
import { commandsOf } from '../support/systemd.ts'

const execute = promisify(execFile)

const VISITORS = 2
const BUYERS = 4
const PAGES = ['/', '/about', '/api/v1/category/get-category', '/api/v1/product/get-product']

const folder = testFolder()
let postgres: Postgres | null
let opened: OpenDatabase
let nginx: Nginx
let product: { id: string }
const ports: number[] = []
const shops: ShopProcess[] = []

/** One shop is a single process, the other one has workers. */
const start = async (n: number) => {
  shops[n] = await startShopProcess({
    PORT: String(ports[n]),
    WORKERS: String(n + 1),
    DATABASE_URL: postgres?.url ?? '',
    DATA_DIR: folder,
    DEMO: 'off',
    PAYMENTS: 'sandbox',
    SANDBOX_SECRET: 's',
    TRUST_PROXY: 'loopback',
    // the default
    DRAIN_SECONDS: '2',
  })
}
/** Restarts a shop as `systemctl restart haat@3000` does. */
const restart = async (n: number) => {
  const run = (key: string) => {
    const command = commandsOf('haat@.service', key, `300${n}`).join('\n')
    const here = command.replaceAll('/run/haat', nginx.folder)
    const script = here.replaceAll(`127.0.0.1:300${n}`, `127.0.0.1:${ports[n]}`)
    return execute('sh', ['-ec', script], { env: { ...process.env, MAINPID: `${shops[n]?.pid}` } })
  }
  await run('ExecStop')
  await shops[n]?.stop()
  await start(n)
  await run('ExecStartPost')
}

beforeAll(async () => {
  if (nginxMissing()) return
  postgres = await startPostgres()
  if (!postgres) return
  ports.push(await freePort(), await freePort())
  nginx = await startNginx(ports.map((port) => `127.0.0.1:${port}`))
  await Promise.all([start(0), start(1)])
  opened = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  const category = await addCategory(opened.db, 'Cups')
  product = await addProduct(opened.db, { category, price: 10, quantity: 100_000 })
})
afterAll(async () => {
  await opened?.close()
  await Promise.all(shops.map((shop) => shop.stop()))
  await nginx?.stop()
  await postgres?.stop()
})
beforeEach(({ skip }) => {
  const missing = nginxMissing() ?? (postgres ? undefined : 'PostgreSQL is not installed here.')
  if (missing) skip(missing)
})

/** Visitors and buyers who go on until `close`, which returns what they saw. */
async function openClients() {
  let isOpen = true
  const failures: string[] = []
  const orders: string[] = []
  let pages = 0
  /** The answer, or null after a failure. */
  const send = async (method: string, path: string, question?: Parameters<Nginx['ask']>[1]) => {
    const { status, text } = await nginx
      .ask(path, { method, ...question })
      .catch((error) => ({ status: error.code, text: '' }))
    if (status === 200) return text
    failures.push(`${method} ${path}: ${status}`)
    return null
  }
  const visit = async (n: number) => {
    for (let turn = n; isOpen; turn += 1) {
      await send('GET', PAGES[turn % PAGES.length] ?? '/')
      pages += 1
    }
  }
  const buy = async (authorization: string) => {
    const cart = [{ _id: product.id }]
    const post = async (path: string, body: object) => {
      const answer = await send('POST', `/api/v1${path}`, { headers: { authorization }, body })
      return answer && JSON.parse(answer)
    }
    const started = await post('/product/razorpay/order', { amount: 1000, cart })
    const proof = started && (await post('/payment/sandbox/pay', { razorpay_order_id: started.id }))
    const bought = proof && (await post('/product/razorpay/verify', { ...proof, cart }))
    if (bought) orders.push(bought.order._id)
  }
  const buyAll = async ({ token }: { token: string }) => {
    while (isOpen) await buy(token)
  }
  const buyers = await Promise.all(Array.from({ length: BUYERS }, () => addPerson(opened.db)))
  const running = [
    ...Array.from({ length: VISITORS }, (_none, n) => visit(n)),
    ...buyers.map(buyAll),
  ]
  return {
    orders,
    close: async () => {
      isOpen = false
      await Promise.all(running)
      return { failures, orders, pages }
    },
  }
}

/** Whether the database has each of these orders. */
async function expectStored(orders: string[]) {
  const stored = await opened.db.selectFrom('orders').select('id').execute()
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(orders))
}

it('one shop is restarted after the other, and neither visitors nor buyers see it', async () => {
  const clients = await openClients()
  await expect.poll(() => clients.orders.length, { timeout: 20_000 }).toBeGreaterThan(10)
  await restart(0)
  await restart(1)
  const { failures, orders, pages } = await clients.close()
  expect(failures).toEqual([])
  expect(pages).toBeGreaterThan(100)
  await expectStored(orders)
})

it('a shop is killed, and visitors do not see it; a purchase fails only where it was in progress', async () => {
  const clients = await openClients()
  const bought = () => clients.orders.length
  await expect.poll(bought, { timeout: 20_000 }).toBeGreaterThan(10)
  // a single process: workers end one after the other
  await shops[0]?.kill()
  const before = bought()
  await expect.poll(bought, { timeout: 20_000 }).toBeGreaterThan(before + 20)
  const { failures, orders } = await clients.close()
  expect(failures.filter((failure) => !failure.startsWith('POST'))).toEqual([])
  expect(failures.length).toBeLessThanOrEqual(BUYERS)
  await expectStored(orders)
})

it('while all shops are away nginx answers 503: a page to people, and a failure to scripts', async () => {
  await Promise.all(shops.map((shop) => shop.stop()))
  const page = await nginx.ask('/cart')
  expect(page).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5', 'cache-control': 'no-store', 'content-type': 'text/html' },
  })
  expect(page.text).toContain('<h1>Back in a moment</h1>')
  const body = { razorpay_order_id: 'order_1' }
  const call = await nginx.ask('/api/v1/payment/sandbox/pay', { method: 'POST', body })
  expect(call).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  expect(JSON.parse(call.text)).toEqual({
    success: false,
    code: 'unavailable',
    message: 'The shop cannot be reached just now. Please try again.',
    requestId: expect.stringMatching(/^[\da-f]{32}$/),
  })
  // the form of a page that works without scripts
  expect((await nginx.ask('/search', { method: 'POST', body })).status).toBe(503)
})
