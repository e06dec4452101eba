/** What visitors get from memory while something is wrong behind it. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Row } from '#db/schema.ts'
import { type CachedShop, cachedShopOn } from '../support/cached-shop.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { openWay, type Way } from '../support/way-to-database.ts'

/** So long a statement may take. */
const LIMIT_MS = 300
/** A look at the changes, and the way back to the database before it. */
const SOON = { timeout: 3000, interval: 20 }

let postgres: Postgres | null
let way: Way
/** The shop's way to the database, which can be cut, and the owner's, which cannot. */
let opened: OpenDatabase
let owner: OpenDatabase
let shop: CachedShop
let cup: Row<'products'>
let lamp: Row<'products'>

beforeAll(async () => {
  postgres = await startPostgres()
  if (!postgres) return
  way = await openWay(postgres.url)
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
  shop = await cachedShopOn(opened.db)
})
afterEach(async () => {
  await way?.heal()
  await shop?.close()
})

const detail = ({ slug }: { slug: string }) => `${API_PREFIX}/product/get-product/${slug}`
const priceOf = async (of: { slug: string }): Promise<number> =>
  JSON.parse((await shop.ask(detail(of))).bytes.toString()).product?.price
const setPrice = ({ id }: { id: string }, price: number) =>
  owner.db
    .updateTable('products')
    .set({ price_minor: price * 100 })
    .where('id', '=', id)
    .execute()

/** Until it is not known any more what is good, and the shop itself is asked first, in vain. */
async function askUntilInVain(bytes: Buffer) {
  const before = shop.made()
  const ask = async () => {
    const answer = await shop.ask(detail(cup))
    expect([answer.status, answer.bytes]).toEqual([200, bytes])
    return shop.made()
  }
  await expect.poll(ask, { timeout: 10_000, interval: 50 }).toBeGreaterThan(before)
}

describe('while the database is away', () => {
  it('what is kept is served, and what is not is refused', async () => {
    const { bytes } = await shop.ask(detail(cup))
    await way.cut()
    await askUntilInVain(bytes)
    expect((await shop.ask(detail(lamp))).status).toBe(503)
  })

  it('and nobody says so, what is kept is served all the same', async () => {
    const { bytes } = await shop.ask(detail(cup))
    way.silence()
    await askUntilInVain(bytes)
  })

  it('what was changed meanwhile is seen as soon as it is back', async () => {
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
  it('other data are seen, although nobody told of a change', async () => {
    await setPrice(lamp, 20)
    await expect.poll(() => priceOf(lamp), SOON).toBe(20)
    await owner.db.transaction().execute(async (tx) => {
      // as a backup is put in its place: the triggers are silent, and the changes begin anew
      await sql`set local session_replication_role = replica`.execute(tx)
      await tx
        .updateTable('products')
        .set({ price_minor: 2100 })
        .where('id', '=', lamp.id)
        .execute()
      await sql`alter table catalogue_changes rename to former_changes`.execute(tx)
      await sql`create table catalogue_changes (like former_changes including all)`.execute(tx)
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
