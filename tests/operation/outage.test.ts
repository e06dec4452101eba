import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'

const LIMIT_MS = 300
const NEWCOMER = {
  name: 'Asha Rao',
  password: 'correct horse battery',
  phone: '555 0100',
  address: '1 Market Lane',
  answer: 'tea',
}

let postgres: Postgres | null
let way: DatabaseProxy
let opened: OpenDatabase
let app: FastifyInstance
const reports: string[] = []
let isDown = false

beforeAll(async () => {
  postgres = await startPostgres()
  if (!postgres) return
  way = await openDatabaseProxy(postgres.url)
  opened = await openDatabase({ databaseUrl: way.url, dataDir: '' })
  await migrate(opened.db)
  const watcher = {
    down({ message }: Error) {
      isDown = true
      reports.push(message)
    },
    up() {
      isDown = false
      reports.push('up')
    },
  }
  opened.watch(watcher, LIMIT_MS)
  const config = readConfig({ SANDBOX_SECRET: 'test-secret' })
  app = await createApp({ config, db: opened.db, logger: false })
})
afterAll(async () => {
  await app?.close()
  await opened?.close()
  await way?.close()
  await postgres?.stop()
})
beforeEach(async ({ skip }) => {
  if (!postgres) skip('PostgreSQL is not installed here.')
  await way.heal()
  await expect.poll(statusOf(categories)).toBe(200)
  await whenOver()
  reports.length = 0
})

/** Asks until the end of an outage is told. */
const whenOver = () =>
  expect
    .poll(async () => {
      await sql`select 1`.execute(opened.db)
      return isDown
    })
    .toBe(false)

const categories = () => app.inject('/api/v1/category/get-category')
const statusOf = (ask: typeof categories) => async () => (await ask()).statusCode
const login = () =>
  app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    payload: { email: 'a@example.com', password: 'correct horse' },
  })

async function expectUnavailable() {
  for (const reply of await Promise.all([categories(), login(), categories()])) {
    expect(reply.statusCode).toBe(503)
    expect(reply.headers['retry-after']).toBe('5')
    expect(reply.json()).toEqual({
      success: false,
      code: 'unavailable',
      message: 'The shop cannot be reached just now. Please try again.',
      requestId: reply.headers['x-request-id'],
    })
  }
}

describe('while the database is gone', () => {
  it('requests are refused for the moment, and served when it is back', async () => {
    await way.cut()
    await expectUnavailable()
    await expectUnavailable()
    await way.heal()
    expect((await categories()).statusCode).toBe(200)
    expect((await login()).statusCode).toBe(401)
  })

  it('that is told once, and its end once', async () => {
    await way.cut()
    await expectUnavailable()
    await expectUnavailable()
    expect(reports).toEqual([expect.stringMatching(/^The database cannot be reached: \S/)])
    await way.heal()
    await Promise.all([categories(), categories()])
    await whenOver()
    expect(reports.slice(1)).toEqual(['up'])
  })

  it('that is told once when a starting server takes some connections and refuses others', async () => {
    for (let round = 0; round < 4; round++) {
      await way.cut()
      await expectUnavailable()
      await way.heal()
      await expect.poll(statusOf(categories), { interval: 10 }).toBe(200)
    }
    await whenOver()
    expect(reports).toEqual([expect.stringMatching(/^The database cannot be reached/), 'up'])
  })

  it('that is told once when the connections break one after the other', async () => {
    await openConnections(3)
    const { db, close } = await openDatabase({ databaseUrl: postgres?.url, dataDir: '' })
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name like 'haat%' and pid <> pg_backend_pid()`.execute(
      db,
    )
    expect(rows.length).toBeGreaterThanOrEqual(3)
    for (const { pid } of rows) {
      await sql`select pg_terminate_backend(${pid}, 5000)`.execute(db)
      await expect.poll(statusOf(categories), { interval: 10 }).toBe(200)
    }
    await close()
    await whenOver()
    expect(reports).toEqual([expect.stringMatching(/^The database cannot be reached/), 'up'])
  })

  it('/readyz answers 503', async () => {
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    await way.cut()
    // a verdict is cached for a second
    await expect
      .poll(() => app.inject('/readyz'))
      .toMatchObject({
        statusCode: 503,
        headers: { 'retry-after': '5', 'cache-control': 'no-store' },
      })
    expect((await app.inject('/healthz')).statusCode).toBe(200)
  })
})

/** Opens so many connections of the pool, by using them at once. */
async function openConnections(count: number) {
  const allOpen = Promise.withResolvers<void>()
  let open = 0
  const use = () =>
    opened.db.connection().execute(async (connection) => {
      await sql`select 1`.execute(connection)
      open += 1
      if (open === count) allOpen.resolve()
      await allOpen.promise
    })
  await Promise.all(Array.from({ length: count }, use))
}

describe('while the database hangs', () => {
  it('a statement ends before the database answers, and its connection is not used again', async () => {
    // as many connections as the requests below need: a new one would wait longer
    await openConnections(3)
    way.silence()
    await expectUnavailable()
    await way.heal()
    expect((await categories()).statusCode).toBe(200)
  })
})

describe('while the database is read-only, as a replica or a former primary', () => {
  it('writes are refused for the moment, and their connections not used again', async () => {
    const writable = await openDatabase({ databaseUrl: postgres?.url, dataDir: '' })
    const setReadOnly = (value: string) =>
      sql`alter database postgres set default_transaction_read_only = ${sql.raw(value)}`.execute(
        writable.db,
      )
    await setReadOnly('on')
    // new connections
    await way.heal()
    const register = () =>
      app.inject({
        method: 'POST',
        url: '/api/v1/auth/register',
        payload: { ...NEWCOMER, email: `${randomUUID()}@example.com` },
      })
    const refused = await register()
    await setReadOnly('off')
    expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
    await writable.close()
    await expect.poll(statusOf(register)).toBe(201)
  })
})

describe('a statement that takes too long', () => {
  it('is ended by the server', async () => {
    await expect(sql`select pg_sleep(30)`.execute(opened.db)).rejects.toMatchObject({
      code: '57014',
    })
    expect(reports).toEqual([])
  })
})
