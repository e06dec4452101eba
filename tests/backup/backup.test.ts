import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { restoreBackup } from '#db/backup/restore-backup.ts'
import { writeBackup } from '#db/backup/write-backup.ts'
import { type OpenDatabase, openDatabase, openEmbedded } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { addCategory, addPhoto, addProduct } from '../support/catalogue.ts'
import { contradictionsIn } from '../support/consistency.ts'
import { readImage } from '../support/database-image.ts'
import { cartOf, purchases, signedPayment } from '../support/payments.ts'
import { addPerson, type Person } from '../support/people.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { createDatabaseOn } from '../support/server-database.ts'
import { shopOn } from '../support/shop.ts'

vi.setConfig({ testTimeout: 120_000 })

const STOCK = 1000

let folder: string
let postgres: Postgres | null
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-backup-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  await rm(folder, { recursive: true })
})

type Kind = 'embedded' | 'PostgreSQL'

/** An empty shop of one kind. */
async function open(kind: Kind): Promise<OpenDatabase> {
  if (kind === 'embedded') {
    if (!process.env.DATABASE_URL)
      return openEmbedded(undefined, await readImage(inject('databaseImage')))
    const opened = await openEmbedded()
    await migrate(opened.db)
    return opened
  }
  const own = await createDatabaseOn(postgres?.url ?? '')
  const opened = await openDatabase({ databaseUrl: own.url, dataDir: '' })
  await migrate(opened.db)
  const close = async () => {
    await opened.close()
    await own.drop()
  }
  return { ...opened, close }
}

/** Every row of every table as text, but for sessions, which a restore ends; equal shops have equal ones. */
async function contents(db: Kysely<Schema>): Promise<Record<string, string[]>> {
  const tables = await db.introspection.getTables()
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    // the migrator's, what only running processes need, and what a restore ends
    if (name.startsWith('kysely') || ['catalogue_changes', 'sessions'].includes(name)) continue
    const { rows } = await sql<{ row: string }>`
      select md5(t::text) as row from ${sql.table(name)} t order by 1`.execute(db)
    found[name] = rows.map(({ row }) => row)
  }
  return found
}

/** Buyers, an editor and a photographer at work, until they are told to stop. */
async function busy(db: Kysely<Schema>) {
  const shop = await shopOn(db)
  const { start, verify } = purchases(shop)
  const category = await addCategory(db, 'Tableware')
  const make = (name: string) => addProduct(db, { category, name, price: 10, quantity: STOCK })
  const products = [await make('Cup'), await make('Bowl'), await make('Plate')]
  let working = true
  let round = 0
  const keepOn = async (work: () => Promise<unknown>) => {
    while (working) {
      await work()
      round += 1
      // the embedded database answers at once: without this nobody else would ever have a turn
      await setImmediate()
    }
  }
  // each has one cart
  const [first, second] = [await addPerson(db), await addPerson(db)]
  const buyAs = (buyer: Person) => async () => {
    const cart = cartOf(...products)
    const { body } = await start(buyer, { amount: 3000, cart })
    expect((await verify(buyer, signedPayment(body.id), cart)).status).toBe(200)
  }
  const edit = () =>
    db
      .updateTable('products')
      .set({ price_minor: 1000, name: `Cup ${round}`, description: `Édition n° ${round} \\ "x"` })
      .where('id', '=', products[0]?.id ?? '')
      .execute()
  const photograph = () =>
    db.transaction().execute(async (tx) => {
      for (const product of products) await addPhoto(tx, product, { version: `v${round}` })
    })
  const work = Promise.all([
    keepOn(buyAs(first)),
    keepOn(buyAs(second)),
    keepOn(edit),
    keepOn(photograph),
  ])
  return {
    rounds: () => round,
    stop: async () => {
      working = false
      await work
      await shop.app.close()
    },
  }
}

async function expectWhole(db: Kysely<Schema>) {
  expect(await contradictionsIn(db)).toEqual({})
  const { rows: stock } = await sql<{ pieces: number }>`
    select (products.quantity + coalesce(sum(lines.quantity), 0))::int as pieces
    from products left join
      (select product_id, quantity from order_lines
        union all select product_id, quantity from payment_lines join reservations using (payment_id)) lines
      on lines.product_id = products.id
    group by products.id`.execute(db)
  expect(stock.map(({ pieces }) => pieces)).toEqual([STOCK, STOCK, STOCK])
  const { rows: photos } = await sql`
    select product_id from product_photos join products on products.id = product_id
    where convert_from(bytes, 'UTF8') <> concat_ws(' ', photo_version, width, format)
    union all select id from products where photo_version is not null
      and (select count(*) from product_photos where product_id = id) <> 6`.execute(db)
  expect(photos).toEqual([])
}

describe.each<[Kind, Kind]>([
  ['embedded', 'PostgreSQL'],
  ['PostgreSQL', 'embedded'],
])('a backup of an %s shop', (from, to) => {
  it(`that is busy is one moment of it, and becomes a shop on ${to}`, async ({ skip }) => {
    if (!postgres) skip('PostgreSQL is not installed here.')
    const [source, target] = [await open(from), await open(to)]
    const load = await busy(source.db)
    await expect.poll(load.rounds, { timeout: 60_000 }).toBeGreaterThan(20)
    const file = join(folder, `${from}.backup`)
    await writeBackup(source.db, file)
    await expect.poll(load.rounds, { timeout: 60_000 }).toBeGreaterThan(40)
    await load.stop()
    await expectWhole(source.db)
    const told: string[] = []
    await restoreBackup(target.db, file, { told: (table) => told.push(table) })
    expect(told).toContain('product_photos')
    await expectWhole(target.db)
    // the shop goes on where it was
    const again = await shopOn(target.db)
    const found = await again.get<{ products: { name: string }[] }>('/product/search/cup')
    expect(found.status).toBe(200)
    const buyer = await addPerson(target.db)
    const [cup] = await target.db.selectFrom('products').select('id').orderBy('id').execute()
    const cart = cartOf({ id: cup?.id ?? '' })
    const { start, verify } = purchases(again)
    const { body } = await start(buyer, { amount: 1000, cart })
    expect((await verify(buyer, signedPayment(body.id), cart)).status).toBe(200)
    await again.app.close()
    await source.close()
    await target.close()
  })

  it(`is the same shop, to the last value, on ${to} and back`, async ({ skip }) => {
    if (!postgres) skip('PostgreSQL is not installed here.')
    const [source, target, back] = [await open(from), await open(to), await open(from)]
    const load = await busy(source.db)
    await expect.poll(load.rounds, { timeout: 60_000 }).toBeGreaterThan(10)
    await load.stop()
    const [there, home] = [join(folder, `${from}.there`), join(folder, `${from}.home`)]
    await writeBackup(source.db, there)
    await restoreBackup(target.db, there)
    expect(await contents(target.db)).toEqual(await contents(source.db))
    await writeBackup(target.db, home)
    await restoreBackup(back.db, home)
    expect(await contents(back.db)).toEqual(await contents(source.db))
    for (const { close } of [source, target, back]) await close()
  })
})
