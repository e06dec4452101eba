/** Health checks, request log and request ids. */
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { logOptions } from '#server/operation/request-log.ts'
import { INTERNAL_ADDRESS, requestIdHeader } from '#server/operation/requests.ts'
import { openTestDatabase } from '../support/database.ts'

let opened: OpenDatabase
const lines: Record<string, unknown>[] = []
const stream = new Writable({
  write(line, _encoding, done) {
    lines.push(JSON.parse(String(line)))
    done()
  },
})

/** The shop behind a proxy at 10.0.0.1. */
async function openApp(level: string) {
  const config = readConfig({ SANDBOX_SECRET: 'test-secret', TRUST_PROXY: '10.0.0.0/8' })
  const app = await createApp({
    config,
    db: opened.db,
    logger: { ...logOptions(level), stream },
  })
  app.get('/fails', () => {
    throw Object.assign(new Error('no'), { params: ['a hash'], detail: 'a row' })
  })
  app.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1100))
    return {}
  })
  app.get('/tells', async (request) => {
    request.log.info({ body: { password: 'p4ss', answer: 'cr1cket' } }, 'told')
    request.log.info({ headers: { authorization: 't0ken', cookie: 'c00kie' } }, 'told')
    request.log.info({ user: { session: { token: 't0ken' } }, newPassword: 'p4ss' }, 'told')
    return {}
  })
  return app
}

type App = Awaited<ReturnType<typeof openApp>>
let app: App

beforeAll(async () => {
  opened = await openTestDatabase()
  app = await openApp('info')
})
beforeEach(() => {
  lines.length = 0
})
afterAll(async () => {
  await app.close()
  await opened.close()
})

describe('/healthz and /readyz', () => {
  it('say that all is well, and are kept by nobody', async () => {
    for (const [url, status] of Object.entries({ '/healthz': 'alive', '/readyz': 'ready' })) {
      const reply = await app.inject(url)
      expect(reply.statusCode).toBe(200)
      expect(reply.json()).toEqual({ status })
      expect(reply.headers['cache-control']).toBe('no-store')
    }
  })

  it('ask the database once, however many ask', async () => {
    const fresh = await openApp('silent')
    const replies = await Promise.all(Array.from({ length: 50 }, () => fresh.inject('/readyz')))
    expect(replies.every(({ statusCode }) => statusCode === 200)).toBe(true)
    await fresh.close()
  })

  it('send nobody to a shop whose database is older than itself', async () => {
    const takes = sql`delete from kysely_migration where name <> '0001_shop' returning *`
    const { rows } = await takes.execute(opened.db)
    const fresh = await openApp('silent')
    const reply = await fresh.inject('/readyz')
    expect(reply.statusCode).toBe(503)
    expect(reply.json().message).toBe('The database is not up to date.')
    await fresh.close()
    await sql`
      insert into kysely_migration
      select * from jsonb_populate_recordset(null::kysely_migration, ${JSON.stringify(rows)}::jsonb)`.execute(
      opened.db,
    )
  })
})

describe('the id of a request', () => {
  const A_LOGIN = {
    method: 'POST',
    url: '/api/v1/auth/login',
    headers: { 'content-type': 'application/json' },
  } as const
  const idOf = async (id: string, remoteAddress: string) =>
    (await app.inject({ url: '/healthz', remoteAddress, headers: { 'x-request-id': id } })).headers[
      'x-request-id'
    ]

  it('is taken from a proxy that is trusted, and from our own renderer', async () => {
    expect(await idOf('abc-DEF_1.2', '10.0.0.1')).toBe('abc-DEF_1.2')
    const headers = requestIdHeader('of-the-page')
    const reply = await app.inject({ url: '/healthz', headers, remoteAddress: INTERNAL_ADDRESS })
    expect(reply.headers['x-request-id']).toBe('of-the-page')
  })

  it.each([
    ['a stranger', 'abc', '203.0.113.5'],
    ['nobody known', 'abc', ''],
    ['a proxy that sends too much', 'x'.repeat(65), '10.0.0.1'],
    ['a proxy that sends a line of a log', 'a" "b', '10.0.0.1'],
    ['a proxy that sends nothing', '', '10.0.0.1'],
  ])('is made anew for %s', async (_who, id, from) => {
    expect(await idOf(id, from)).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([
    ['on our side', { url: '/fails' }, 500],
    ['for nothing is there', { url: '/api/v1/nothing' }, 404],
    ['for nobody is logged in', { url: '/api/v1/auth/user-auth' }, 401],
    ['for the address is broken', { url: '/api/v1/product/get-product/%E0%A4%A' }, 400],
    ['for a body is too large', { ...A_LOGIN, payload: 'x'.repeat(2 ** 21) }, 413],
  ])('stands in the header and the body of what failed %s', async (_why, request, status) => {
    const failed = await app.inject(request)
    expect(failed.statusCode).toBe(status)
    expect(failed.json().requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(failed.headers['x-request-id']).toBe(failed.json().requestId)
  })
})

describe('the log', () => {
  it('has one line for a request that failed, with its id and why, and no parameters', async () => {
    const { headers } = await app.inject('/fails?email=a@example.com')
    expect(lines).toEqual([
      expect.objectContaining({
        level: 50,
        msg: 'request failed',
        requestId: headers['x-request-id'],
        route: '/fails',
        res: { status: 500 },
        req: { method: 'GET', path: '/fails', from: '127.0.0.1' },
        err: { type: 'Error', message: 'no', stack: expect.stringContaining('Error: no') },
      }),
    ])
  })

  it('has one for a request that was slow, and none for the others', async () => {
    await app.inject('/healthz')
    await app.inject('/api/v1/nothing')
    expect(lines).toEqual([])
    await app.inject('/slow')
    expect(lines).toEqual([expect.objectContaining({ level: 30, msg: 'request was slow' })])
  })

  it('has one for every request when it is asked for more', async () => {
    const talkative = await openApp('debug')
    await talkative.inject('/healthz')
    expect(lines).toEqual([expect.objectContaining({ level: 20, route: '/healthz' })])
    await talkative.close()
  })

  it('warns once of a proxy on this machine or near it that is not trusted', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.5' }
    const warnings = () => lines.filter(({ level }) => level === 40)
    await app.inject({ url: '/healthz', headers, remoteAddress: '10.0.0.1' })
    await app.inject({ url: '/healthz', headers, remoteAddress: '203.0.113.9' })
    await app.inject({ url: '/healthz', remoteAddress: '127.0.0.1' })
    expect(warnings()).toEqual([])
    for (const remoteAddress of ['::ffff:127.0.0.1', '192.168.1.1']) {
      await app.inject({ url: '/healthz', headers, remoteAddress })
      await app.inject({ url: '/fails', headers, remoteAddress })
    }
    const msg = expect.stringContaining('TRUST_PROXY')
    expect(warnings()).toEqual([expect.objectContaining({ proxy: '::ffff:127.0.0.1', msg })])
    // the header of an untrusted peer is ignored
    const failed = lines.filter(({ msg }) => msg === 'request failed').map(({ req }) => req)
    expect(failed).toMatchObject([{ from: '::ffff:127.0.0.1' }, { from: '192.168.1.1' }])
  })

  it('shows no secret', async () => {
    await app.inject('/tells')
    expect(lines).toHaveLength(3)
    expect(JSON.stringify(lines)).not.toMatch(/p4ss|cr1cket|t0ken|c00kie/)
    expect(JSON.stringify(lines)).toContain('[secret]')
  })
})
