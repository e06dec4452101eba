import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedPayment, PaymentState } from '#app/payments/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { paymentContext, refundOf } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf, payAndVerify, signedPayment } from '#tests/support/payments.ts'
import type { Refund } from '../providers/provider.ts'

const { shop, start, verify, asAdmin, cup, startedTooLate, inNeed } = paymentShop()

let buyer: Person
const paid: Partial<Record<PaymentState, string>> = {}
let startedOrder: string

const list = (query = '') => shop.get<ListedPayment[]>(`/payment/payments${query}`, asAdmin())

/** Money for a product that is sold out meanwhile, with this result of its refund. */
async function soldOut(refund: () => Promise<Refund>) {
  const { buyer, id } = await startedTooLate()
  const proof = signedPayment(id)
  const report = { buyerId: buyer.id, proof }
  await payAndVerify(shop.db, paymentContext(shop, { refund }), report).catch(() => {})
  return proof.razorpay_payment_id
}

beforeAll(async () => {
  buyer = await addPerson(shop.db, { name: 'Ben Okri' })
  paid.refunded = await soldOut(async () => refundOf(1250))
  paid.refunding = await soldOut(async () => refundOf(0, { pendingMinor: 1250 }))
  paid.refund_pending = await soldOut(() => Promise.reject(new Error('No balance')))
  const amountOnly = await start(buyer, { amount: 999 })
  const unmatched = signedPayment(amountOnly.body.id)
  await verify(buyer, unmatched, [])
  paid.unmatched = unmatched.razorpay_payment_id
  const sold = await start(buyer, { amount: 1250, cart: cartOf(await cup()) })
  await verify(buyer, signedPayment(sold.body.id))
  startedOrder = (await start(buyer, { amount: 1250, cart: cartOf(await cup()) })).body.id
})

describe('GET /payment/payments', () => {
  it('lists what needs attention, the most urgent first, and what happens next', async () => {
    const { status, body, headers } = await list('?state=needs_attention')
    expect(status).toBe(200)
    expect(headers['x-total-count']).toBe('2')
    expect(body).toMatchObject([
      {
        _id: paid.refund_pending,
        state: 'refund_pending',
        amount: 12.5,
        currency: 'INR',
        reason: 'Clay cup is sold out: 0 left. Your payment will be refunded.',
        attempts: 1,
        lastError: 'No balance',
        reservedUntil: null,
        payment: { razorpay_payment_id: paid.refund_pending },
      },
      {
        _id: paid.unmatched,
        state: 'unmatched',
        amount: 9.99,
        reason: null,
        attempts: 0,
        buyer: { _id: buyer.id, name: 'Ben Okri', email: buyer.email },
      },
    ])
    const pauses = body.map(({ createdAt, nextAt, reservedUntil }) => {
      const minutes = (time: string | null) =>
        time && Math.round((Date.parse(time) - Date.parse(createdAt)) / 60_000)
      return [minutes(nextAt), minutes(reservedUntil)]
    })
    expect(pauses).toEqual([
      [1, null],
      [15, null],
    ])
  })

  it('lists a refund that the provider has accepted by its state only', async () => {
    const { body } = await list('?state=refunding')
    expect(body).toMatchObject([
      {
        _id: paid.refunding,
        state: 'refunding',
        attempts: 0,
        lastError: null,
        reason: 'Clay cup is sold out: 0 left. Your refund is on its way.',
      },
    ])
  })

  it.each(['refund_pending', 'unmatched', 'refunding', 'refunded'] as const)(
    'is narrowed to %s',
    async (state) => {
      const { body, headers } = await list(`?state=${state}`)
      expect(body.map(({ _id }) => _id)).toEqual([paid[state]])
      expect(headers['x-total-count']).toBe('1')
    },
  )

  it('is narrowed to those that were only started', async () => {
    const { body } = await list('?state=started')
    expect(body).toMatchObject([
      {
        state: 'started',
        attempts: 0,
        reason: null,
        lastError: null,
        reservedUntil: expect.any(String),
        payment: { razorpay_order_id: startedOrder, razorpay_payment_id: null },
      },
    ])
  })

  it('has pages, and nothing past the end', async () => {
    const reply = await list('?state=needs_attention&page=2')
    expect([reply.body, reply.headers['x-total-count']]).toEqual([[], '2'])
  })

  it('lists as many as the dashboard counts', async () => {
    expect(await inNeed()).toBe(2)
  })

  it.each(['?state=kept', '?state='])('refuses %s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })
})
