/** The schema of a database compared with the migrations of this version, and what becomes of it. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { restoreDump } from '#tests/releases/restore-dump.ts'
import { onServer } from '#tests/support/database.ts'
import { type OpenDatabase, openDatabase } from './connect.ts'
import { hasShop, migrate } from './migrate.ts'
import { readMigrations } from './releases/migration-files.ts'
import { readSchemaState } from './releases/schema-state.ts'
import { VERSION } from './releases/version.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)

let opened: OpenDatabase
/** The migrations of this version, to which a test may add others. */
let folder: URL
beforeEach(async () => {
  const copy = await mkdtemp(join(tmpdir(), 'haat-migrate-'))
  await cp(MIGRATIONS, copy, { recursive: true })
  folder = pathToFileURL(`${copy}/`)
  opened = await restoreDump('0.1.0')
})
afterEach(async () => {
  await opened.close()
  await rm(folder, { recursive: true })
})

const write = (name: string, text: string) => writeFile(new URL(name, folder), text)
const run = (statement: string) => sql.raw(statement).execute(opened.db)
const state = async () => {
  const { kind, found, advice } = await readSchemaState(opened.db, folder)
  return { kind, found, advice }
}

/** Migrates as a version with one migration more would. */
async function upgradeFurther(statements: string) {
  await write('9000_more.sql', statements)
  await migrate(opened.db, { folder })
  await run(`update kysely_migration set version = '0.10.0' where name = '9000_more'`)
  await rm(new URL('9000_more.sql', folder))
}

/** As CONTRIBUTING.md says it. */
const RAISE = (version: string) =>
  `insert into shop_facts (key, value) values ('oldest_version', '${version}')
    on conflict (key) do update set value = excluded.value;`

it('the files of released migrations have the hashes that were kept at their release', async () => {
  const files = await readMigrations(MIGRATIONS)
  const released = files.filter((file) => file.released)
  expect(released.map(({ name }) => name)).toContain('0001_shop')
  for (const file of released) expect(file.sha256, file.name).toBe(file.released)
})

it('a migration that raises the oldest version in another form is refused', async () => {
  await write('9000_more.sql', '-- oldest_version\nselect 1;')
  expect((await readMigrations(folder)).at(-1)?.name).toBe('9000_more')
  await write(
    '9000_more.sql',
    "update shop_facts set value = '9.0.0' where key = 'oldest_version';",
  )
  await expect(readMigrations(folder)).rejects.toThrow('9000_more')
})

describe('a database of 0.1.0', () => {
  it('is to be migrated for a stopped shop, and then up to date, with hashes and versions', async () => {
    const [first, ...others] = await readMigrations(MIGRATIONS)
    const todo = others.map(({ name }) => name).join(', ')
    expect(await state()).toEqual({
      kind: 'outdated',
      found: `to be done: ${todo}`,
      advice:
        'The next start does them. Take a backup before. Stop all processes of the shop before it: older versions cannot work on the new schema.',
    })
    const lines: string[] = []
    await migrate(opened.db, { announce: (line) => lines.push(line) })
    expect(lines).toEqual([`Migrations of the database to be done: ${todo}. They run now.`])
    expect(await state()).toEqual({ kind: 'up to date', found: 'all are done', advice: '' })
    const { rows } = await sql`
      select name, sha256, version from kysely_migration order by name`.execute(opened.db)
    expect(rows).toEqual([
      { name: '0001_shop', sha256: first?.sha256, version: '0.1.0' },
      ...others.map(({ name, sha256 }) => ({ name, sha256, version: VERSION })),
    ])
  })

  it('of an earlier state of its development is refused, and not changed', async () => {
    await run('alter table settings rename column tagline to motto')
    expect(await state()).toMatchObject({
      kind: 'refused',
      found: `The database was made by an unreleased version of Haat: its migration 0001_shop is not that of Haat ${VERSION}.`,
    })
    await expect(migrate(opened.db)).rejects.toThrow(
      'The database was made by an unreleased version',
    )
    await run('alter table settings rename column motto to tagline')
    expect(await state()).toMatchObject({ kind: 'outdated' })
  })

  it('is migrated without a statement timeout, whatever that of its role is', async () => {
    await write(
      '9000_more.sql',
      `if current_setting('statement_timeout') <> '0' then raise exception 'limited'; end if;`,
    )
    await run(`set statement_timeout = '20s'`)
    await migrate(opened.db, { folder })
    expect(await state()).toMatchObject({ kind: 'up to date' })
  })

  it('is up to date at once for several that start together', async () => {
    await Promise.all([1, 2, 3].map(() => migrate(opened.db)))
    expect(await state()).toMatchObject({ kind: 'up to date' })
  })
})

describe('a database of a newer version', () => {
  it('is refused where that version says so, with the version and the remedy', async () => {
    await upgradeFurther(RAISE('0.9.0'))
    const refusal = {
      kind: 'refused',
      found: `The database was made by Haat 0.10.0, and needs Haat 0.9.0 or newer. This is Haat ${VERSION}.`,
      advice: 'Install Haat 0.10.0, or restore the backup that was made before the upgrade.',
    }
    expect(await state()).toEqual(refusal)
    const sentence = `${refusal.found} ${refusal.advice}`
    await expect(migrate(opened.db, { folder })).rejects.toThrow(sentence)
    await expect(hasShop(opened.db)).rejects.toThrow(sentence)
  })

  it('is opened where that version only adds to the schema', async () => {
    await upgradeFurther('alter table users add column shoe_size integer;')
    expect(await state()).toMatchObject({
      kind: 'up to date',
      found: 'all are done, and those of Haat 0.10.0, which this version may work beside',
    })
    await migrate(opened.db, { folder })
    expect(await hasShop(opened.db)).toBe(true)
  })
})

it('a migration that was edited after it ran is named', async () => {
  await write('9000_more.sql', 'alter table users add column shoe_size integer;')
  await migrate(opened.db, { folder })
  await write('9000_more.sql', '-- edited')
  expect(await state()).toMatchObject({
    kind: 'refused',
    found: expect.stringContaining('its migration 9000_more is not that of'),
  })
})

it('a file that was edited after its release is named, whatever the database is', async () => {
  await write('0001_shop.sql', '-- edited')
  expect(await state()).toEqual({
    kind: 'refused',
    found: 'The file db/migrations/0001_shop.sql is not the one that was released.',
    advice: 'Install this version again.',
  })
})

describe.runIf(onServer)('beside other connections', () => {
  let other: OpenDatabase
  beforeEach(async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      opened.db,
    )
    const url = new URL(process.env.DATABASE_URL ?? '')
    url.pathname = `/${rows[0]?.name}`
    other = await openDatabase({ databaseUrl: url.href, dataDir: '' })
  })
  afterEach(() => other.close())

  it.each(['orders', 'kysely_migration'])(
    'gives up soon when %s is read by another, and succeeds at the next start',
    async (table) => {
      await migrate(opened.db)
      await write('9000_more.sql', 'alter table orders add column colour text;')
      await other.db.transaction().execute(async (tx) => {
        await sql`lock table ${sql.table(table)} in access share mode`.execute(tx)
        await expect(migrate(opened.db, { folder })).rejects.toThrow(
          'A migration has waited 4 seconds for a table that another connection uses. Nothing was changed. Start again, or end that connection first.',
        )
      })
      expect(await state()).toMatchObject({ kind: 'outdated' })
      await migrate(opened.db, { folder })
      expect(await state()).toMatchObject({ kind: 'up to date' })
    },
  )

  it.each(['haat 0.0.9', 'haat', ''])(
    'asks to stop the shop while %j is connected, for a migration that older versions cannot work with',
    async (name) => {
      await other.db.connection().execute(async (connection) => {
        await sql`select set_config('application_name', ${name}, false)`.execute(connection)
        await expect(migrate(opened.db)).rejects.toThrow(
          /^Stop the shop: the migration 0002_nothing_owed cannot run beside older versions, and there is a connection of them/,
        )
        expect(await state()).toMatchObject({ kind: 'outdated' })
        await sql`select set_config('application_name', 'psql', false)`.execute(connection)
        await migrate(opened.db)
      })
    },
  )
})
