/** The published logins of the demo work on this machine only. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { testDataFolder } from '#tests/support/test-folder.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { addDemoAccounts } from '../support/demo-accounts.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'

// a test starts up to three shops, each a process
vi.setConfig({ testTimeout: 120_000 })

const API = '/api/v1/auth'

type Sent = { body?: object; headers?: Record<string, string> }
type Answer = { status: number | undefined; text: string; token: string }

/** `fetch` cannot set the Host header. */
const send = ({ address }: ShopProcess, path: string, { body, headers = {} }: Sent = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const sent = body && JSON.stringify(body)
    const typed = { ...(sent && { 'content-type': 'application/json' }), ...headers }
    const method = sent ? 'POST' : 'GET'
    request(address + path, { method, headers: typed }, async (answer) => {
      const said = await text(answer)
      const token = said.startsWith('{') ? JSON.parse(said).token : ''
      resolve({ status: answer.statusCode, text: said, token })
    })
      .once('error', reject)
      .end(sent)
  })

const logIn = (shop: ShopProcess, headers: Record<string, string> = {}, facts: object = {}) => {
  const { email, password } = DEMO_ADMIN
  return send(shop, `${API}/login`, { body: { email, password, ...facts }, headers })
}

const answerQuestion = (shop: ShopProcess, { email, answer }: typeof DEMO_ADMIN, headers = {}) =>
  send(shop, `${API}/forgot-password`, {
    body: { email, answer, newPassword: 'another-password-1' },
    headers,
  })

/** Headers of several proxies, and a host name of another machine. */
const FORWARDED: [how: string, headers: Record<string, string>][] = [
  ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.9' }],
  ['X-Forwarded-Proto', { 'x-forwarded-proto': 'https' }],
  ['Forwarded', { forwarded: 'for=203.0.113.9' }],
  ['X-Real-IP', { 'x-real-ip': '203.0.113.9' }],
  ['Via', { via: '1.1 proxy' }],
  ['CF-Connecting-IP', { 'cf-connecting-ip': '203.0.113.9' }],
  ['a foreign Origin', { origin: 'https://shop.example.com' }],
  ['another host', { host: 'shop.example.com' }],
  ['a host with user info', { host: 'evil@127.0.0.1:3000' }],
  ['a host with a path', { host: '127.0.0.1/evil' }],
  ['Client-IP', { 'client-ip': '203.0.113.9' }],
  ['X-Envoy-External-Address', { 'x-envoy-external-address': '203.0.113.9' }],
]

/** A shop with the accounts of the demo, from which each test gets a copy. */
const template = await testDataFolder()
let folder: string
let shop: ShopProcess | undefined
beforeAll(async () => {
  const { db, close } = await openDatabase({ dataDir: template })
  await addDemoAccounts(db)
  await close()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-demo-'))
  await cp(template, folder, { recursive: true })
})
afterEach(async () => {
  await shop?.stop()
  shop = undefined
  await rm(folder, { recursive: true, force: true })
})

const start = async (settings: Record<string, string> = {}) => {
  shop = await startShopProcess({ DATA_DIR: folder, SANDBOX_SECRET: 's', ...settings })
  return shop
}

describe('a demo that is turned off', () => {
  it('is locked before it is open, and stays locked', async () => {
    const before = await start()
    const { status, token } = await logIn(before)
    expect(status).toBe(200)
    await before.stop()

    const off = await start({ DEMO: 'off' })
    await expect
      .poll(off.written, { timeout: 10_000 })
      .toMatch(/^DEMO is off: admin@example\.com and customer@example\.com can no/m)
    expect((await logIn(off)).status).toBe(401)
    expect((await answerQuestion(off, DEMO_ADMIN)).status).toBe(404)
    const former = await send(off, `${API}/admin-auth`, { headers: { authorization: token } })
    expect(former.status).toBe(401)
    expect((await send(off, '/login')).text).not.toContain(DEMO_ADMIN.password)
    await off.stop()

    // without the setting
    const again = await start()
    expect((await logIn(again)).status).toBe(401)
    expect((await send(again, '/login')).text).not.toContain(DEMO_ADMIN.password)
    expect(again.written()).not.toContain('Demo admin')
  })
})

describe('a real shop with a demo that was never turned off', () => {
  it('does not start, and says what to do', async () => {
    const refusal = await start({ SHOP_URL: 'https://shop.example.com' }).then(() => '', String)
    expect(refusal).toContain('ended with 1')
    expect(refusal).toContain('SHOP_URL is https://shop.example.com')
    expect(refusal).toContain('Set DEMO=off')
    expect(refusal).toContain('npm run shop -- admin create')
  })

  it('does not start either when only the answer is still the published one', async () => {
    const here = await start()
    const { token } = await logIn(here)
    const change = { password: 'the-owners-own-1', currentPassword: DEMO_ADMIN.password }
    const changed = await fetch(`${here.address}${API}/profile`, {
      method: 'PUT',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(change),
    })
    expect(changed.status).toBe(200)
    await here.stop()
    const refusal = await start({ SHOP_URL: 'https://shop.example.com' }).then(() => '', String)
    expect(refusal).toContain('logins work for admin@example.com and customer@example.com')
  })
})

describe('a demo behind a proxy', () => {
  it('shows its login, and lets it in, at this machine alone', async () => {
    const here = await start()
    const own = await logIn(here)
    expect(own.status).toBe(200)
    expect((await send(here, '/login')).text).toContain(DEMO_ADMIN.password)
    expect(
      (await send(here, `${API}/admin-auth`, { headers: { authorization: own.token } })).status,
    ).toBe(200)
    for (const [how, headers] of FORWARDED) {
      const wrong = await logIn(here, headers, { password: 'not-this-one' })
      const right = await logIn(here, headers, { email: ' Admin@Example.com' })
      expect([right.status, right.token], how).toEqual([wrong.status, undefined])
      expect(right.status, how).toBe(401)
      const withToken = { ...headers, authorization: own.token }
      for (const call of ['admin-auth', 'user-auth', 'orders'])
        expect((await send(here, `${API}/${call}`, { headers: withToken })).status, how).toBe(401)
      for (const page of ['/login', '/', '/login.data'])
        expect((await send(here, page, { headers })).text, `${page}, ${how}`).not.toContain(
          DEMO_ADMIN.password,
        )
    }
    expect((await answerQuestion(here, DEMO_ADMIN, { via: '1.1 proxy' })).status).toBe(404)
    // answers for proxies are not cached for others
    expect((await send(here, '/login')).text).toContain(DEMO_ADMIN.password)
    expect((await logIn(here)).status).toBe(200)
  })

  it('serves everybody else who comes through it', async () => {
    const here = await start()
    const facts = { name: 'Asha', email: 'asha@example.com', password: 'correct horse', phone: '1' }
    const headers = { 'x-forwarded-for': '203.0.113.9', host: 'shop.example.com' }
    const body = { ...facts, address: '1 Lane', answer: 'an-answer' }
    expect((await send(here, `${API}/register`, { body, headers })).status).toBe(201)
    const { status, token } = await logIn(here, headers, facts)
    expect(status).toBe(200)
    const asked = await send(here, `${API}/user-auth`, {
      headers: { ...headers, authorization: token },
    })
    expect(asked.status).toBe(200)
  })
})

describe('a new shop that others reach', () => {
  let empty: string
  beforeAll(async () => {
    empty = await unpackDatabase()
  })
  afterAll(() => rm(empty, { recursive: true }))

  it('loads no demo unless it is told to', async () => {
    const open = await start({ DATA_DIR: empty, SHOP_URL: 'https://shop.example.com' })
    expect((await logIn(open)).status).toBe(401)
    expect(open.written()).not.toContain('Demo')
  })
})
