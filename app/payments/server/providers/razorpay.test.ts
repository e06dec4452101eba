import crypto, { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaymentProvider } from './provider.ts'
import { razorpay } from './razorpay.ts'

type Received = { method?: string; url?: string; authorization?: string; body: unknown }

/** A fake api.razorpay.com; each test sets its answers. */
let answer: (response: ServerResponse, url?: string) => void
let received: Received[] = []
const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() }
let provider: PaymentProvider

async function listen(request: IncomingMessage, response: ServerResponse) {
  const text = (await request.toArray()).join('')
  const { method, url } = request
  const body = text === '' ? undefined : JSON.parse(text)
  received.push({ method, url, authorization: request.headers.authorization, body })
  answer(response, url)
}

const server = createServer(listen)

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const apiUrl = `http://127.0.0.1:${port}`
  const keys = { keyId: 'rzp_test_1', keySecret: 'key-secret' }
  provider = razorpay({ ...keys, log, apiUrl, timeoutMs: 300 })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  received = []
  log.error.mockReset()
})

const json = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const refusing = (error: object) => json(400, { error: { code: 'BAD_REQUEST_ERROR', ...error } })

const order = () => provider.createOrder({ amountMinor: 1250, currency: 'INR', receipt: 'our-id' })

const BROKEN: [string, (response: ServerResponse) => void][] = [
  ['answers 500', json(500, { error: { code: 'SERVER_ERROR' } })],
  ['answers 500 in HTML', (response) => response.writeHead(500).end('<h1>Oops</h1>')],
  ['answers nonsense', (response) => response.writeHead(200).end('fine')],
  ['refuses the keys', json(401, { error: { code: 'BAD_REQUEST_ERROR' } })],
  [
    'answers what another has asked for',
    json(200, {
      id: 'order_R2',
      receipt: 'their-id',
      amount: 1250,
      currency: 'INR',
      items: [{ id: 'pay_R9', order_id: 'order_R2', amount: 1250, status: 'captured' }],
    }),
  ],
  ['hangs', () => {}],
  ['hangs up', (response) => response.destroy()],
]

describe('an order at Razorpay', () => {
  it('is asked for with amount, currency, receipt and automatic capture', async () => {
    answer = json(200, { id: 'order_R1', receipt: 'our-id', status: 'created' })
    expect(await order()).toBe('order_R1')
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/v1/orders',
        authorization: `Basic ${Buffer.from('rzp_test_1:key-secret').toString('base64')}`,
        body: {
          amount: 1250,
          currency: 'INR',
          receipt: 'our-id',
          payment: { capture: 'automatic' },
        },
      },
    ])
  })

  it.each(BROKEN)('is unavailable for now when Razorpay %s', async (_, broken) => {
    answer = broken
    await expect(order()).rejects.toMatchObject({
      code: 'unavailable',
      status: 503,
      headers: { 'Retry-After': '30' },
    })
    expect(log.error).toHaveBeenCalledOnce()
    expect(JSON.stringify(log.error.mock.calls)).not.toContain('key-secret')
  })

  it.each([
    ['the amount', { description: 'Amount exceeds maximum amount allowed.', field: 'amount' }],
    ['the currency', { description: 'Currency is not supported' }],
  ])('is refused with its sentence when Razorpay refuses %s', async (_, error) => {
    answer = refusing(error)
    await expect(order()).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
      message: `The payment provider does not take this payment. ${error.description}`,
    })
    expect(log.error).toHaveBeenCalledOnce()
  })

  it('is of 100 minor units at least, in every currency', () => {
    expect(['INR', 'USD', 'MYR'].map((currency) => provider.minimumMinor?.(currency))).toEqual([
      100, 100, 100,
    ])
  })
})

describe('the payments of an order at Razorpay', () => {
  const payment = (id: string, status: string) => ({
    id,
    status,
    entity: 'payment',
    order_id: 'order_R1',
    amount: 1250,
    currency: 'INR',
  })
  const asked = () => provider.paymentsOf('order_R1')

  it('are told without being changed: to ask captures nothing', async () => {
    const statuses = ['captured', 'failed', 'created', 'refunded', 'authorized', 'refunded']
    // the last one is released: money that was never captured
    const items = statuses.map((status, n) => ({
      ...payment(`pay_R${n}`, status),
      captured: n < 5 && ['captured', 'refunded'].includes(status),
    }))
    answer = json(200, { entity: 'collection', count: items.length, items })
    const there = { amountMinor: 1250, currency: 'INR', refundedMinor: 0 }
    expect(await asked()).toEqual([
      { ...there, id: 'pay_R0', status: 'captured' },
      { ...there, id: 'pay_R1', status: 'failed' },
      { ...there, id: 'pay_R3', status: 'refunded' },
      { ...there, id: 'pay_R4', status: 'authorised' },
      { ...there, id: 'pay_R5', status: 'released' },
    ])
    expect(received).toMatchObject([{ method: 'GET', url: '/v1/orders/order_R1/payments' }])
  })

  it('are captured when that is asked for, if they can be', async () => {
    answer = (response, url = '') => {
      if (url.includes('pay_R1')) json(200, payment('pay_R1', 'captured'))(response)
      else refusing({ description: 'Not yet' })(response)
    }
    const amount = { amountMinor: 1250, currency: 'INR' }
    expect(await provider.capture('pay_R1', amount)).toBe(true)
    expect(await provider.capture('pay_R2', amount)).toBe(false)
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/v1/payments/pay_R1/capture',
      body: { amount: 1250, currency: 'INR' },
    })
  })

  it.each(BROKEN)('cannot be known for now when Razorpay %s', async (_, broken) => {
    answer = broken
    await expect(asked()).rejects.toMatchObject({ code: 'unavailable' })
  })

  it.each([
    [400, 'not_found'],
    [404, 'not_found'],
    [429, 'unavailable'],
  ])('are refused of one order, or for now: %i', async (status, code) => {
    answer = json(status, { error: { description: 'The id provided does not exist' } })
    await expect(asked()).rejects.toMatchObject({ code })
  })
})

describe('an order of Razorpay', () => {
  it.each([
    ['attempted', 0, false],
    ['attempted', 1250, true],
    ['paid', 1200, true],
  ])('that was %s with %i is paid: %s', async (status, amount_paid, isPaid) => {
    answer = json(200, { id: 'order_R1', amount: 1250, currency: 'INR', amount_paid, status })
    const order = { amountMinor: 1250, currency: 'INR', isPaid }
    expect(await provider.orderOf('order_R1')).toEqual(order)
    expect(received).toMatchObject([{ method: 'GET', url: '/v1/orders/order_R1' }])
  })
})

describe('an answer of Razorpay to what another has asked for', () => {
  it('counts for nothing', async () => {
    answer = json(200, { id: 'order_R2', receipt: 'their-id', status: 'captured' })
    const failure = { code: 'unavailable' }
    await expect(provider.orderOf('order_R1')).rejects.toMatchObject(failure)
    expect(await provider.capture('pay_R1', { amountMinor: 1250, currency: 'INR' })).toBe(false)
  })
})

describe("Razorpay's signature", () => {
  const proof = { razorpay_order_id: 'order_R1', razorpay_payment_id: 'pay_R1' }
  const right = createHmac('sha256', 'key-secret').update('order_R1|pay_R1').digest('hex')

  it('counts when it is right', () => {
    expect(provider.verifySignature({ ...proof, razorpay_signature: right })).toBe(true)
  })

  it('is compared in constant time', () => {
    const compare = vi.spyOn(crypto, 'timingSafeEqual')
    syncBuiltinESMExports()
    provider.verifySignature({ ...proof, razorpay_signature: right.replace(/^./, 'x') })
    expect(compare).toHaveBeenCalledTimes(1)
    compare.mockRestore()
    syncBuiltinESMExports()
  })

  it.each(['', right.slice(1), right.toUpperCase(), 'f'.repeat(10_000), 'é'.repeat(64)])(
    'does not count when it is %j',
    (razorpay_signature) => {
      expect(provider.verifySignature({ ...proof, razorpay_signature })).toBe(false)
    },
  )
})
