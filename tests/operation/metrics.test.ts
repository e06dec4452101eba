import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modules } from '#app/modules.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openMetrics } from '#server/operation/metrics.ts'
import { serveMetrics } from '#server/operation/serve-metrics.ts'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'
import { addOrder } from '../support/orders.ts'

const gauges = modules.flatMap((module) => module.gauges ?? [])
const invariants = modules.flatMap((module) => module.invariants ?? [])

let opened: OpenDatabase
let app: Awaited<ReturnType<typeof createApp>>
let served: Awaited<ReturnType<typeof serveMetrics>>

beforeAll(async () => {
  opened = await openTestDatabase()
  const meters = await openMetrics(opened.db, { gauges, invariants })
  const config = readConfig({
    PAYMENTS: 'sandbox',
    SANDBOX_SECRET: 'test-secret',
    RATE_LIMIT: 'off',
  })
  app = await createApp({ config, db: opened.db, logger: false, meters })
  app.get('/fails', () => {
    throw new Error('no')
  })
  served = await serveMetrics({ METRICS_HOST: '127.0.0.1', METRICS_PORT: 0 }, meters)
})
afterAll(async () => {
  await served.close()
  await app.close()
  await opened.close()
})

const scrape = async () => (await fetch(served.address)).text()

/** The value of a metric with these labels, in any order. */
async function read(name: string, labels: Record<string, string> = {}) {
  const lines = (await scrape()).split('\n').filter((line) => line.startsWith(`${name}{`))
  const isMeant = (line: string) =>
    Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`))
  const found = lines.find(isMeant)
  return found === undefined ? undefined : Number(found.split(' ').at(-1))
}

describe('/metrics', () => {
  it('counts requests by their declared route and status, whatever was asked for', async () => {
    const requests = (labels: Record<string, string>) => read('haat_http_requests_total', labels)
    for (const name of ['a', 'b', 'c']) await app.inject(`/api/v1/product/get-product/${name}`)
    await app.inject('/api/v1/made-up/zzz')
    await app.inject('/made-up/zzz')
    await app.inject('/fails')
    const route = '/api/v1/product/get-product/:slug'
    expect(await requests({ method: 'GET', route, status: '404' })).toBe(3)
    expect(await requests({ route: '/fails', status: '500' })).toBe(1)
    expect(await requests({ route: '/api/*', status: '404' })).toBe(1)
    expect(await requests({ route: 'none', status: '404' })).toBe(1)
    expect(await scrape()).not.toMatch(/zzz|made-up/)
    const counted = await read('haat_http_request_duration_seconds_count', { route })
    expect(counted).toBe(3)
  })

  it('tells of orders, payments and reservations as the database counts them', async () => {
    expect(await read('haat_orders', { state: 'Processing' })).toBeUndefined()
    const buyer = await addPerson(opened.db)
    await addOrder(opened.db, buyer)
    await addOrder(opened.db, buyer, { status: 'Processing', test: true })
    await addOrder(opened.db, buyer, { status: 'Processing' })
    await addOrder(opened.db, buyer, { status: 'Processing' })
    expect(await read('haat_orders', { state: 'Processing' })).toBe(2)
    expect(await read('haat_orders', { state: 'Not Process' })).toBe(1)
    const product = await addProduct(opened.db, {
      category: await addCategory(opened.db, 'Tableware'),
      price: 10,
    })
    const started = await app.inject({
      method: 'POST',
      url: '/api/v1/product/razorpay/order',
      headers: { authorization: buyer.token },
      payload: { amount: 1000, cart: [{ _id: product.id }] },
    })
    expect(started.statusCode).toBe(200)
    expect(await read('haat_payments', { state: 'started' })).toBe(1)
    expect(await read('haat_payments', { state: 'refund_pending' })).toBe(0)
    expect(await read('haat_reservations', { state: 'active' })).toBe(1)
  })

  it('counts the rows that break an invariant, in the background', async () => {
    const order = await addOrder(opened.db, await addPerson(opened.db))
    await opened.db
      .updateTable('orders')
      .set({ total_minor: 1 })
      .where('id', '=', order.id)
      .execute()
    const before = Date.now()
    const counted = await openMetrics(opened.db, { gauges: [], invariants })
    expect(await counted.text()).not.toMatch(/^haat_invariant/m)
    await expect.poll(() => counted.text()).toMatch(/^haat_invariants_checked/m)
    const text = await counted.text()
    expect(text).toMatch(/^haat_invariant_violations\{invariant="order_total"\} 1$/m)
    expect(text).toMatch(/^haat_invariant_violations\{invariant="order_test"\} 0$/m)
    const [, at] = /^haat_invariants_checked_timestamp_seconds (\S+)$/m.exec(text) ?? []
    expect(Number(at) * 1000).toBeGreaterThanOrEqual(before - 1000)
    expect(Number(at) * 1000).toBeLessThanOrEqual(Date.now() + 1000)
  })

  it('tells of the process', async () => {
    expect(await scrape()).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
    expect(await scrape()).toMatch(/^process_resident_memory_bytes \d/m)
    expect(await scrape()).toMatch(/^haat_database_up 1$/m)
    expect(await scrape()).toMatch(/^haat_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
  })

  it('has an address of its own, and no other', async () => {
    expect((await app.inject('/metrics')).statusCode).toBe(404)
    expect((await fetch(served.address.replace('/metrics', '/'))).status).toBe(404)
  })
})

it('says which setting is wrong when the port is taken', async () => {
  const port = Number(new URL(served.address).port)
  const again = serveMetrics(
    { METRICS_HOST: '127.0.0.1', METRICS_PORT: port },
    await openMetrics(opened.db, { gauges, invariants }),
  )
  await expect(again).rejects.toThrow(/^METRICS_PORT \d+ cannot be listened on: .*EADDRINUSE/)
})
