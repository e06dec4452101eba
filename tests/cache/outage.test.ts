/** The cache during outages of the database. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeProduct } from '#app/products/server/editing.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Row } from '#db/schema.ts'
import { type CachedShop, cachedShopOn } from '../support/cached-shop.ts'
import { addCategory, addProduct, changeListed } from '../support/catalogue.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'

/** The statement timeout. */
const LIMIT_MS = 300
/** A poll of the change feed, and the reconnection before it. */
const SOON = { interval: 20 }

let postgres: Postgres | null
let way: DatabaseProxy
/** The shop's connection, through a proxy that can be cut, and a direct one. */
let opened: OpenDatabase
let owner: OpenDatabase
let shop: CachedShop
let cup: Row<'products'>
let lamp: Row<'products'>

beforeAll(async () => {
  postgres = await startPostgres()
  if (!postgres) return
  way = await openDatabaseProxy(postgres.url)
  owner = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  await migrate(owner.db)
  const category = await addCategory(owner.db, 'Kitchen')
  cup = await addProduct(owner.db, { category, name: 'Cup' })
  lamp = await addProduct(owner.db, { category, name: 'Lamp' })
  opened = await openDatabase({ databaseUrl: way.url, dataDir: '' })
  opened.watch({ down() {}, up() {} }, LIMIT_MS)
})
afterAll(async () => {
  await opened?.close()
  await owner?.close()
  await way?.close()
  await postgres?.stop()
})
beforeEach(async ({ skip }) => {
  if (!postgres) skip('PostgreSQL is not installed here.')
  await way.heal()
  // a start reads the stored settings; connections of before the outage are closed by then
  await expect.poll(answers, SOON).toBe(true)
  shop = await cachedShopOn(opened.db)
})
afterEach(async () => {
  await way?.heal()
  await shop?.close()
})

const answers = () =>
  sql`select 1`.execute(opened.db).then(
    () => true,
    () => false,
  )

const detail = ({ slug }: { slug: string }) => `${API_PREFIX}/product/get-product/${slug}`
const priceOf = async (of: { slug: string }): Promise<number> =>
  JSON.parse((await shop.ask(detail(of))).bytes.toString()).product?.price
const setPrice = ({ id }: { id: string }, price: number) =>
  changeProduct(owner.db, OWNER, { id, changes: { price }, seen: {} })

describe('while the database is away', () => {
  it('cached answers are served, others are refused', async () => {
    const { bytes } = await shop.ask(detail(cup))
    await way.cut()
    await expect.poll(async () => (await shop.ask(detail(lamp))).status, SOON).toBe(503)
    const answer = await shop.ask(detail(cup))
    expect([answer.status, answer.bytes]).toEqual([200, bytes])
  })

  it('cached answers are served when connections hang', async () => {
    const { bytes } = await shop.ask(detail(cup))
    way.silence()
    const answer = await shop.ask(detail(cup))
    expect([answer.status, answer.bytes]).toEqual([200, bytes])
  })

  it('a change right before the outage is not visible', async () => {
    const { bytes } = await shop.ask(detail(cup))
    await publishChanges(owner.db, [{ tag: `product:${cup.id}`, stale_ms: 0 }])
    const isStale = () => shop.app.pages?.entries().some((entry) => entry.isStale)
    await expect.poll(isStale, SOON).toBe(true)
    await way.cut()
    const answer = await shop.ask(detail(cup))
    expect([answer.status, answer.bytes]).toEqual([200, bytes])
  })

  it('no answer is served for longer than a minute', async () => {
    await shop.ask(detail(cup))
    await way.cut()
    expect((await shop.ask(detail(cup))).status).toBe(200)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      vi.advanceTimersByTime(600_000)
      expect((await shop.ask(detail(cup))).status).toBe(503)
    } finally {
      vi.useRealTimers()
    }
  })

  it('changes made meanwhile are visible as soon as it is back', async () => {
    await setPrice(cup, 10)
    await expect.poll(() => priceOf(cup), SOON).toBe(10)
    await way.cut()
    await setPrice(cup, 11)
    expect(await priceOf(cup)).toBe(10)
    await way.heal()
    await expect.poll(() => priceOf(cup), SOON).toBe(11)
  })
})

describe('in the place of the database', () => {
  it('other data are seen, although no change was published', async () => {
    await setPrice(lamp, 20)
    await expect.poll(() => priceOf(lamp), SOON).toBe(20)
    await owner.db.transaction().execute(async (tx) => {
      // as after a restore: the change feed is another table
      await changeListed(tx, lamp, { price_minor: 2100 })
      await sql`alter table change_feed rename to former_changes`.execute(tx)
      await sql`create table change_feed (like former_changes including all)`.execute(tx)
      await sql`drop table former_changes cascade`.execute(tx)
    })
    await expect.poll(() => priceOf(lamp), SOON).toBe(21)
  })
})

describe('while the shop stops', () => {
  it('everything is served as ever, and each answer ends its connection', async () => {
    const before = await shop.ask(detail(cup))
    expect(before.headers.connection).toBe('keep-alive')
    const stopped = shop.app.stopping.drain(0.1)
    const last = await shop.ask(detail(cup))
    expect([last.status, last.headers.connection]).toEqual([200, 'close'])
    expect(last.bytes).toEqual(before.bytes)
    await stopped
    await expect(shop.ask(detail(cup))).rejects.toThrow('ECONNREFUSED')
  })
})
