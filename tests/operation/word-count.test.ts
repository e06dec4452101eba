/** A shop on PostgreSQL counts the words of its products while it is open. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { importProducts } from '#app/products/server/csv/import.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { startShopProcess } from '../support/shop-process.ts'

const FILE = `name,description,price,quantity,category
Copper kettle,Sings when the water boils.,25,3,Kitchen
Clay cup,Holds tea and stays warm.,5,7,Kitchen
`

let folder: string
let postgres: Postgres | null
let owner: OpenDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-words-'))
  postgres = await startPostgres()
  if (!postgres) return
  owner = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  await migrate(owner.db)
})
afterAll(async () => {
  await owner?.close()
  await postgres?.stop()
  await rm(folder, { recursive: true })
})
beforeEach(({ skip }) => {
  if (!postgres) skip('PostgreSQL is not installed here.')
})

const uncounted = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from vocabulary_changes`.execute(owner.db)
  return rows[0]?.count
}

it('an open shop on PostgreSQL counts the words of imported products', async () => {
  const shop = await startShopProcess({ DATABASE_URL: postgres?.url ?? '', DATA_DIR: folder })
  try {
    const path = join(folder, 'products.csv')
    await writeFile(path, FILE)
    await importProducts(owner.db, OWNER, {
      path,
      createCategories: true,
      progress: () => {},
    })
    await expect.poll(uncounted, { timeout: 20_000, interval: 200 }).toBe(0)
    const { rows } = await sql`
      select in_names, in_all from vocabulary where word = 'kettle'`.execute(owner.db)
    expect(rows).toEqual([{ in_names: 1, in_all: 1 }])
  } finally {
    await shop.stop()
  }
})
