/** The shop as a process: pages during an outage, metrics, shutdown. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testFolder } from '#tests/support/test-folder.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'

const folder = testFolder()
let postgres: Postgres | null
let way: DatabaseProxy
let shop: ShopProcess
let metricsPort: number

beforeAll(async () => {
  postgres = await startPostgres()
  if (!postgres) return
  way = await openDatabaseProxy(postgres.url)
  metricsPort = await freePort()
  const own = { DATABASE_URL: way.url, DATA_DIR: folder, SANDBOX_SECRET: 's' }
  shop = await startShopProcess({ ...own, METRICS_PORT: String(metricsPort), DRAIN_SECONDS: '1' })
})
afterAll(async () => {
  await shop?.stop()
  await way?.close()
  await postgres?.stop()
})
beforeEach(({ skip }) => {
  if (!postgres) skip('PostgreSQL is not installed here.')
})

const get = (path: string) => fetch(shop.address + path)

it('starts on a server database without an error in its log', async () => {
  expect((await get('/readyz')).status).toBe(200)
  expect(shop.json()).not.toMatch(/"level":[56]0/)
})

describe('a page', () => {
  it('of a shop whose database is gone says so, and names its request', async () => {
    expect((await get('/')).status).toBe(200)
    await way.cut()
    // the home page is still served from the cache
    expect((await get('/')).status).toBe(200)
    const answer = await get('/search?q=cup')
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    const html = await answer.text()
    expect(html).toContain('The shop cannot be reached just now. Please try again.')
    expect(html).toContain(`Reference: ${answer.headers.get('x-request-id')}`)
    expect(shop.output()).toContain(String(answer.headers.get('x-request-id')))
    expect(shop.output().match(/the database is unavailable/g)).toHaveLength(1)
    await way.heal()
    await expect.poll(async () => (await get('/search?q=cup')).status).toBe(200)
  })

  it('that was not found names none', async () => {
    const answer = await get('/nothing/here')
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('Reference:')
  })
})

describe('the metrics', () => {
  it('know a page by its address in the site map', async () => {
    for (const path of ['/about', '/product/none', '/category/none']) await get(path)
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    const counted = await answer.text()
    expect(counted).toContain('{method="GET",route="/about",status="200"} 1')
    expect(counted).toContain('{method="GET",route="/product/:slug",status="404"} 1')
    expect(counted).toContain('{method="GET",route="/category/:slug",status="404"} 1')
    expect(counted).not.toContain('/none')
  })
})

describe('the end', () => {
  it('comes by itself, when what is under way is answered', async () => {
    const ended = shop.stop()
    await expect.poll(async () => (await get('/readyz')).status, { interval: 20 }).toBe(503)
    const last = await get('/')
    expect(last.status).toBe(200)
    expect(last.headers.get('connection')).toBe('close')
    await last.text()
    expect(await ended).toBe(0)
    await expect(get('/')).rejects.toThrow()
  })
})
