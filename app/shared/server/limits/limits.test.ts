import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Endpoint, Limit } from '#app/shared/contract/endpoint.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addressOf, declared } from '#tests/support/declared.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop({ RATE_LIMIT: 'on' })
const behindProxy = testShop({ RATE_LIMIT: 'on', TRUST_PROXY: '10.0.0.1' })
const unlimited = testShop()

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

let addresses = 0
/** A new address for each call. */
const anAddress = () => `198.51.${++addresses >> 8}.${addresses & 255}`

const limited = declared.filter(([, { limits }]) => limits)
const limitOf = ({ limits = [] }: Endpoint, by: Limit['by']) =>
  limits.find((limit) => limit.by === by)

async function send({ app }: typeof shop, endpoint: Endpoint, rest: object = {}) {
  // an invalid page: the request is counted, and no search runs
  const url = `/api/v1${addressOf(endpoint)}?page=x`
  return app.inject({ method: endpoint.method, url, ...rest })
}

/** Whether a call passed its limits, whatever its status. */
async function comes(at: typeof shop, endpoint: Endpoint, rest: object) {
  return (await send(at, endpoint, rest)).statusCode !== 429
}

const byAddress = limited.filter(([, endpoint]) => limitOf(endpoint, 'address'))

describe.each(byAddress)('%s', (_name, endpoint) => {
  const { max = 0, seconds = 0 } = limitOf(endpoint, 'address') ?? {}

  it('is limited by address, and says when to come again', async () => {
    const remoteAddress = anAddress()
    for (let call = 0; call < max; call++) {
      expect(await comes(shop, endpoint, { remoteAddress })).toBe(true)
    }
    const refused = await send(shop, endpoint, { remoteAddress })
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      success: false,
      code: 'rate_limited',
      requestId: refused.headers['x-request-id'],
      message: expect.stringMatching(/^Too many requests\. Try again in \d+ (second|minute)s\.$/),
    })
    expect(Number(refused.headers['retry-after'])).toBe(seconds)
    expect(await comes(shop, endpoint, { remoteAddress: anAddress() })).toBe(true)
    vi.advanceTimersByTime(seconds * 1000)
    expect(await comes(shop, endpoint, { remoteAddress })).toBe(true)
  })

  it('is not limited where limits are off', async () => {
    for (let call = 0; call <= max; call++) expect(await comes(unlimited, endpoint, {})).toBe(true)
  })
})

it('starts 300 payments a day for an address, however many accounts it has', async () => {
  const [, endpoint] = declared.find(([name]) => name === 'startPayment') ?? []
  if (!endpoint) throw new Error('startPayment is not declared.')
  const remoteAddress = anAddress()
  for (let call = 0; call < 300; call++) {
    // fewer than the limit of a minute
    if (call % 100 === 0) vi.advanceTimersByTime(60_000)
    expect(await comes(shop, endpoint, { remoteAddress })).toBe(true)
  }
  vi.advanceTimersByTime(60_000)
  expect(await comes(shop, endpoint, { remoteAddress })).toBe(false)
  vi.advanceTimersByTime(86_400_000)
  expect(await comes(shop, endpoint, { remoteAddress })).toBe(true)
})

describe('a call without limits of its own', () => {
  const named = (name: string) => {
    const [, endpoint] = declared.find(([one]) => one === name) ?? []
    if (!endpoint || endpoint.limits) throw new Error(`${name} has limits of its own.`)
    return endpoint
  }
  const refusedAt = async (endpoint: Endpoint, rest: () => object) => {
    let calls = 0
    while (calls < 3100 && (await comes(shop, endpoint, rest()))) calls += 1
    return calls
  }

  it.each([
    ['checkUser', 120, false],
    ['updateProfile', 120, false],
    ['getAllUsers', 300, true],
  ])('%s is limited by account, to %i a minute', async (name, max, isAdmin) => {
    const { token } = await addPerson(shop.db, { admin: isAdmin })
    const rest = () => ({ remoteAddress: anAddress(), headers: { authorization: token } })
    expect(await refusedAt(named(name), rest)).toBe(max)
  })

  it('is limited by address together with the others, a wrong token included', async () => {
    const remoteAddress = anAddress()
    const rest = () => ({ remoteAddress, headers: { authorization: 'made-up' } })
    expect(await refusedAt(named('checkUser'), rest)).toBe(3000)
    expect(await comes(shop, named('getAuditLog'), rest())).toBe(false)
    expect(await comes(shop, named('checkUser'), { ...rest(), remoteAddress: anAddress() })).toBe(
      true,
    )
  })

  it('is limited by address where it is public and no GET', async () => {
    const remoteAddress = anAddress()
    expect(await refusedAt(named('handleWebhook'), () => ({ remoteAddress }))).toBe(3000)
  })

  it('is the documentation, too, like a page', async () => {
    const remoteAddress = anAddress()
    const statuses: number[] = []
    for (let call = 0; call <= 30; call++) {
      const { statusCode } = await shop.app.inject({ url: '/api/docs/json', remoteAddress })
      statuses.push(statusCode)
    }
    expect(statuses.indexOf(429)).toBe(30)
  })
})

const hex = (n: number) => n.toString(16).padStart(2, '0')

describe('an address', () => {
  const [, reset] = declared.find(([name]) => name === 'forgotPassword') ?? []
  const { max = 0 } = (reset && limitOf(reset, 'address')) ?? {}
  /** Whether a client may call after another one has used up its limit. */
  async function mayAfter(at: typeof shop, first: object, second: object) {
    if (!reset) throw new Error('There is no such call.')
    for (let call = 0; call < max; call++) await comes(at, reset, first)
    return comes(at, reset, second)
  }
  const forwarded = (address: string, remoteAddress = '10.0.0.1') => ({
    remoteAddress,
    headers: { 'x-forwarded-for': address },
  })

  it('of IPv6 is its network of 64 bits', async () => {
    const from = (remoteAddress: string) => ({ remoteAddress })
    expect(await mayAfter(shop, from('2001:db8:1:1::1'), from('2001:db8:1:1:ffff::2'))).toBe(false)
    expect(await mayAfter(shop, from('2001:db8:1:2::1'), from('2001:db8:1:3::1'))).toBe(true)
  })

  it.each([
    ['56 bits, four times as often', 4, 0x20, (n: number) => `2001:db8:56:11${hex(n)}::1`],
    ['48 bits, sixteen times as often', 16, 0x100, (n: number) => `2001:db8:48:${hex(n)}00::1`],
  ])('of IPv6 is also its network of %s', async (_bits, times, networks, addressAt) => {
    if (!reset) throw new Error('There is no such call.')
    const came = []
    for (let call = 0; call < times * max + networks; call++) {
      came.push(await comes(shop, reset, { remoteAddress: addressAt(call % networks) }))
    }
    expect(came.filter(Boolean)).toHaveLength(times * max)
    expect(came.lastIndexOf(true)).toBe(times * max - 1)
  })

  it('is the one that a trusted proxy tells', async () => {
    const one = anAddress()
    const other = anAddress()
    expect(await mayAfter(behindProxy, forwarded(one), forwarded(other))).toBe(true)
    expect(await comes(behindProxy, reset as Endpoint, forwarded(one))).toBe(false)
    const spoofed = forwarded(`${anAddress()}, ${one}`)
    expect(await comes(behindProxy, reset as Endpoint, spoofed)).toBe(false)
  })

  it('is not another one by its port or its brackets', async () => {
    const one = anAddress()
    const port = `${one}:1234`
    const other = `${one}:5678`
    expect(await mayAfter(behindProxy, forwarded(port), forwarded(other))).toBe(false)
    expect(await comes(behindProxy, reset as Endpoint, forwarded(one))).toBe(false)
    const six = (end: string) => forwarded(`[2001:db8:7:1::1]${end}`)
    expect(await mayAfter(behindProxy, six(':443'), six(''))).toBe(false)
  })

  it('of a trusted proxy is one with its port, too', async () => {
    const one = anAddress()
    const chained = (port: number) => forwarded(`${one}, 10.0.0.1:${port}`)
    expect(await mayAfter(behindProxy, chained(1), chained(2))).toBe(false)
    const visitor = forwarded(`${anAddress()}, 10.0.0.1:3`)
    expect(await comes(behindProxy, reset as Endpoint, visitor)).toBe(true)
  })

  it('is not what anybody else tells', async () => {
    const liar = anAddress()
    expect(await mayAfter(shop, forwarded('1.1.1.1', liar), forwarded('2.2.2.2', liar))).toBe(false)
    const other = anAddress()
    const first = forwarded('1.1.1.1', other)
    const second = forwarded('2.2.2.2', other)
    expect(await mayAfter(behindProxy, first, second)).toBe(false)
  })
})

describe('an account', () => {
  const start = (token: string, from = anAddress()) =>
    shop.post('/product/razorpay/order', { token, from, body: { amount: 0 } })
  const reset = (email: string, from: string) =>
    shop.post('/auth/forgot-password', {
      from,
      body: { email, answer: 'x', newPassword: 'a long secret' },
    })

  it('is limited in starting payments from wherever it does, and nobody else is', async () => {
    const buyer = await addPerson(shop.db)
    const other = await addPerson(shop.db)
    for (let call = 0; call < 30; call++) expect((await start(buyer.token)).status).toBe(400)
    expect(await start(buyer.token)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60' },
    })
    expect((await start(other.token)).status).toBe(400)
  })

  it.each(limited.filter((one) => !byAddress.includes(one)))(
    'is limited in %s from wherever it does, and nobody else is',
    async (_name, endpoint) => {
      const one = await addPerson(shop.db)
      const other = await addPerson(shop.db)
      const { max = 0, seconds = 0 } = limitOf(endpoint, 'account') ?? {}
      const as = ({ token }: { token: string }) => ({
        remoteAddress: anAddress(),
        headers: { authorization: token },
      })
      for (let call = 0; call < max; call++) expect(await comes(shop, endpoint, as(one))).toBe(true)
      const refused = await send(shop, endpoint, as(one))
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, `${seconds}`])
      expect(await comes(shop, endpoint, as(other))).toBe(true)
    },
  )

  it('is limited in starting payments by the hour and the day, too', async () => {
    const { token } = await addPerson(shop.db)
    const refused: unknown[] = []
    for (let call = 0; call < 70; call++) {
      const { status, headers } = await start(token)
      if (status === 429) {
        refused.push(call, headers['retry-after'])
        vi.advanceTimersByTime(3_600_000)
      }
      vi.advanceTimersByTime(10_000)
    }
    // attempts that the hour's limit refuses do not count for the day
    expect(refused.slice(0, 4)).toEqual([40, '3200', 61, `${86_400 - 3600 - 610}`])
  })

  it('is limited in resetting its password by each address for itself', async () => {
    const stranger = anAddress()
    const owner = anAddress()
    for (let call = 0; call < 12; call++) {
      await reset(call % 2 ? 'asha@example.com' : ' ASHA@example.com', stranger)
      vi.advanceTimersByTime(15_000)
    }
    // wrong answers have a limit of their own, with its own message
    const refused = await reset('Asha@Example.com', stranger)
    const other = await reset('asha@example.com', owner)
    expect(refused.body.message).toMatch(/^Too many requests\./)
    expect(other.body.message).toMatch(/^Too many attempts\./)
  })
})
