/** Shutdown of the process: by one or two signals, during jobs, and after errors. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { testDataFolder } from '#tests/support/test-folder.ts'
import { addPerson } from '../support/accounts.ts'
import { type ShopProcess, startShopProcess } from '../support/shop-process.ts'

const folder = await testDataFolder()

const start = (settings: Record<string, string> = {}) =>
  startShopProcess({ DATA_DIR: folder, DEMO: 'off', SANDBOX_SECRET: 's', ...settings })

/** A client that sends the second half of its log-in later. */
function beginRequest({ address }: ShopProcess) {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'not this one' })
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue',
  }
  const asking = request(`${address}/api/v1/auth/login`, { method: 'POST', headers })
  const answered = new Promise<number | 'cut off'>((tell) => {
    asking.once('response', (answer) => tell(answer.resume().statusCode ?? 0))
    asking.once('error', () => tell('cut off'))
  })
  asking.write(body.slice(0, 10))
  /** The request has arrived: the shop waits for the rest. */
  const arrived = once(asking, 'continue')
  return { answered, arrived, finish: () => asking.end(body.slice(10)) }
}

const isOpen = ({ address }: ShopProcess) =>
  fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  )

describe('Ctrl-C', () => {
  it('that npm passes on once more cuts nobody off', async () => {
    const shop = await start()
    const { answered, arrived, finish } = beginRequest(shop)
    await arrived
    shop.signal('SIGINT')
    await setTimeout(300)
    shop.signal('SIGINT')
    await setTimeout(200)
    finish()
    expect(await answered).toBe(401)
    expect(await shop.ended).toBe(0)
  })

  it('that comes again after two seconds ends it at once, and the exit code tells', async () => {
    const shop = await start()
    const { answered, arrived } = beginRequest(shop)
    await arrived
    shop.signal('SIGINT')
    await expect.poll(() => isOpen(shop), { timeout: 30_000 }).toBe(false)
    await setTimeout(2200)
    expect(shop.isAlive()).toBe(true)
    shop.signal('SIGINT')
    expect(await shop.ended).toBe(1)
    expect(await answered).toBe('cut off')
    expect(shop.output()).toContain('Received a second signal: open requests are cut off.')
  })
})

it('a request that never ends is aborted in time, with exit code 1', async () => {
  const shop = await start()
  const { answered, arrived } = beginRequest(shop)
  await arrived
  expect(await shop.stop()).toBe(1)
  expect(await answered).toBe('cut off')
  expect(shop.output()).toContain('Shutdown took longer than 9500 ms: open requests are cut off.')
})

/** A slow provider without payments that counts its polls. */
async function openSlowProvider() {
  let polled = 0
  const server = createServer(async (asking, answer) => {
    polled += Number(asking.url?.includes('/payments'))
    await setTimeout(400)
    answer.writeHead(200, { 'content-type': 'application/json' })
    answer.end('{"entity":"collection","count":0,"items":[]}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const settings = { RAZORPAY_KEY_ID: 'rzp_test_x', RAZORPAY_KEY_SECRET: 'key-secret' }
  return {
    polled: () => polled,
    settings: { ...settings, RAZORPAY_API_URL: `http://127.0.0.1:${port}` },
    close: () => server.close(),
  }
}

it('a job ends after the few payments that it asks about', async () => {
  const { db, close } = await openDatabase({ dataDir: folder })
  await migrate(db)
  const { id: user_id } = await addPerson(db)
  const payments = Array.from({ length: 60 }, (_none, n) => ({
    id: `01a1ff0e-0000-7000-8000-0000000000${n + 10}`,
    user_id,
    provider: 'razorpay' as const,
    provider_order_id: `order_${n}`,
    amount_minor: 1000,
    currency: 'INR',
    next_attempt_at: new Date(0),
  }))
  await db.insertInto('payments').values(payments).execute()
  await close()
  const provider = await openSlowProvider()
  const shop = await start(provider.settings)
  await expect.poll(provider.polled, { timeout: 30_000 }).toBeGreaterThan(1)
  const before = provider.polled()
  expect(await shop.stop()).toBe(0)
  // four payments are polled concurrently
  expect(provider.polled()).toBeLessThanOrEqual(before + 4)
  // the last startup messages may come late; there are no others
  const startup = /^(Payments are tests|The shop has no admin yet|Code of the first run)\b.+\n/gm
  expect(shop.output().replace(startup, '')).toBe('')
  provider.close()
})

/** A new user registers. */
const register = ({ address }: ShopProcess, email: string) => {
  const who = { name: 'Asha', email, password: 'correct horse', phone: '555 0100' }
  const body = JSON.stringify({ ...who, address: '1 Market Lane', answer: 'cricket' })
  const headers = { 'content-type': 'application/json' }
  return fetch(`${address}/api/v1/auth/register`, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => 'cut off',
  )
}

it.skipIf(process.platform !== 'linux')(
  'a shop whose embedded database crashes ends, says why, and starts again',
  async () => {
    const shop = await start()
    expect(await register(shop, 'first@example.com')).toBe(201)
    // as if the disk were full: no file can grow beyond its first pages, not even the log
    execFileSync('prlimit', ['--pid', String(shop.pid), '--fsize=8192:8192'])
    expect([503, 'cut off']).toContain(await register(shop, 'second@example.com'))
    expect(await shop.ended).toBe(1)
    expect(shop.json()).toMatch(/^{"level":60,.*"msg":"The embedded database has crashed:.*}$/m)
    const again = await start()
    expect(await register(again, 'first@example.com')).not.toBe(201)
    expect(await register(again, 'second@example.com')).toBe(201)
    expect(await again.stop()).toBe(0)
  },
)
