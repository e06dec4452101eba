/** What is installed and built: class 26 and 28; what a shop that says it is real leaves on: class 29. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { DEMO_ADMIN, DEMO_CUSTOMER } from '#db/demo/accounts.ts'
import { DEMO_FACT } from '#db/demo/load-demo.ts'
import { unpackDatabase } from '#tests/support/database-image.ts'
import { shopOn } from '#tests/support/shop.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { sendTo } from './support/http.ts'
import { asJson, by } from './support/requests.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

type Locked = { resolved?: string; integrity?: string; hasInstallScript?: boolean; link?: boolean }
type Packages = Record<string, Locked>

/** Packages that run a script when they are installed, each with its reason. */
const SCRIPTS: Record<string, string> = {}

/** What of a lockfile would let other code in than was reviewed. */
const looseIn = (packages: Packages): string[] =>
  Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, { resolved = '', integrity = '', hasInstallScript }]) => [
      ...(resolved === '' || resolved.startsWith('https://registry.npmjs.org/')
        ? []
        : [`${path} is from ${resolved}`]),
      ...(integrity.startsWith('sha512-') ? [] : [`${path} has no checksum`]),
      ...(hasInstallScript && !(path in SCRIPTS) ? [`${path} runs a script`] : []),
    ])

describe('class 28: the lockfile', () => {
  it('pins every package by its checksum, from the public registry, without scripts', () => {
    const { packages } = JSON.parse(read('package-lock.json'))
    expect(Object.keys(packages).length).toBeGreaterThan(100)
    expect(looseIn(packages)).toEqual([])
  })

  it('would be refused with a package from elsewhere, without a checksum or with a script', () => {
    const resolved = 'https://registry.npmjs.org/x'
    const planted = {
      a: { resolved: 'https://evil.example/x.tgz', integrity: 'sha512-x' },
      b: { resolved, integrity: '' },
      c: { resolved, integrity: 'sha512-x', hasInstallScript: true },
    }
    expect(looseIn(planted).map((found) => found[0])).toEqual(['a', 'b', 'c'])
  })
})

/** What only a build with React Server Components, or server functions, has in it. */
const RSC =
  /react-server-dom|decodeReply|registerServerReference|createFromReadableStream|rsc-action-id|"use server"/

function built(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => read(`${folder}${name}`))
}

describe('class 26: the build', () => {
  it('has no deserialiser of objects: no server components, no server functions', () => {
    const scripts = [...built('build/server/'), ...built('build/client/assets/')]
    expect(scripts.length).toBeGreaterThan(10)
    expect(scripts.filter((script) => RSC.test(script))).toEqual([])
    expect(Object.keys(JSON.parse(read('package-lock.json')).packages)).not.toContainEqual(
      expect.stringContaining('react-server-dom'),
    )
  })

  it('would be refused with one', () => {
    expect('import{decodeReply}from"react-server-dom-webpack/server"').toMatch(RSC)
  })
})

const folders: string[] = []
let demoFolder = ''

/** A database that had the demo: its accounts are made by the front door. */
async function prepareDemo() {
  const dataDir = await unpackDatabase()
  const { db, close } = await openDatabase({ dataDir })
  const shop = await shopOn(db)
  for (const body of [DEMO_ADMIN, DEMO_CUSTOMER])
    expect((await shop.post('/auth/register', { body })).status).toBe(201)
  await db
    .updateTable('users')
    .set({ is_admin: true })
    .where('email', '=', DEMO_ADMIN.email)
    .execute()
  await db.insertInto('shop_facts').values(DEMO_FACT).execute()
  await shop.app.close()
  await close()
  return dataDir
}

beforeAll(async () => {
  demoFolder = await prepareDemo()
  folders.push(demoFolder)
})
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const LIVE = {
  RAZORPAY_KEY_ID: 'rzp_live_x',
  RAZORPAY_KEY_SECRET: 's',
  // nobody is there: no test reaches the provider
  RAZORPAY_API_URL: 'https://127.0.0.1:9',
  RATE_LIMIT: 'on',
  CURRENCY_DISPLAY: 'INR',
  CURRENCY_CHARGE: 'INR',
}

type Real = {
  settings: Record<string, string>
  headers?: Record<string, string>
  /** A demo that others reach: payments are tests, and the hint is of no use to them. */
  isDemo?: boolean
}

/** What an owner sets who opens to the public; the last is said by each request. */
const PUBLIC = { SHOP_URL: 'https://shop.example.com' }
const REAL: Record<string, Real> = {
  'DEMO=off': { settings: { DEMO: 'off' } },
  'a public address': { settings: PUBLIC },
  'live keys': { settings: LIVE },
  'all of it': { settings: { ...LIVE, ...PUBLIC, DEMO: 'off', TRUST_PROXY: 'loopback' } },
  'a proxy in front': {
    settings: {},
    isDemo: true,
    headers: {
      'x-forwarded-for': '203.0.113.1',
      'x-forwarded-host': 'shop.example.com',
      'x-forwarded-proto': 'https',
    },
  },
}

/** Tries every default of a shop with these settings; a shop that refuses to start has none. */
async function defaultsOn({ settings, headers = {}, isDemo }: Real): Promise<string[]> {
  const dataDir = `${demoFolder}-${randomUUID()}`
  folders.push(dataDir)
  await cp(demoFolder, dataDir, { recursive: true })
  const shop = await startShopProcess({ DATA_DIR: dataDir, ...settings }).catch((error: Error) => {
    // it says what is wrong, and is no crash
    expect(error.message).toMatch(/demo/i)
    return null
  })
  if (!shop) return []
  const agent = new Agent()
  const send = sendTo(shop.address, agent)
  const post = (path: string, body: object, token = '') =>
    send(
      by(
        { ...headers, authorization: token },
        { method: 'POST', path: `/api/v1${path}`, ...asJson(body) },
      ),
    )
  const found: string[] = []
  for (const { email, password, answer } of [DEMO_ADMIN, DEMO_CUSTOMER]) {
    const login = await post('/auth/login', { email, password })
    if (login.status < 400) found.push(`${email} logs in`)
    const reset = await post('/auth/forgot-password', {
      email,
      answer,
      newPassword: 'another-horse',
    })
    if (reset.status < 400) found.push(`${email} is reset`)
  }
  const buyer = { ...DEMO_CUSTOMER, email: 'buyer@shop.example', password: 'correct-horse' }
  expect((await post('/auth/register', buyer)).status).toBe(201)
  const { token } = JSON.parse((await post('/auth/login', buyer)).text)
  const started = await post('/product/razorpay/order', { amount: 1250 }, token)
  if (started.status < 400 && !isDemo) found.push('a payment is taken for nothing')
  const { text } = await send({ method: 'GET', path: '/login', headers })
  if (text.includes(DEMO_ADMIN.password) && !isDemo) found.push('the log-in tells the password')
  agent.destroy()
  await shop.stop()
  return found
}

describe('class 29: a shop that says it is real', () => {
  it.each(Object.entries(REAL))('has none of its defaults on: %s', async (_what, real) => {
    expect(await defaultsOn(real)).toEqual([])
  })

  it('is told from one that is a demo, where each default works', async () => {
    expect(await defaultsOn({ settings: { DEMO: 'on' } })).toEqual([
      ...[`${DEMO_ADMIN.email} logs in`, `${DEMO_ADMIN.email} is reset`],
      ...[`${DEMO_CUSTOMER.email} logs in`, `${DEMO_CUSTOMER.email} is reset`],
      ...['a payment is taken for nothing', 'the log-in tells the password'],
    ])
  })
})
