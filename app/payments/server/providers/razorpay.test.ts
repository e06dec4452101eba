/** Razorpay's own behaviour; `provider.test.ts` has the contract of all providers. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { mockLog } from '#tests/support/provider-worlds.ts'
import type { OpenedProvider } from './provider.ts'
import { razorpay } from './razorpay.ts'

type Sent = { method: string; path: string; headers: Headers; body: unknown }

/** A fake api.razorpay.com: each test sets its answers. */
let answer: (path: string, method: string) => [status: number, body: unknown]
let sent: Sent[] = []
let provider: OpenedProvider

beforeAll(async () => {
  const opened = await razorpay.open(
    { RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 'key-secret' },
    {
      log: mockLog(),
      records: { read: async () => undefined, change: async () => {} },
      isDemo: false,
      isFirst: true,
      isPayable: async () => null,
      sharedSecret: async () => '',
      async fetch(...request) {
        const { method, url, headers, ...rest } = new Request(...request)
        const path = url.replace('https://api.razorpay.com', '')
        const text = typeof request[1]?.body === 'string' ? request[1].body : 'null'
        sent.push({ ...rest, method, path, headers, body: JSON.parse(text) })
        const [status, body] = answer(path, method)
        return Response.json(body, { status })
      },
    },
  )
  if (!opened) throw new Error('Razorpay is not open.')
  provider = opened
})
beforeEach(() => {
  sent = []
})

const AMOUNT = { amountMinor: 1250, currency: 'INR' }
const money = { amount: 1250, currency: 'INR' }

it('asks for an order with its receipt, by its keys', async () => {
  const order = { id: 'order_R1', receipt: 'our-id', ...money, amount_paid: 0, status: 'created' }
  answer = () => [200, order]
  expect(await provider.start({ ...AMOUNT, receipt: 'our-id' })).toBe('order_R1')
  const [{ method, path, headers, body } = {} as Sent] = sent
  expect([method, path]).toEqual(['POST', '/v1/orders'])
  expect(headers.get('authorization')).toBe(`Basic ${btoa('rzp_test_1:key-secret')}`)
  expect(body).toMatchObject({ ...money, receipt: 'our-id', payment: { capture: 'manual' } })
})

it('has a minimum in currencies of which Razorpay names one, and one attempt an order where Razorpay wants so', () => {
  expect(['INR', 'USD', 'JPY', 'KWD'].map(provider.minimumMinor)).toEqual([100, 100, 1, 1])
  expect(['INR', 'USD', 'MYR'].map(provider.allowsRetries)).toEqual([true, true, false])
})

it('takes steps of ten thousandths of dinars, and any amount of other currencies', () => {
  const steps = ['INR', 'JPY', 'KWD', 'BHD'].map((currency) => provider.stepMinor?.(currency))
  expect(steps).toEqual([1, 1, 10, 10])
})

describe('the payments of an order', () => {
  const statuses = ['captured', 'failed', 'created', 'refunded', 'authorized', 'refunded']
  // the last one is released: money that was never captured
  const items = statuses.map((status, n) => ({
    id: `pay_R${n}`,
    order_id: 'order_R1',
    ...money,
    status,
    captured: n < 5 && ['captured', 'refunded'].includes(status),
  }))
  const lookUp = (order: object) => {
    answer = (path) =>
      path.endsWith('/payments')
        ? [200, { items }]
        : [200, { id: 'order_R1', ...money, amount_paid: 0, status: 'attempted', ...order }]
    return provider.lookUp({ id: 'order_R1', ...AMOUNT })
  }

  it('have the statuses of the port', async () => {
    const { payments } = await lookUp({ status: 'paid' })
    expect(payments.map(({ id, status }) => [id, status])).toEqual([
      ['pay_R0', 'captured'],
      ['pay_R1', 'failed'],
      ['pay_R3', 'refunded'],
      ['pay_R4', 'authorised'],
      ['pay_R5', 'released'],
    ])
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  it.each([
    [{ amount_paid: 0 }, false, true],
    [{ amount_paid: 1250 }, true, true],
    [{ amount_paid: 1200, status: 'paid' }, true, true],
    // a fee is more than the order asks for, and a part is less
    [{ amount: 1200 }, false, true],
    [{ amount: 1251 }, false, false],
  ])('pay an order of %j: captured %s, authorised %s', async (order, captured, authorised) => {
    const { payments } = await lookUp(order)
    const paysOrder = (status: string) => payments.find((one) => one.status === status)?.paysOrder
    expect([paysOrder('captured'), paysOrder('authorised')]).toEqual([captured, authorised])
  })
})

describe('a refund', () => {
  let made: object[] = []
  const refund = (id: string, amount: number, status: string) => ({
    id,
    payment_id: 'pay_R1',
    amount,
    status,
  })
  const WHOLE = { storedMinor: 1250, totalRefundMinor: null, doneMinor: 0, key: 'payment-1' }
  const request = (whole: Partial<typeof WHOLE> | object, refused?: [number, string]) => {
    answer = (path, method) => {
      if (method === 'POST' && refused) return [refused[0], { error: { description: refused[1] } }]
      if (method === 'POST') return [200, refund('rfnd_9', 300, 'pending')]
      if (path.includes('/refunds')) return [200, { items: made }]
      return [200, { id: 'pay_R1', order_id: 'order_R1', ...money }]
    }
    return provider.refund('pay_R1', { ...WHOLE, ...whole })
  }
  const posted = () => sent.filter(({ method }) => method === 'POST')
  beforeEach(() => {
    made = []
  })

  it('has an idempotency key, and is of what came in, whatever the shop has stored', async () => {
    await request({ storedMinor: 9 })
    expect(posted()).toMatchObject([{ path: '/v1/payments/pay_R1/refund', body: { amount: 1250 } }])
    expect(posted()[0]?.headers.get('x-refund-idempotency')).toBe('payment-1')
  })

  it.each(['pending', 'processed', 'created'])('is not made where one is %s', async (status) => {
    made = [refund('rfnd_1', 1250, status)]
    const { refundedMinor, pendingMinor, refundId } = await request({})
    expect([refundedMinor + pendingMinor, refundId]).toEqual([1250, 'rfnd_1'])
    expect(refundedMinor).toBe(status === 'processed' ? 1250 : 0)
    expect(posted()).toEqual([])
  })

  it('is of what no refund that did not fail has returned', async () => {
    made = [refund('rfnd_2', 1250, 'failed'), refund('rfnd_1', 250, 'processed')]
    expect(await request({})).toMatchObject({
      refundedMinor: 250,
      pendingMinor: 300,
      refundId: 'rfnd_9',
      failedIds: ['rfnd_2'],
    })
    expect(posted()).toMatchObject([{ body: { amount: 1000 } }])
  })

  it('counts a refund that the list does not have yet', async () => {
    const rest = { totalRefundMinor: 500, doneMinor: 200 }
    expect(await request(rest)).toMatchObject({ refundedMinor: 200, pendingMinor: 300 })
    expect(posted()).toMatchObject([{ body: { amount: 300 } }])
  })

  it.each<[number, string]>([
    [409, 'Request is in progress'],
    [400, 'Different request with the same idempotency key has already been processed.'],
  ])('may have been made where Razorpay answers %i: %s', async (status, message) => {
    const failure = { code: 'unavailable', message }
    await expect(request({}, [status, message])).rejects.toMatchObject(failure)
  })
})

it('compares signatures in constant time', () => {
  const compare = vi.spyOn(crypto, 'timingSafeEqual')
  syncBuiltinESMExports()
  provider.verify({ orderId: 'order_R1', paymentId: 'pay_R1', signature: 'f'.repeat(64) })
  expect(compare).toHaveBeenCalledTimes(1)
  compare.mockRestore()
  syncBuiltinESMExports()
})
