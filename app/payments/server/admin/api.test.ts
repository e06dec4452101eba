import { beforeAll, describe, expect, it } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { ListedPayment, PaymentState } from '#app/payments/admin-contract.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { deskOf, refundOf } from '#tests/support/desk.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import type { Refund } from '../providers/provider.ts'
import { verifyPayment } from '../settlement.ts'

const shop = testShop()
const { start, verify, letHoldsExpire } = purchases(shop)

let admin: Person
let buyer: Person
const paid: Partial<Record<PaymentState, string>> = {}
let startedOrder: string

const list = (query = '') =>
  shop.get<ListedPayment[]>(`/payment/payments${query}`, { token: admin.token })

/** Money for something sold out meanwhile, whose refund works or not. */
async function soldOut(product: { id: string }, refund: () => Promise<Refund>) {
  const person = await addPerson(shop.db)
  const { body } = await start(person, { amount: 1250, cart: cartOf(product) })
  await letHoldsExpire()
  await shop.db.updateTable('products').set({ quantity: 0 }).where('id', '=', product.id).execute()
  const proof = signedPayment(body.id)
  const report = { buyerId: person.id, proof }
  await verifyPayment(shop.db, deskOf(shop, { refund }), report).catch(() => {})
  return proof.razorpay_payment_id
}

beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  buyer = await addPerson(shop.db, { name: 'Ben Okri' })
  const category = await addCategory(shop.db, 'Kitchen')
  const cup = () => addProduct(shop.db, { category })
  paid.refunded = await soldOut(await cup(), async () => refundOf(1250))
  paid.refunding = await soldOut(await cup(), async () => refundOf(0, { underWayMinor: 1250 }))
  paid.refund_due = await soldOut(await cup(), () => Promise.reject(new Error('No balance')))
  const amountOnly = await start(buyer, { amount: 999 })
  const unclaimed = signedPayment(amountOnly.body.id)
  await verify(buyer, unclaimed, [])
  paid.unclaimed = unclaimed.razorpay_payment_id
  const sold = await start(buyer, { amount: 1250, cart: cartOf(await cup()) })
  await verify(buyer, signedPayment(sold.body.id))
  startedOrder = (await start(buyer, { amount: 1250, cart: cartOf(await cup()) })).body.id
})

describe('GET /payment/payments', () => {
  it('lists what came in and is not settled, the most pressing first, and says what is being done', async () => {
    const { status, body, headers } = await list()
    expect(status).toBe(200)
    expect(headers['x-total-count']).toBe('3')
    expect(body).toMatchObject([
      {
        _id: paid.refund_due,
        state: 'refund_due',
        amount: 12.5,
        currency: 'INR',
        reason: 'Clay cup is sold out: 0 left. Your money goes back to you.',
        tries: 1,
        lastError: 'No balance',
        heldUntil: null,
        payment: { razorpay_payment_id: paid.refund_due },
      },
      {
        _id: paid.unclaimed,
        state: 'unclaimed',
        amount: 9.99,
        reason: null,
        tries: 0,
        buyer: { _id: buyer.id, name: 'Ben Okri', email: buyer.email },
      },
      {
        _id: paid.refunding,
        state: 'refunding',
        tries: 0,
        lastError: null,
        reason: 'Clay cup is sold out: 0 left. Your money is on its way back to you.',
      },
    ])
    const pauses = body.map(({ createdAt, nextAt, heldUntil }) => {
      const minutes = (time: string | null) =>
        time && Math.round((Date.parse(time) - Date.parse(createdAt)) / 60_000)
      return [minutes(nextAt), minutes(heldUntil)]
    })
    expect(pauses).toEqual([
      [1, null],
      [15, null],
      [1, null],
    ])
  })

  it.each(['refund_due', 'unclaimed', 'refunding', 'refunded'] as const)(
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
        ...{ state: 'started', tries: 0, reason: null, lastError: null },
        heldUntil: expect.any(String),
        payment: { razorpay_order_id: startedOrder, razorpay_payment_id: null },
      },
    ])
  })

  it('has pages, and nothing past the end', async () => {
    const reply = await list('?page=2')
    expect([reply.body, reply.headers['x-total-count']]).toEqual([[], '3'])
  })

  it('has as many in need as the figures say: money that came in and is not done with', async () => {
    const { body } = await shop.get<Figures>('/order/figures', { token: admin.token })
    expect(body.paymentsInNeed).toBe(2)
  })

  it.each(['?state=kept', '?state=', '?page=0', '?page=x'])('refuses %s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })
})
