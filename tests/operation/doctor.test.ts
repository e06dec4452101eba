import { once } from 'node:events'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { compareClocks } from '#app/shared/server/doctor/clock.ts'
import { formatFinding } from '#app/shared/server/doctor/finding.ts'
import { openDatabase } from '#db/connect.ts'
import { readConfig } from '#server/config.ts'
import { examine } from '#server/doctor/examine.ts'
import { examineNode, examineProcesses, examineProxy } from '#server/doctor/process.ts'
import { openOwnerSocket } from '#server/owner/socket.ts'
import { testDataFolder } from '#tests/support/test-folder.ts'
import { addPerson } from '../support/accounts.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { addDemoAccounts } from '../support/demo-accounts.ts'
import { addOrder } from '../support/orders.ts'

const dataDir = await testDataFolder()
beforeAll(() => chmod(dataDir, 0o700))

/** The findings about a shop with these settings, by subject. */
async function findingsOf(settings: Record<string, string>, settingsFile = 'nowhere') {
  const findings = await examine({ DATA_DIR: dataDir, ...settings }, settingsFile)
  return Object.fromEntries(findings.map((finding) => [finding.about, finding]))
}

/** The findings of a shop that has no database yet, for what does not depend on one. */
const findingsBeforeFirstStart = (settings: Record<string, string>) =>
  findingsOf({ DATA_DIR: join(dataDir, 'nowhere'), ...settings })

/** A provider with this answer. */
async function openProvider(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const keys = { RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 'secret' }
  const settings = { ...keys, RAZORPAY_API_URL: `http://127.0.0.1:${port}` }
  return { settings, close: () => server.close() }
}

const LIVE = {
  RAZORPAY_KEY_ID: 'rzp_live_1',
  RAZORPAY_KEY_SECRET: 'secret',
  CURRENCY_DISPLAY: 'INR',
  CURRENCY_CHARGE: 'INR',
}

const SHOP = { SHOP_URL: 'https://shop.example.com' }
const TEST_KEYS = {
  RAZORPAY_KEY_ID: 'rzp_test_1',
  RAZORPAY_KEY_SECRET: 'secret',
  RAZORPAY_API_URL: 'http://127.0.0.1:1',
}

describe('the doctor', () => {
  it('names a Node that lacks security fixes, and what to install', async () => {
    const { Node } = await findingsBeforeFirstStart({})
    expect(Node).toEqual({ about: 'Node', state: 'ok', found: process.versions.node })
    expect(formatFinding(examineNode('24.21.0'))).toBe(
      'WRONG Node: 24.21.0 lacks security fixes\n      Install 22.23.4, 24.22.1, 26.12.1 or a newer one of these.',
    )
  })

  it('finds nothing wrong with a shop that is well, running or not', async () => {
    const found = await findingsOf({ PAYMENTS: 'sandbox' })
    expect(Object.values(found).filter(({ state }) => state === 'problem')).toEqual([])
    expect(found).toMatchObject({
      Settings: { state: 'ok' },
      'Data folder': { state: 'ok' },
      Disk: { found: expect.stringMatching(/^\d+ MB are free/) },
      Database: { state: 'ok', found: expect.stringMatching(/^PostgreSQL \d/) },
      Clock: { state: 'ok' },
      Invariants: { state: 'ok' },
      Proxy: { state: 'warning' },
      'Test payments': { state: 'warning' },
    })
    const shop = await openDatabase({ dataDir })
    const closeSocket = await openOwnerSocket(shop, dataDir)
    expect((await findingsOf({})).Database).toMatchObject({ state: 'ok' })
    await closeSocket()
    await shop.close()
  })

  it('names the rows that break an invariant', async () => {
    const folder = await unpackDatabase()
    const { db, close } = await openDatabase({ dataDir: folder })
    const { id } = await addOrder(db, await addPerson(db))
    await db.updateTable('orders').set({ total_minor: 1 }).where('id', '=', id).execute()
    await close()
    const found = await findingsOf({ DATA_DIR: folder })
    expect(found.Invariants).toBeUndefined()
    expect(found['Invariant order_amount']).toMatchObject({
      state: 'problem',
      found: `an order of another amount or currency than its payment (1): ${id}`,
    })
    await rm(folder, { recursive: true })
  })

  it('says which setting is wrong, and goes no further', async () => {
    const found = await findingsOf({ PORT: 'http' })
    expect(Object.keys(found)).toEqual(['Settings'])
    expect(found.Settings).toMatchObject({
      state: 'problem',
      found: expect.stringMatching(/^PORT /),
    })
  })

  it('names the line of the settings file that is wrong, and the setting that is meant', async () => {
    const file = join(dataDir, 'settings')
    await writeFile(file, 'DATABSE_URL=postgres://host/name\n')
    await chmod(file, 0o600)
    expect((await findingsOf({}, file)).Settings).toMatchObject({
      state: 'problem',
      found: `Line 1 of ${file} sets DATABSE_URL, which is unknown. Is it DATABASE_URL?`,
    })
    await rm(file)
  })

  it('says what to do about a database that cannot be reached', async () => {
    const found = await findingsOf({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/shop' })
    expect(found.Database).toMatchObject({
      state: 'problem',
      advice: expect.stringContaining('DATABASE_URL'),
    })
    const other = await openDatabase({ dataDir })
    expect((await findingsOf({})).Database).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('Another process is using the database'),
    })
    await other.close()
  })

  it.each([
    [{}, 97, []],
    [{ DATABASE_URL: 'postgres://host', WORKERS: '1' }, 97, ['ok']],
    [{ DATABASE_URL: 'postgres://host', WORKERS: '64' }, 500, ['warning']],
    [{ DATABASE_URL: 'postgres://host', WORKERS: '8' }, 60, ['problem']],
  ])('says whether so many processes have room: %o, %i connections', (settings, room, states) => {
    const findings = examineProcesses(readConfig(settings), room)
    expect(findings.map(({ state }) => state)).toEqual(states)
  })

  it('makes nothing where there is no database yet', async () => {
    const nowhere = join(dataDir, 'nowhere')
    expect(await findingsOf({ DATA_DIR: nowhere })).toMatchObject({
      'Data folder': { state: 'ok' },
      Database: { state: 'ok', found: expect.stringContaining('not created yet') },
    })
  })

  it('sees who can read what is secret', async () => {
    const file = join(dataDir, 'settings')
    await writeFile(file, 'RAZORPAY_KEY_SECRET=secret', { mode: 0o644 })
    expect((await findingsOf({}, file)).Permissions).toMatchObject({
      state: 'problem',
      advice: `Run: chmod 600 ${file}`,
    })
    await chmod(file, 0o600)
    expect((await findingsOf({}, file)).Permissions).toMatchObject({ state: 'ok' })
    await chmod(dataDir, 0o755)
    expect((await findingsOf({}))['Data folder']).toMatchObject({ state: 'problem' })
    await chmod(dataDir, 0o700)
  })

  it.each([
    [{}, 'warning', 'set TRUST_PROXY=loopback'],
    [{ HOST: '0.0.0.0' }, 'warning', 'set TRUST_PROXY=loopback'],
    [LIVE, 'problem', 'set TRUST_PROXY=loopback'],
    [{ ...LIVE, TRUST_PROXY: 'loopback' }, 'ok', undefined],
  ])('says whether customers can be told apart: %o', async (settings, state, advice) => {
    const config = readConfig(settings)
    expect(examineProxy(config)).toMatchObject({
      about: 'Proxy',
      state,
      ...(advice && { advice: expect.stringContaining(advice) }),
    })
  })

  it('says which setting leads to where the provider is not', async () => {
    const keys = { RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 'secret' }
    const settings = { ...keys, RAZORPAY_API_URL: 'http://127.0.0.1:1' }
    expect((await findingsBeforeFirstStart(settings)).Payments).toMatchObject({
      state: 'problem',
      found: expect.not.stringContaining('fetch failed'),
      advice: expect.stringContaining('RAZORPAY_API_URL is http://127.0.0.1:1'),
    })
  })

  it.each([
    [200, 'ok', 'Razorpay knows the test keys'],
    [401, 'problem', 'Razorpay does not know the test keys'],
    [500, 'problem', 'Razorpay cannot be reached: it answered 500'],
  ])('asks the provider about the keys: %s', async (status, state, found) => {
    let asked = ''
    const { settings, close } = await openProvider((request, reply) => {
      asked = `${request.url} ${request.headers.authorization}`
      reply.writeHead(status).end('{}')
    })
    const { Payments } = await findingsBeforeFirstStart(settings)
    expect(Payments).toMatchObject({ state, found })
    expect(asked).toBe(`/v1/orders?count=1 Basic ${btoa('rzp_test_1:secret')}`)
    close()
  })

  it('says that nobody can pay in a shop without payments', async () => {
    expect((await findingsOf({})).Payments).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('not set up'),
    })
  })

  it.each<[Record<string, string>, about: string, state: string, found: string]>([
    [{}, 'Test payments', 'warning', 'they go to the sandbox'],
    [{ PAYMENTS: 'sandbox' }, 'Test payments', 'warning', 'they go to the sandbox'],
    [{ PAYMENTS: 'sandbox', ...SHOP }, 'Test payments', 'problem', SHOP.SHOP_URL],
    [TEST_KEYS, 'Test payments', 'warning', 'RAZORPAY_KEY_ID is a test key'],
    [{ ...TEST_KEYS, ...SHOP }, 'Test payments', 'problem', SHOP.SHOP_URL],
  ])('says whether customers can pay with money: %o', async (settings, about, state, found) => {
    expect((await findingsBeforeFirstStart(settings))[about]).toMatchObject({
      state,
      found: expect.stringContaining(found),
    })
  })

  it('says that anybody may log in to a demo', async () => {
    const demo = await unpackDatabase()
    const { db, close } = await openDatabase({ dataDir: demo })
    await addDemoAccounts(db)
    await close()
    const states: [settings: Record<string, string>, state: string][] = [
      [{}, 'warning'],
      [SHOP, 'problem'],
      [{ DEMO: 'off' }, 'problem'],
      [LIVE, 'problem'],
    ]
    for (const [settings, state] of states)
      expect((await findingsOf({ DATA_DIR: demo, ...settings })).Demo).toMatchObject({
        state,
        found: expect.stringContaining('admin@example.com and customer@example.com'),
        advice: expect.stringContaining('DEMO=off'),
      })
    await rm(demo, { recursive: true })
  })

  it('compares the clock with the provider', async () => {
    const { settings, close } = await openProvider((_request, reply) => {
      reply.sendDate = false
      reply.writeHead(200, { date: new Date(Date.now() - 90_000).toUTCString() }).end('{}')
    })
    const findings = await examine({ DATA_DIR: dataDir, ...settings }, 'nowhere')
    const clocks = findings.filter(({ about }) => about === 'Clock').map(({ state }) => state)
    expect(clocks).toEqual(['ok', 'problem'])
    close()
  })
})

it('a clock is wrong when it is half a minute off, whichever way', () => {
  const asked = 1_000_000
  const answered = 1_002_000
  const stateAt = (ms: number) => compareClocks('somebody', new Date(ms), [asked, answered]).state
  expect([969_000, 970_000, 1_001_000, 1_032_000, 1_033_000].map(stateAt)).toEqual([
    'problem',
    'ok',
    'ok',
    'ok',
    'problem',
  ])
})

it('a finding is told in a line, and what to do in the next', () => {
  const finding = { state: 'problem', about: 'Disk', found: 'full', advice: 'Make room.' } as const
  expect(formatFinding(finding)).toBe('WRONG Disk: full\n      Make room.')
})
