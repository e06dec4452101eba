/** What a restore finds that is not the shop's, and who was signed in. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findOurs } from '#db/backup/ours.ts'
import { restoreBackup } from '#db/backup/restore-backup.ts'
import { writeBackup } from '#db/backup/write-backup.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { addCategory } from '../support/catalogue.ts'
import { onServer, openTestDatabase } from '../support/database.ts'
import { addPerson } from '../support/people.ts'
import { shopOn } from '../support/shop.ts'

let folder: string
let file: string
let opened: OpenDatabase

const run = async (...statements: string[]) => {
  for (const statement of statements) await sql.raw(statement).execute(opened.db)
}
const one = async (statement: string) =>
  Object.values((await sql<object>`${sql.raw(statement)}`.execute(opened.db)).rows[0] ?? {})[0]
const restore = () => restoreBackup(opened.db, file, { replace: true })
const categories = () => opened.db.selectFrom('categories').select('name').execute()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-others-'))
  file = join(folder, 'backup')
  opened = await openTestDatabase()
  await addCategory(opened.db, 'Of the backup')
  await writeBackup(opened.db, file)
})
beforeEach(() => run('create schema elsewhere', "update categories set name = 'Of today'"))
afterEach(() => run('drop schema elsewhere cascade'))
afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true })
})

it('the shop knows what its migrations make, all of it and nothing else', async () => {
  const { tables, routines } = await findOurs()
  const { rows } = await sql<{ name: string; kind: string }>`
    select relname as name, 'table' as kind from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
    union select proname, 'routine' from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`.execute(
    opened.db,
  )
  const named = (wanted: string) =>
    rows.filter(({ kind }) => kind === wanted).map(({ name }) => name)
  expect(tables.toSorted()).toEqual(named('table').toSorted())
  // one is made for the migration itself, and dropped by it
  expect(routines).toEqual(expect.arrayContaining(named('routine')))
})

describe('a database that is not the shop’s alone', () => {
  it.each([
    ['table', 'create table books as select 7 as id'],
    ['view', 'create view books as select 7 as id'],
  ])('is refused with a %s of others in it', async (kind, make) => {
    await run(make)
    await expect(restore()).rejects.toThrow(
      /not the shop's: (table|view) books\. Make a database for the shop alone,.* Nothing was changed\.$/,
    )
    expect(await categories()).toEqual([{ name: 'Of today' }])
    expect(await one('select id from books')).toBe(7)
    await run(`drop ${kind} books`)
  })

  it('is refused when something of others hangs on it', async () => {
    await run('create view elsewhere.counted as select folded(name) from products')
    await expect(restore()).rejects.toThrow(/not the shop's: .*view elsewhere\.counted\. Make/)
    expect(await categories()).toEqual([{ name: 'Of today' }])
  })

  it('keeps their schemas and functions', async () => {
    await run(
      'create table elsewhere.books as select 7 as id',
      'create function theirs() returns integer language sql as $$ select 8 $$',
    )
    await restore()
    expect(await categories()).toEqual([{ name: 'Of the backup' }])
    expect(await one('select id + theirs() from elsewhere.books')).toBe(15)
    await run('drop function theirs')
  })

  it('has a backup of what is the shop’s', async () => {
    await run('create table books (id integer)')
    const other = join(folder, 'other')
    const told: string[] = []
    await writeBackup(opened.db, other, (table) => told.push(table))
    await run('drop table books')
    expect(told).toContain('categories')
    expect(told).not.toContain('books')
    await restoreBackup(opened.db, other, { replace: true })
  })
})

it('nobody is signed in after a restore who was when the backup was taken', async () => {
  const shop = await shopOn(opened.db)
  const person = await addPerson(opened.db)
  const mayCome = async () => (await shop.get('/auth/user-auth', { token: person.token })).status
  expect(await mayCome()).toBe(200)
  const other = join(folder, 'signed-in')
  await writeBackup(opened.db, other)
  await restoreBackup(opened.db, other, { replace: true })
  expect(await mayCome()).toBe(401)
  expect(await opened.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  await shop.app.close()
})

it.skipIf(!onServer)('a backup is read in UTC, wherever the server thinks it is', async () => {
  await run(
    'create table elsewhere.heard (zone text)',
    `create function elsewhere.hear() returns event_trigger language plpgsql as $$ begin
      insert into elsewhere.heard values (current_setting('timezone')); end $$`,
    'create event trigger hears on ddl_command_end execute function elsewhere.hear()',
    `do $$ begin
      execute format('alter database %I set timezone = %L', current_database(), 'Europe/Berlin');
    end $$`,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    "set timezone = 'Europe/Berlin'",
    'truncate elsewhere.heard',
  )
  await restore()
  expect(await one("select string_agg(distinct zone, ' ') from elsewhere.heard")).toBe('UTC')
  await run('drop event trigger hears')
})
