import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { unavailable } from '#app/shared/server/failure.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { deskOf } from '#tests/support/desk.ts'
import { cartOf, moneyOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import type { PaymentProof } from '../contract.ts'
import { reconcile } from './reconciliation.ts'
import { refuseUnclaimed, retryRefunds } from './refunds.ts'

const shop = testShop()
const { start, verify, letHoldsExpire, ordersOf, stockOf } = purchases(shop)

const HOUR = 3600

let category: { id: string }

beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
})
// what another test left open is not this one's
beforeEach(() => shop.db.updateTable('payments').set({ next_ask_at: null }).execute())

async function started(quantity = 10) {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category, quantity })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  return { buyer, product, id: body.id }
}

const startedWithoutCart = async () => {
  const buyer = await addPerson(shop.db)
  return { buyer, id: (await start(buyer, { amount: 1250 })).body.id }
}

const payInDialog = async (id: string) =>
  (await shop.post<PaymentProof>('/payment/sandbox/pay', { body: { razorpay_order_id: id } })).body

/** Whoever waits to be asked about is asked about now. */
const whenItIsTime = () =>
  shop.db
    .updateTable('payments')
    .set({ next_ask_at: new Date(0) })
    .where('next_ask_at', 'is not', null)
    .execute()

const askingOf = async (id: string) => {
  const { rows } = await sql<{ asks: number; pause: number | null }>`
    select asks, round(extract(epoch from next_ask_at - now()))::integer as pause
    from payments where provider_order_id = ${id}`.execute(shop.db)
  return rows[0]
}

describe('the reconciliation', () => {
  it('finds a payment that nobody reported, and makes its order', async () => {
    const { buyer, product, id } = await started()
    const proof = await payInDialog(id)
    await whenItIsTime()
    await reconcile(shop.db, deskOf(shop))
    const [order] = await ordersOf(buyer)
    expect(order?.payment.razorpay_payment_id).toBe(proof.razorpay_payment_id)
    expect(await stockOf(product)).toBe(9)
    expect((await verify(buyer, proof)).body.order).toEqual(order)
    expect(await askingOf(id)).toEqual({ asks: 0, pause: expect.closeTo(6 * HOUR, -2) })
  })

  it('gives the money back when what was held is gone, and the buyer is told', async () => {
    const { buyer, product, id } = await started(1)
    const proof = await payInDialog(id)
    await letHoldsExpire()
    await shop.db
      .updateTable('products')
      .set({ quantity: 0 })
      .where('id', '=', product.id)
      .execute()
    await whenItIsTime()
    const desk = deskOf(shop)
    await reconcile(shop.db, desk)
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'refunded' }])
    expect(await desk.provider.paymentsOf(id)).toEqual([])
    expect(await verify(buyer, proof)).toMatchObject({
      status: 409,
      body: { message: 'Clay cup is sold out: 0 left. Your money went back to you.' },
    })
  })

  it('asks after a minute, and then after pauses that double up to four days', async () => {
    const { id } = await started()
    const paymentsOf = vi.fn(async () => [])
    const desk = deskOf(shop, { paymentsOf })
    await reconcile(shop.db, desk)
    expect(paymentsOf).not.toHaveBeenCalled()
    expect(await askingOf(id)).toEqual({ asks: 0, pause: 60 })
    for (const [asks, pause] of [
      [1, 120],
      [2, 240],
      [3, 480],
    ]) {
      await whenItIsTime()
      await reconcile(shop.db, desk)
      expect(await askingOf(id)).toEqual({ asks, pause })
    }
    await shop.db.updateTable('payments').set({ asks: 15 }).execute()
    await whenItIsTime()
    await reconcile(shop.db, desk)
    expect(await askingOf(id)).toEqual({ asks: 16, pause: 96 * HOUR })
  })

  it('asks no more after thirty days', async () => {
    const { id } = await started()
    const desk = deskOf(shop, { paymentsOf: async () => [] })
    let seconds = 60
    for (let asks = 1; asks < 100 && (await askingOf(id))?.pause; asks += 1) {
      await whenItIsTime()
      await reconcile(shop.db, desk)
      seconds += (await askingOf(id))?.pause ?? 0
    }
    expect(await askingOf(id)).toMatchObject({ pause: null })
    expect(Math.round(seconds / 24 / HOUR)).toBe(30)
  })

  it('asks on when the clock jumps a month ahead', async () => {
    const { buyer, id } = await started()
    await shop.db
      .updateTable('payments')
      .set({
        created_at: sql<Date>`created_at - interval '40 days'`,
        next_ask_at: sql<Date>`next_ask_at - interval '40 days'`,
      })
      .where('provider_order_id', '=', id)
      .execute()
    await reconcile(shop.db, deskOf(shop))
    expect(await askingOf(id)).toEqual({ asks: 1, pause: expect.closeTo(120, -2) })
    await payInDialog(id)
    await whenItIsTime()
    await reconcile(shop.db, deskOf(shop))
    expect(await ordersOf(buyer)).toHaveLength(1)
  })

  it('asks about a new payment before many that nobody pays', async () => {
    const { buyer, id } = await started()
    await shop.db
      .updateTable('payments')
      .set({ asks: 3, next_ask_at: new Date(0) })
      .where('provider_order_id', '=', id)
      .execute()
    const fresh = await started()
    await shop.db
      .updateTable('payments')
      .set({ next_ask_at: sql<Date>`now()` })
      .where('provider_order_id', '=', fresh.id)
      .execute()
    const paymentsOf = vi.fn((_id: string) => Promise.reject(unavailable('No answer.', 30)))
    await reconcile(shop.db, deskOf(shop, { paymentsOf }))
    expect(paymentsOf.mock.calls).toEqual([[fresh.id]])
    expect(await ordersOf(buyer)).toEqual([])
  })

  it('asks about several at the same time', async () => {
    await Promise.all([1, 2, 3, 4, 5].map(() => started()))
    await whenItIsTime()
    let [now, most] = [0, 0]
    const paymentsOf = async () => {
      now += 1
      most = Math.max(most, now)
      await new Promise(setImmediate)
      await sql`select pg_sleep(0.05)`.execute(shop.db)
      now -= 1
      return []
    }
    await reconcile(shop.db, deskOf(shop, { paymentsOf }))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
  })

  it('asks three times and once more about what a buyer started long before', async () => {
    const buyer = await addPerson(shop.db)
    const ids: string[] = []
    const startOne = async () => ids.push((await start(buyer, { amount: 1250 })).body.id)
    for (let count = 0; count < 12; count += 1) await startOne()
    for (let asked = 0; asked < 3; asked += 1) {
      await whenItIsTime()
      await startOne()
      await reconcile(shop.db, deskOf(shop, { paymentsOf: async () => [] }))
    }
    await startOne()
    const asks = await Promise.all(ids.map(async (id) => (await askingOf(id))?.asks))
    expect(asks).toEqual([...Array(5).fill(18), ...Array(7).fill(3), 2, 1, 0, 0])
    expect(await askingOf(ids[0] ?? '')).toMatchObject({ pause: expect.closeTo(24 * HOUR, -2) })
    await whenItIsTime()
    await reconcile(shop.db, deskOf(shop, { paymentsOf: async () => [] }))
    expect(await askingOf(ids[0] ?? '')).toMatchObject({ pause: null })
  })

  it('asks once a payment, however many processes there are', async () => {
    const payments = await Promise.all([started(), started(), started(), started()])
    await whenItIsTime()
    const paymentsOf = vi.fn(async (_id: string) => [])
    const desk = deskOf(shop, { paymentsOf })
    await Promise.all([1, 2, 3].map(() => reconcile(shop.db, desk)))
    const asked = paymentsOf.mock.calls.map(([id]) => id)
    expect(asked.sort()).toEqual(payments.map(({ id }) => id).sort())
  })

  it('lets a provider that does not answer alone, and asks again in a minute', async () => {
    const { buyer, id } = await started()
    await started()
    await payInDialog(id)
    await whenItIsTime()
    const paymentsOf = vi.fn(() => Promise.reject(unavailable('No answer.', 30)))
    await reconcile(shop.db, deskOf(shop, { paymentsOf }))
    expect(paymentsOf).toHaveBeenCalledOnce()
    await whenItIsTime()
    await reconcile(shop.db, deskOf(shop))
    expect(await ordersOf(buyer)).toHaveLength(1)
  })
})

describe('money of a payment that was started without a cart', () => {
  const waitTooLong = () =>
    shop.db
      .updateTable('provider_payments')
      .set({ created_at: sql<Date>`now() - interval '16 minutes'` })
      .where('state', '=', 'unclaimed')
      .execute()

  it('waits for the buyer to say what it is for', async () => {
    const { buyer, id } = await startedWithoutCart()
    const proof = await payInDialog(id)
    await whenItIsTime()
    await reconcile(shop.db, deskOf(shop))
    await refuseUnclaimed(shop.db, deskOf(shop))
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'unclaimed' }])
    const product = await addProduct(shop.db, { category })
    expect((await verify(buyer, proof, cartOf(product))).status).toBe(200)
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'kept' }])
  })

  it('goes back when nobody claims it in time, and then buys nothing any more', async () => {
    const { buyer, id } = await startedWithoutCart()
    const proof = signedPayment(id)
    expect((await verify(buyer, proof, [])).status).toBe(400)
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'unclaimed' }])
    await waitTooLong()
    const desk = deskOf(shop)
    await refuseUnclaimed(shop.db, desk)
    await retryRefunds(shop.db, desk)
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'refunded' }])
    const product = await addProduct(shop.db, { category })
    const reply = await verify(buyer, proof, cartOf(product))
    expect([reply.status, reply.body.message]).toEqual([
      400,
      'Payment verification failed. Your money went back to you.',
    ])
    expect(await stockOf(product)).toBe(10)
  })

  it('is claimed or goes back, never both', async () => {
    const { buyer, id } = await startedWithoutCart()
    const proof = signedPayment(id)
    await verify(buyer, proof, [])
    await waitTooLong()
    const product = await addProduct(shop.db, { category })
    const [reply] = await Promise.all([
      verify(buyer, proof, cartOf(product)),
      refuseUnclaimed(shop.db, deskOf(shop)),
    ])
    const [money] = await moneyOf(shop, id)
    expect([
      [200, 'kept', 1],
      [400, 'refunded', 0],
      [400, 'refund_due', 0],
    ]).toContainEqual([reply.status, money?.state, (await ordersOf(buyer)).length])
  })
})
