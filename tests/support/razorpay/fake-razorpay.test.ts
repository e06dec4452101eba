/** The fake behaves as Razorpay's documentation says. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signatureOf } from '../webhook.ts'
import type { Order, Refund } from './entities.ts'
import { startFakeRazorpay } from './fake-razorpay.ts'

/** The webhooks that the shop was sent. */
let received: { id: unknown; text: string; signature: unknown }[] = []
const shop = createServer(async (request, response) => {
  const text = (await request.toArray()).join('')
  const { 'x-razorpay-event-id': id, 'x-razorpay-signature': signature } = request.headers
  received.push({ id, text, signature })
  response.end()
})
let address = ''
const razorpay = await startFakeRazorpay(() => address)
const { account, network, webhooks } = razorpay
const { RAZORPAY_API_URL, RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET, RAZORPAY_WEBHOOK_SECRET } =
  razorpay.settings

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
})
beforeEach(async () => {
  await webhooks.whenDone()
  received = []
  network.restore()
  razorpay.lagLists(0)
  Object.assign(razorpay.refunding, { failing: 0, staysPending: false })
})
afterAll(async () => {
  await razorpay.close()
  shop.close()
})

const basic = (secret: string) =>
  `Basic ${Buffer.from(`${RAZORPAY_KEY_ID}:${secret}`).toString('base64')}`

type Answered<Body> = { status: number; body: Body }

async function call<Body = { error: { description: string; field?: string } }>(
  path: string,
  body?: object,
  { key, secret = RAZORPAY_KEY_SECRET }: { key?: string; secret?: string } = {},
): Promise<Answered<Body>> {
  const answer = await fetch(`${RAZORPAY_API_URL}/v1${path}`, {
    headers: { authorization: basic(secret), ...(key && { 'x-refund-idempotency': key }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

const order = async (request: object = {}) =>
  (await call<Order>('/orders', { amount: 50_000, currency: 'INR', receipt: 'r', ...request })).body

/** The id of a captured payment of 500.00. */
const paid = async () => razorpay.pay((await order()).id).razorpay_payment_id

const refund = (id: string, amount: number, key?: string) =>
  call<Refund>(`/payments/${id}/refund`, { amount }, { ...(key && { key }) })
const listed = async (id: string) =>
  (await call<{ items: Refund[] }>(`/payments/${id}/refunds`)).body.items
const refusalOf = async (answering: Promise<Answered<unknown>>) => {
  const { status, body } = (await answering) as Answered<{ error: { description: string } }>
  return `${status} ${body.error.description}`
}
const namesOf = (from: number) => webhooks.events.slice(from).map(({ name }) => name)

describe('an order', () => {
  it('is created, attempted and paid', async () => {
    const { id, status } = await order()
    expect(status).toBe('created')
    const failed = razorpay.decline(id)
    expect((await call(`/orders/${id}`)).body).toMatchObject({ status: 'attempted', attempts: 1 })
    const { razorpay_payment_id } = razorpay.pay(id)
    expect((await call(`/orders/${id}`)).body).toMatchObject({
      status: 'paid',
      attempts: 2,
      amount_paid: 50_000,
      amount_due: 0,
    })
    const { items } = (await call<{ items: object[] }>(`/orders/${id}/payments`)).body
    expect(items).toMatchObject([
      { id: razorpay_payment_id, status: 'captured', captured: true },
      { id: failed.id, status: 'failed', error_description: expect.any(String) },
    ])
  })

  it('is refused with its reason', async () => {
    const tried = (request: object) => refusalOf(call('/orders', { currency: 'INR', ...request }))
    expect(await tried({ amount: 99 })).toBe('400 The amount must be at least INR 1.00')
    expect(await tried({ amount: 50_000_001 })).toBe('400 Amount exceeds maximum amount allowed.')
    expect(await tried({ amount: 500, currency: 'XYZ' })).toBe('400 Currency is not supported')
    expect(await refusalOf(call('/orders/order_0'))).toBe('400 The id provided does not exist')
    const stranger = call('/orders', {}, { secret: 'another' })
    expect(await refusalOf(stranger)).toBe('401 Authentication failed')
  })

  it('cannot be paid twice: a second success is given back', async () => {
    const { id } = await order()
    const first = razorpay.authorise(id)
    const second = razorpay.decline(id)
    await call(`/payments/${first.razorpay_payment_id}/capture`, { amount: 50_000 })
    expect(() => razorpay.pay(id)).toThrow('Order is already paid')
    razorpay.authoriseLate(second.id)
    expect(account.paymentWith(second.id)).toMatchObject({ status: 'refunded', captured: false })
  })
})

describe('a payment', () => {
  it('fails, and is authorised and captured late', async () => {
    const { id } = await order()
    const from = webhooks.events.length
    const failed = razorpay.decline(id)
    razorpay.authoriseLate(failed.id)
    expect((await call(`/payments/${failed.id}`)).body).toMatchObject({ status: 'captured' })
    expect(namesOf(from)).toEqual([
      'payment.failed',
      'payment.authorized',
      'payment.captured',
      'order.paid',
    ])
  })

  it('is not captured by itself when it comes too late, or the order says so', async () => {
    const late = razorpay.decline((await order()).id)
    razorpay.authoriseLate(late.id, { minutes: 13 })
    const { razorpay_payment_id: manual } = razorpay.pay(
      (await order({ payment: { capture: 'manual' } })).id,
    )
    for (const id of [late.id, manual]) {
      expect(account.paymentWith(id).status).toBe('authorized')
      const captured = await call(`/payments/${id}/capture`, { amount: 50_000, currency: 'INR' })
      expect(captured).toMatchObject({ status: 200, body: { status: 'captured' } })
      expect((await call(`/payments/${id}/capture`, { amount: 50_000 })).status).toBe(400)
    }
  })

  it('is given back when nobody captures it', async () => {
    const { razorpay_payment_id: id } = razorpay.authorise((await order()).id)
    razorpay.release(id)
    expect((await call(`/payments/${id}`)).body).toMatchObject({
      status: 'refunded',
      captured: false,
      amount_refunded: 50_000,
      refund_status: 'full',
    })
  })

  it('is disputed, which can be lost', async () => {
    const id = await paid()
    const from = webhooks.events.length
    const dispute = razorpay.account.dispute(id)
    expect((await refund(id, 500)).status).toBe(400)
    razorpay.account.endDispute(dispute.id, 'lost')
    expect((await call(`/disputes/${dispute.id}`)).body).toMatchObject({
      status: 'lost',
      amount_deducted: 50_000,
    })
    expect(namesOf(from)).toEqual(['payment.dispute.created', 'payment.dispute.lost'])
  })
})

describe('a refund', () => {
  it('is of a part, and of the rest', async () => {
    const id = await paid()
    expect((await refund(id, 20_000)).body).toMatchObject({ status: 'processed', payment_id: id })
    expect((await call(`/payments/${id}`)).body).toMatchObject({
      status: 'captured',
      amount_refunded: 20_000,
      refund_status: 'partial',
    })
    await call(`/payments/${id}/refund`, {})
    expect((await listed(id)).map(({ amount }) => amount)).toEqual([30_000, 20_000])
    expect((await call(`/payments/${id}`)).body).toMatchObject({
      status: 'refunded',
      captured: true,
      refund_status: 'full',
    })
  })

  it('is pending until the bank ends it, and a failed one counts for nothing', async () => {
    razorpay.refunding.staysPending = true
    const id = await paid()
    const from = webhooks.events.length
    await refund(id, 20_000)
    const [pending] = account.refundsOf(id)
    if (pending) razorpay.endRefund(pending, 'failed')
    expect(account.paymentWith(id)).toMatchObject({ amount_refunded: 0, refund_status: null })
    expect(namesOf(from)).toEqual(['refund.created', 'refund.failed'])
  })

  it('is refused with its reason', async () => {
    const id = await paid()
    const tried = (amount: number) => refusalOf(refund(id, amount))
    expect(await tried(50)).toBe('400 The amount must be at least INR 1.00')
    expect(await tried(50_001)).toBe(
      '400 The total refund amount is greater than the refund payment amount',
    )
    razorpay.refundElsewhere(id)
    expect(await tried(100)).toBe('400 The payment has been fully refunded already')
    const old = await paid()
    account.backdate(old, 200)
    expect(await refusalOf(refund(old, 100))).toBe(
      '400 Refund is not supported by the bank because the payment is more than 6 months old',
    )
    const { razorpay_payment_id: open } = razorpay.authorise((await order()).id)
    expect((await refund(open, 100)).status).toBe(400)
  })

  it('is made once for a key, also when its answer was lost and the list lags', async () => {
    const id = await paid()
    const KEY = 'refund-1-of-this'
    network.loseAnswer('refund')
    razorpay.lagLists(60_000)
    await expect(refund(id, 30_000, KEY)).rejects.toThrow()
    expect(await listed(id)).toEqual([])
    const [made] = account.refundsOf(id)
    expect((await refund(id, 30_000, KEY)).body).toMatchObject({ id: made?.id })
    expect(await refusalOf(refund(id, 20_000, KEY))).toBe(
      '400 Different request with the same idempotency key has already been processed.',
    )
    expect((await refund(id, 1000, 'short')).status).toBe(400)
    expect(account.refundsOf(id)).toHaveLength(1)
    await refund(id, 20_000, 'refund-2-of-this')
    expect(account.refundedOf(id)).toBe(50_000)
  })

  it('is refused for a key whose first request has not ended', async () => {
    const id = await paid()
    const first = network.hold('refund', 'after')
    const answer = refund(id, 30_000, 'refund-1-of-this-one')
    await first.arrived
    expect((await refund(id, 30_000, 'refund-1-of-this-one')).status).toBe(409)
    first.release()
    expect((await answer).status).toBe(200)
    expect(account.refundsOf(id)).toHaveLength(1)
  })
})

describe('a call', () => {
  it('waits before its effect, or after it', async () => {
    const id = await paid()
    for (const [when, made] of [
      ['before', 0],
      ['after', 1],
    ] as const) {
      const held = network.hold('refund', when)
      const answer = refund(id, 1000)
      await held.arrived
      expect(account.refundsOf(id)).toHaveLength(made === 0 ? 0 : 2)
      held.release()
      expect((await answer).status).toBe(200)
    }
  })

  it('is refused, or not answered, as often as a test says', async () => {
    const id = await paid()
    network.refuse('read payment', 429, 'Too many requests')
    expect(await refusalOf(call(`/payments/${id}`))).toBe('429 Too many requests')
    network.loseRequest('refund')
    await expect(refund(id, 500)).rejects.toThrow()
    expect(account.refundsOf(id)).toEqual([])
    expect((await refund(id, 500)).status).toBe(200)
  })
})

describe('a webhook', () => {
  it('is signed, and says what the event is about', async () => {
    const id = await paid()
    await refund(id, 20_000)
    await webhooks.whenDone()
    const last = received.find(({ text }) => text.includes('refund.processed'))
    expect(last?.signature).toBe(signatureOf(last?.text ?? '', RAZORPAY_WEBHOOK_SECRET))
    expect(JSON.parse(last?.text ?? '')).toMatchObject({
      event: 'refund.processed',
      payload: {
        payment: { entity: { id, amount_refunded: 20_000, captured: true } },
        refund: { entity: { payment_id: id, amount: 20_000, status: 'processed' } },
      },
    })
  })

  it('is held, and delivered late, twice and out of order', async () => {
    webhooks.hold()
    const id = await paid()
    await refund(id, 20_000)
    const early = webhooks.newest('payment.captured')
    const late = webhooks.newest('refund.processed')
    for (const event of [late, early, late])
      expect(await webhooks.deliver(event)).toMatchObject({ status: 200 })
    expect(received.map(({ id: event }) => event)).toEqual([late.id, early.id, late.id])
    webhooks.resume()
    await webhooks.whenDone()
  })
})
