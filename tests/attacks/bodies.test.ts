/** Large bodies of JSON in every shape, and what they leave in the memory of a shop. */

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isForStaff } from '#app/shared/contract/access.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { askOver } from '#tests/support/cached-shop.ts'
import { addressOf, declared } from '#tests/support/declared.ts'
import { testShop } from '#tests/support/shop.ts'
import { type ShopProcess, startShopProcess } from '#tests/support/shop-process.ts'
import { testDataFolder } from '#tests/support/test-folder.ts'

const MEBIBYTE = 1024 * 1024
/** Beside the text, a body has keys. */
const TEXT = MEBIBYTE - 1024

const repeated = (part: string, bytes: number) => part.repeat(Math.floor(bytes / part.length))

/** JSON values of almost a mebibyte. */
const SHAPES: Record<string, string> = {
  'nested lists': `[${repeated(`${'['.repeat(60)}${']'.repeat(60)},`, TEXT)}0]`,
  'empty lists': `[${repeated('[],', TEXT)}0]`,
  'empty objects': `[${repeated('{},', TEXT)}0]`,
  numbers: `[${repeated('0,', TEXT)}0]`,
  keys: `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":0,`).join('')}"k":0}`,
}
/** As many parts as a body may have, and a long text. */
const LARGEST = `[${'{},'.repeat(24_000)}"${'x'.repeat(900 * 1024)}"]`

/** The body with the value in each field that the call has. */
function bodyWith({ body }: Endpoint, value: string) {
  const [field = 'ignored'] = Object.keys(Object(Object(body).properties))
  return `{"${field}":${value}}`
}

const isSent = ({ method, multipart, upload, raw, body, access }: Endpoint) =>
  method !== 'GET' && body && !multipart && !upload && !raw && !isForStaff(access)

const calls = declared.filter(([, call]) => isSent(call))

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** The heap in bytes after a garbage collection. */
function heap() {
  collect()
  return process.memoryUsage().heapUsed
}

describe('class 16', () => {
  const shop = testShop()
  const send = async ({ method, path, params }: Endpoint, payload: string, token: string) => {
    const { statusCode } = await shop.app.inject({
      method,
      url: API_PREFIX + addressOf({ path, params } as Endpoint),
      headers: { 'content-type': 'application/json', authorization: token },
      payload,
    })
    return statusCode
  }

  it.each(Object.entries(SHAPES))(
    '%s of a mebibyte are refused by every call',
    async (_, value) => {
      const { token } = await addPerson(shop.db)
      for (const [name, call] of calls)
        expect(await send(call, bodyWith(call, value), token), name).toBe(400)
    },
  )

  it('no call keeps a body that it refused', async () => {
    const { token } = await addPerson(shop.db)
    // compiles the schemas
    for (const [, call] of calls) await send(call, bodyWith(call, '[{}]'), token)
    const before = heap()
    for (const [, call] of calls) await send(call, bodyWith(call, LARGEST), token)
    // each takes 3 MB when it is parsed, and the server still holds the latest
    expect(heap() - before).toBeLessThan(12 * MEBIBYTE)
  })
})

/** Sends a body over a connection of its own; the status, or 0 where the connection breaks. */
async function post(address: string, agent: Agent, from: string, body: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-forwarded-for': from,
  }
  const sent = request(`${address}${API_PREFIX}/checkout/quote`, { method: 'POST', headers, agent })
  sent.end(body)
  try {
    const [answer] = await once(sent, 'response')
    answer.resume()
    await once(answer, 'end')
    return answer.statusCode
  } catch {
    return 0
  }
}

describe('class 16, of 160 bodies at once', () => {
  let shop: ShopProcess
  const agent = new Agent({ maxSockets: 200 })
  beforeAll(async () => {
    const settings = { DATA_DIR: await testDataFolder(), DEMO: 'off', SANDBOX_SECRET: 's' }
    shop = await startShopProcess({ ...settings, RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' })
  })
  afterAll(async () => {
    agent.destroy()
    await shop?.stop()
  })

  it('a shop goes on, serves others, and keeps nothing', async () => {
    const ids = Array.from({ length: 200 }, () => ({ _id: crypto.randomUUID() }))
    const body = JSON.stringify({ cart: ids, filler: 'x'.repeat(MEBIBYTE - 20_000) })
    const bodies = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'].flatMap((from) =>
      Array.from({ length: 40 }, () => post(shop.address, agent, from, body)),
    )
    const { status } = await askOver(shop.address, agent)('/', {
      headers: { 'x-forwarded-for': '198.51.100.1' },
    })
    expect(status).toBe(200)
    expect(new Set(await Promise.all(bodies))).toEqual(new Set([200]))
    expect(shop.isAlive()).toBe(true)
  })
})
