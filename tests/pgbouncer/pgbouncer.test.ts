/** A shop of two processes whose database is reached through PgBouncer in transaction mode. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { testFolder } from '#tests/support/test-folder.ts'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { demandPrograms } from '../support/needed-programs.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'
import { untilServedBy } from '../support/workers.ts'
import { startPgbouncer } from './start-pgbouncer.ts'

const WORKERS = 2
const BUYERS = 20

const folder = testFolder()
let postgres: Postgres
let pgbouncer: Awaited<ReturnType<typeof startPgbouncer>>
let opened: OpenDatabase
let shop: ShopProcess

const start = (settings: Record<string, string> = {}) =>
  startShopProcess({
    DATABASE_URL: pgbouncer.url,
    DATA_DIR: folder,
    DEMO: 'off',
    PAYMENTS: 'sandbox',
    SANDBOX_SECRET: 's',
    WORKERS: String(WORKERS),
    ...settings,
  })

beforeAll(async () => {
  demandPrograms('pgbouncer')
  const started = await startPostgres()
  if (!started) throw new Error('PostgreSQL is not installed here.')
  postgres = started
  pgbouncer = await startPgbouncer(postgres.url)
  shop = await start()
  await untilServedBy(shop, WORKERS)
  opened = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
})
afterAll(async () => {
  await opened?.close()
  await pgbouncer?.stop()
  await postgres?.stop()
})

async function post<Body>(path: string, token: string, body: object) {
  const headers = { 'content-type': 'application/json', authorization: token, connection: 'close' }
  const url = `${shop.address}/api/v1${path}`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Body }
}

type Proof = { razorpay_order_id: string }

it('sells what there is to many buyers at once', async () => {
  const category = await addCategory(opened.db, 'Cups')
  const product = await addProduct(opened.db, { category, price: 10, quantity: BUYERS / 2 })
  const cart = [{ _id: product.id }]
  const buyers = await Promise.all(Array.from({ length: BUYERS }, () => addPerson(opened.db)))
  const buy = async (token: string) => {
    const started = await post<{ id: string }>('/product/razorpay/order', token, {
      amount: 1000,
      cart,
    })
    if (started.status !== 200) return started.status
    const order = { razorpay_order_id: started.body.id }
    const { body: proof } = await post<Proof>('/payment/sandbox/pay', token, order)
    return (await post('/product/razorpay/verify', token, { ...proof, cart })).status
  }
  const statuses = await Promise.all(buyers.map(({ token }) => buy(token)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(BUYERS / 2)
  expect(statuses.filter((status) => status === 409)).toHaveLength(BUYERS / 2)
})

it('shows what an admin adds, through every process', async () => {
  const { token } = await addPerson(opened.db, { admin: true })
  const made = await post('/category/create-category', token, { name: 'Lamps' })
  expect(made.status).toBe(201)
  const seen = async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        fetch(`${shop.address}/`, { headers: { connection: 'close' } }).then((page) => page.text()),
      ),
    )
    return answers.every((page) => page.includes('Lamps'))
  }
  await expect.poll(seen, { timeout: 10_000 }).toBe(true)
})

it('counts limits together, and stops without a word', async () => {
  await shop.stop()
  expect(shop.output()).not.toMatch(/"level":(40|50)/)
  shop = await start({ RATE_LIMIT: 'on' })
  await untilServedBy(shop, WORKERS)
  const statuses = []
  for (let n = 0; n < 110; n++) statuses.push((await post('/auth/register', '', {})).status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  expect(await shop.stop()).toBe(0)
  expect(shop.output()).not.toMatch(/"level":(40|50)/)
})
