import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaymentProvider } from './provider.ts'
import { razorpay } from './razorpay.ts'

type Refund = { id: string; payment_id: string; amount: number; status: string }

const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() }
let provider: PaymentProvider
/** The existing refunds, and the answer to a new one. */
let made: Refund[]
/** The captured payment, as Razorpay has it. */
let amount: number
let answer: (response: ServerResponse) => void
let asked: unknown[]

const json = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const server = createServer(async (request, response) => {
  const text = (await request.toArray()).join('')
  if (request.method === 'GET')
    return json(
      200,
      request.url?.includes('/refunds') ? { items: made } : { id: 'pay_R1', amount },
    )(response)
  const key = request.headers['x-refund-idempotency']
  asked.push({ url: request.url, key, body: JSON.parse(text) })
  answer(response)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const apiUrl = `http://127.0.0.1:${port}`
  provider = razorpay({ keyId: 'rzp_test_1', keySecret: 'key', log, apiUrl, timeoutMs: 300 })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  made = []
  amount = 1250
  asked = []
  answer = json(200, refund('rfnd_9', 1250, 'pending'))
})

const WHOLE = { storedMinor: 1250, totalRefundMinor: null, doneMinor: 0, key: 'payment-1' }

const refund = (id: string, part: number, status: string) => ({
  id,
  payment_id: 'pay_R1',
  amount: part,
  status,
})

describe('a refund at Razorpay', () => {
  it('is of the whole payment, and under way until Razorpay says that it is done', async () => {
    const progress = { refundedMinor: 0, pendingMinor: 1250, refundId: 'rfnd_9', failedIds: [] }
    const underWay = { ...progress, amountMinor: 1250 }
    expect(await provider.refund('pay_R1', WHOLE)).toEqual(underWay)
    expect(asked).toEqual([
      { url: '/v1/payments/pay_R1/refund', key: 'payment-1', body: { amount: 1250 } },
    ])
    answer = json(200, refund('rfnd_9', 1250, 'processed'))
    expect(await provider.refund('pay_R1', WHOLE)).toMatchObject({ refundedMinor: 1250 })
  })

  it.each(['pending', 'processed', 'created'])('is not made where one is %s', async (status) => {
    made = [refund('rfnd_1', 1250, status)]
    const { refundedMinor, pendingMinor, refundId } = await provider.refund('pay_R1', WHOLE)
    expect([refundedMinor + pendingMinor, refundId]).toEqual([1250, 'rfnd_1'])
    expect(refundedMinor).toBe(status === 'processed' ? 1250 : 0)
    expect(asked).toEqual([])
  })

  it('is made again when the last one failed, and of what is not back yet', async () => {
    made = [refund('rfnd_2', 1250, 'failed'), refund('rfnd_1', 250, 'processed')]
    answer = json(200, refund('rfnd_9', 1000, 'pending'))
    const expected = {
      refundedMinor: 250,
      pendingMinor: 1000,
      refundId: 'rfnd_9',
      failedIds: ['rfnd_2'],
    }
    expect(await provider.refund('pay_R1', WHOLE)).toEqual({ ...expected, amountMinor: 1250 })
    expect(asked).toMatchObject([{ body: { amount: 1000 } }])
  })

  it('is of what came in there, whatever the shop has booked', async () => {
    amount = 1280
    answer = json(200, refund('rfnd_9', 1280, 'processed'))
    expect(await provider.refund('pay_R1', WHOLE)).toMatchObject({
      amountMinor: 1280,
      refundedMinor: 1280,
    })
    expect(asked).toMatchObject([{ body: { amount: 1280 } }])
  })

  it('is of the rest of a refund that its list does not have yet', async () => {
    answer = json(200, refund('rfnd_9', 300, 'pending'))
    const rest = { ...WHOLE, totalRefundMinor: 500, doneMinor: 200 }
    const progress = { refundedMinor: 200, pendingMinor: 300 }
    expect(await provider.refund('pay_R1', rest)).toMatchObject(progress)
    expect(asked).toMatchObject([{ key: 'payment-1', body: { amount: 300 } }])
  })

  it.each([
    [409, 'Request is in progress'],
    [400, 'Different request with the same idempotency key has already been processed.'],
  ])('may have been made where Razorpay answers %i: %s', async (status, description) => {
    answer = json(status, { error: { code: 'BAD_REQUEST_ERROR', description } })
    const failure = { code: 'unavailable', message: description }
    await expect(provider.refund('pay_R1', WHOLE)).rejects.toMatchObject(failure)
  })

  it('fails when Razorpay refuses it or does not answer, and says why', async () => {
    const error = { code: 'BAD_REQUEST_ERROR', description: 'Not enough balance' }
    answer = json(400, { error })
    const refused = { code: 'not_found', message: 'Not enough balance' }
    await expect(provider.refund('pay_R1', WHOLE)).rejects.toMatchObject(refused)
    answer = () => {}
    await expect(provider.refund('pay_R1', WHOLE)).rejects.toMatchObject({
      message: expect.stringContaining('does not answer'),
    })
  })

  it('is not taken for known where Razorpay answers with those of another payment', async () => {
    made = [{ ...refund('rfnd_1', 1250, 'processed'), payment_id: 'pay_R2' }]
    const failure = { code: 'unavailable' }
    await expect(provider.refundProgress('pay_R1')).rejects.toMatchObject(failure)
    await expect(provider.refund('pay_R1', WHOLE)).rejects.toMatchObject(failure)
    await expect(provider.refund('pay_R3', WHOLE)).rejects.toMatchObject(failure)
    expect(asked).toEqual([])
  })

  it('can be asked about', async () => {
    made = [refund('rfnd_2', 300, 'failed'), refund('rfnd_1', 250, 'processed')]
    const expected = {
      refundedMinor: 250,
      pendingMinor: 0,
      refundId: 'rfnd_1',
      failedIds: ['rfnd_2'],
    }
    expect(await provider.refundProgress('pay_R1')).toEqual(expected)
  })
})
