/** No backup is put in the place of a database that a shop on PostgreSQL is running on. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { restoreBackup } from '#db/backup/restore-backup.ts'
import { writeBackup } from '#db/backup/write-backup.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { haveAlone } from '#db/occupancy.ts'
import { addCategory } from '../support/catalogue.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { startShopProcess } from '../support/shop-process.ts'
import { openWay, type Way } from '../support/way-to-database.ts'

let folder: string
let file: string
let postgres: Postgres | null
let way: Way
let owner: OpenDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-running-'))
  file = join(folder, 'backup')
  postgres = await startPostgres()
  if (!postgres) return
  way = await openWay(postgres.url)
  owner = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  await migrate(owner.db)
  await addCategory(owner.db, 'Of the backup')
  await writeBackup(owner.db, file)
})
afterAll(async () => {
  await owner?.close()
  await way?.close()
  await postgres?.stop()
  await rm(folder, { recursive: true })
})
beforeEach(({ skip }) => {
  if (!postgres) skip('PostgreSQL is not installed here.')
})

const start = () => startShopProcess({ DATABASE_URL: way.url, DATA_DIR: folder })
const restore = () => restoreBackup(owner.db, file, { replace: true })
const RUNS = /^A shop is running on this database\. Stop every process of it first\./

/** How many running shops the server knows of. */
async function shops() {
  const { rows } = await sql<{ held: number }>`
    select count(*)::int as held from pg_locks where locktype = 'advisory' and granted`.execute(
    owner.db,
  )
  return rows[0]?.held
}

it('a running shop is not replaced, even when it had lost its connections', async () => {
  const [first, second] = await Promise.all([start(), start()])
  expect(await shops()).toBe(2)
  await expect(restore()).rejects.toThrow(RUNS)
  await first.stop()
  await expect(restore()).rejects.toThrow(RUNS)
  await way.cut()
  await expect.poll(shops, { timeout: 20_000 }).toBe(0)
  await way.heal()
  await expect.poll(shops, { timeout: 20_000 }).toBe(1)
  await expect(restore()).rejects.toThrow(RUNS)
  await second.stop()
  await restore()
})

it('no shop starts on a database that is being replaced, and one that finds it so ends', async () => {
  const shop = await start()
  const done = Promise.withResolvers<void>()
  await way.cut()
  await expect.poll(shops, { timeout: 20_000 }).toBe(0)
  const replacing = owner.db.transaction().execute(async (tx) => {
    await haveAlone(tx)
    await done.promise
  })
  await way.heal()
  expect(await shop.ended).toBe(1)
  const why = 'A backup is being put in the place of this database. Start the shop after that.'
  expect(shop.output()).toContain(why)
  await expect(start()).rejects.toThrow(why)
  done.resolve()
  await replacing
  await (await start()).stop()
})

it('a server that ends idle transactions does not end this one', async () => {
  await sql.raw("alter system set idle_in_transaction_session_timeout = '300ms'").execute(owner.db)
  await sql`select pg_reload_conf()`.execute(owner.db)
  const shop = await start()
  const session = async () =>
    (await sql`select pid from pg_locks where locktype = 'advisory'`.execute(owner.db)).rows
  const before = await session()
  await sql`select pg_sleep(1)`.execute(owner.db)
  expect(before).toHaveLength(1)
  expect(await session()).toEqual(before)
  await shop.stop()
})
