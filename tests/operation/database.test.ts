import { globSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { lockFolder } from '#db/data-folder.ts'
import { openEmbedded } from '#db/embedded.ts'
import { hasShop, migrate } from '#db/migrate.ts'
import { onServer, openTestDatabase } from '../support/database.ts'
import { unpackDatabase } from '../support/database-image.ts'

it('leaves the database as it was when a migration fails, and says which one and why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'haat-migrations-'))
  await cp(new URL('../../db/migrations/', import.meta.url), folder, { recursive: true })
  await writeFile(join(folder, '9998_good.sql'), 'create table good (id integer);')
  await writeFile(join(folder, '9999_bad.sql'), 'create table bad (id no_such_type);')
  const { db, close } = await openTestDatabase()
  await expect(migrate(db, { folder: pathToFileURL(`${folder}/`) })).rejects.toThrow(
    /9999_bad.*no_such_type/,
  )
  const { rows } = await sql<{
    found: string | null
  }>`select to_regclass('good')::text found`.execute(db)
  expect(rows).toEqual([{ found: null }])
  await close()
  await rm(folder, { recursive: true })
})

it.each([
  ['of the same names', 'create table users (id integer)', 'users'],
  [
    'of other names',
    'create table wp_posts (id integer); create view wp_list as select 1',
    'wp_list, wp_posts',
  ],
  [
    'of another program with Kysely',
    "create table kysely_migration (name text); insert into kysely_migration values ('init')",
    'kysely_migration',
  ],
])('refuses a database with tables %s, and makes nothing in it', async (_what, made, named) => {
  const { db, close } = await openEmbedded()
  await sql.raw(`do $$ begin ${made}; end $$`).execute(db)
  const tables = async () =>
    (
      await sql`select relname from pg_class where relnamespace = 'public'::regnamespace`.execute(
        db,
      )
    ).rows
  const before = await tables()
  await expect(migrate(db)).rejects.toThrow(
    `The database contains tables of another program (${named}). Nothing was changed.`,
  )
  await expect(hasShop(db)).rejects.toThrow('tables of another program')
  expect(await tables()).toEqual(before)
  await close()
})

it('takes advisory locks nowhere but where they are numbered', async () => {
  const files = globSync(fileURLToPath(new URL('../../db/migrations/*.sql', import.meta.url)))
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  texts.push('select PG_ADVISORY_XACT_LOCK(1)')
  expect(texts.filter((text) => /advisory/i.test(text))).toEqual(texts.slice(-1))
})

it('refuses a second process on the same embedded database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'haat-lock-'))
  const release = lockFolder(dataDir)
  await expect(openDatabase({ dataDir })).rejects.toThrow(/Another process is using the database/)
  release()
  lockFolder(dataDir)()
  await rm(dataDir, { recursive: true })
})

// on a server, the tests have no image of the embedded database
it.skipIf(process.env.DATABASE_URL)(
  'keeps the folder of an open database to itself, and its data through a power cut',
  async () => {
    const dataDir = await unpackDatabase()
    const { db, close } = await openDatabase({ dataDir })
    expect(() => lockFolder(dataDir)).toThrow(/Another process is using the database/)
    const { rows } = await sql`show fsync`.execute(db)
    expect(rows).toEqual([{ fsync: 'on' }])
    await close()
    lockFolder(dataDir)()
    await rm(dataDir, { recursive: true })
  },
  60_000,
)

it.runIf(onServer)('compiles no statement, for the owner’s commands either', async () => {
  const { db, close } = await openTestDatabase()
  const { rows } = await sql`show jit`.execute(db)
  expect(rows).toEqual([{ jit: 'off' }])
  await close()
})

it('says which setting is wrong when the database cannot be reached', async () => {
  const unreachable = 'postgres://nobody@127.0.0.1:1/shop'
  await expect(openDatabase({ databaseUrl: unreachable, dataDir: '' })).rejects.toThrow(
    /^The database at DATABASE_URL cannot be used: .*ECONNREFUSED/,
  )
  const file = join(await mkdtemp(join(tmpdir(), 'haat-file-')), 'file')
  await writeFile(file, '')
  await expect(openDatabase({ dataDir: file })).rejects.toThrow(
    /^The folder DATA_DIR cannot be used/,
  )
})
