/** Backup and restore on a PostgreSQL server, and moving to it from the embedded database. */
import { spawn } from 'node:child_process'
import { rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { markRestore } from '#db/restored.ts'
import { testFolder } from '#tests/support/test-folder.ts'
import { contradictionsIn } from '../support/consistency.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { findBinaries, type Postgres, startPostgres } from '../support/postgres.ts'
import { createDatabaseOn } from '../support/server-database.ts'
import { shopOn } from '../support/shop.ts'
import { buyCup, checksums, openBusyShop, orderIds } from './busy-shop.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const folder = testFolder()
let postgres: Postgres | null
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())
beforeEach(({ skip }) => {
  if (!postgres) skip('PostgreSQL is not installed here.')
})

const createDatabase = () => createDatabaseOn(postgres?.url ?? '')

/** Runs `npm run shop -- …` with these settings. */
async function run(words: string[], settings: Record<string, string>) {
  const PATH = `${findBinaries()}${delimiter}${process.env.PATH}`
  const running = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'bin/shop.ts', ...words],
    { cwd: ROOT, env: { ...process.env, DATA_DIR: folder, PATH, ...settings } },
  )
  const code = new Promise((resolve) => running.once('close', resolve))
  const [out, error] = await Promise.all([text(running.stdout), text(running.stderr)])
  return { out, error, code: await code }
}

it('a backup of a running shop restores in another database, with every order', async () => {
  const source = await createDatabase()
  const target = await createDatabase()
  const opened = await openDatabase({ databaseUrl: source.url, dataDir: '' })
  await migrate(opened.db)
  const shop = await openBusyShop(opened.db)
  await expect.poll(() => shop.orders.length, { timeout: 60_000 }).toBeGreaterThan(10)
  const known = [...shop.orders]
  const file = join(folder, 'shop.dump')
  expect(await run(['backup', file], { DATABASE_URL: source.url })).toMatchObject({
    out: expect.stringMatching(/^The backup is in .*shop\.dump \(\d+\.\d MB\)\.\n$/),
    code: 0,
  })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await shop.close()

  const restored = await run(['restore', file], { DATABASE_URL: target.url })
  expect(restored).toMatchObject({
    out: expect.stringMatching(
      /^The backup is restored\. All users have to log in again\.\nE-mails that were queued .* are parked \(\d+\): /,
    ),
    code: 0,
  })
  const { db, close } = await openDatabase({ databaseUrl: target.url, dataDir: '' })
  expect(await orderIds(db)).toEqual(expect.arrayContaining(known))
  expect(await contradictionsIn(db)).toEqual({})
  expect(await db.selectFrom('pictures').selectAll().execute()).toHaveLength(6)
  expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
  await migrate(db)
  const again = await shopOn(db)
  await buyCup(again)
  await again.app.close()

  const twice = await run(['restore', file], { DATABASE_URL: target.url })
  expect(twice).toMatchObject({ out: '', code: 1 })
  expect(twice.error).toMatch(/^The database at DATABASE_URL already contains a shop\./)
  await close()
  await opened.close()
  await source.drop()
  await target.drop()
})

it('a backup of a copy that no shop has opened restores', async () => {
  const copy = await createDatabase()
  const target = await createDatabase()
  const { db, close } = await openDatabase({ databaseUrl: copy.url, dataDir: '' })
  await migrate(db)
  await markRestore(db)
  await close()
  const file = join(folder, 'copy.dump')
  expect(await run(['backup', file], { DATABASE_URL: copy.url })).toMatchObject({ code: 0 })
  const restored = await run(['restore', file], { DATABASE_URL: target.url })
  expect(restored).toMatchObject({ error: '', code: 0 })
  await copy.drop()
  await target.drop()
})

it('refuses a file that is no backup, and a machine without the programs', async () => {
  const target = await createDatabase()
  const file = join(folder, 'wrong')
  await writeFile(file, 'hello')
  const settings = { DATABASE_URL: target.url }
  const wrong = await run(['restore', file], settings)
  expect(wrong).toMatchObject({ out: '', code: 1 })
  expect(wrong.error).toMatch(/pg_restore: .*\n.*pg_restore has failed\.\n$/)
  const missing = await run(['backup', join(folder, 'never')], { ...settings, PATH: folder })
  expect(missing).toMatchObject({ out: '', code: 1 })
  expect(missing.error).toMatch(/^pg_dump is not installed here\./)
  await target.drop()
})

it('an embedded shop moves to PostgreSQL by one command, to the last value', async () => {
  const target = await createDatabase()
  const dataDir = await unpackDatabase()
  const source = await openDatabase({ dataDir })
  await migrate(source.db)
  const shop = await openBusyShop(source.db)
  await expect.poll(() => shop.orders.length, { timeout: 60_000 }).toBeGreaterThan(10)
  await shop.close()
  const settings = { DATA_DIR: dataDir, DATABASE_URL: target.url }
  const running = await run(['move-to-postgres'], settings)
  expect(running.error).toMatch(/^Another process is using the database/)
  const before = await checksums(source.db)
  await source.close()

  expect(await run(['move-to-postgres'], settings)).toMatchObject({ error: '', code: 0 })
  const { db, close } = await openDatabase({ databaseUrl: target.url, dataDir: '' })
  expect(await checksums(db)).toEqual(before)
  const again = await shopOn(db)
  const order = await buyCup(again)
  expect(await orderIds(db)).toContain(order)
  expect(await contradictionsIn(db)).toEqual({})
  await again.app.close()
  await close()
  const twice = await run(['move-to-postgres'], settings)
  expect(twice.error).toMatch(/^The database at DATABASE_URL already contains a shop\./)
  await target.drop()
  await rm(dataDir, { recursive: true })
})
