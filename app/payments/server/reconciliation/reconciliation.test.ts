import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaymentProof } from '#app/payments/contract.ts'
import { unavailable } from '#app/shared/server/failure.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { paymentContext } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf, moneyOf, signedPayment } from '#tests/support/payments.ts'
import { runJob } from '#tests/support/smtp.ts'
import type { KnownOrder } from '../providers/provider.ts'
import { processRefunds, refuseUnmatched } from '../refunds/refunds.ts'
import { reconcile } from './reconciliation.ts'

const { shop, start, verify, ordersOf, stockOf, cup, started, startedTooLate, makeDue, endPolls } =
  paymentShop()

const HOUR = 3600

beforeEach(endPolls)

const startedWithoutCart = async () => {
  const buyer = await addPerson(shop.db)
  return { buyer, id: (await start(buyer, { amount: 1250 })).body.id }
}

const payInDialog = async (id: string) =>
  (await shop.post<PaymentProof>('/payment/sandbox/pay', { body: { razorpay_order_id: id } })).body

const pollingOf = async (id: string) => {
  const { rows } = await sql<{ attempts: number; pause: number | null }>`
    select attempts, round(extract(epoch from next_attempt_at - now()))::integer as pause
    from payments where provider_order_id = ${id}`.execute(shop.db)
  return rows[0]
}

describe('the reconciliation', () => {
  it('finds a payment that nobody reported, and makes its order', async () => {
    const { buyer, product, id } = await started()
    const proof = await payInDialog(id)
    await makeDue()
    await reconcile(shop.db, paymentContext(shop))
    const [order] = await ordersOf(buyer)
    expect(order?.payment.razorpay_payment_id).toBe(proof.razorpay_payment_id)
    expect(await stockOf(product)).toBe(9)
    expect((await verify(buyer, proof)).body.order).toEqual(order)
    expect(await pollingOf(id)).toEqual({ attempts: 0, pause: expect.closeTo(6 * HOUR, -2) })
  })

  it('refunds the money when the reserved stock is gone, and the buyer is told', async () => {
    const { buyer, id } = await startedTooLate()
    const proof = await payInDialog(id)
    await makeDue()
    const context = paymentContext(shop)
    await reconcile(shop.db, context)
    await processRefunds(shop.db, context)
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'refunded' }])
    const order = { id, amountMinor: 1250, currency: 'INR' }
    expect((await context.provider.lookUp(order)).payments).toMatchObject([{ status: 'refunded' }])
    expect(await verify(buyer, proof)).toMatchObject({
      status: 409,
      body: { message: 'Clay cup is sold out: 0 left. Your payment was refunded.' },
    })
  })

  it('polls after a minute, then after pauses that grow fourfold up to a day, for more than five days', async () => {
    const { id } = await started()
    const lookUp = vi.fn(async (order: KnownOrder) => ({ ...order, payments: [] }))
    const context = paymentContext(shop, { lookUp })
    await reconcile(shop.db, context)
    expect(lookUp).not.toHaveBeenCalled()
    const pauses = [(await pollingOf(id))?.pause]
    while (pauses.length < 100 && pauses.at(-1)) {
      await makeDue()
      await reconcile(shop.db, context)
      pauses.push((await pollingOf(id))?.pause)
    }
    expect(pauses.slice(0, 4)).toEqual([60, 240, 960, 3840])
    expect(pauses.slice(-3)).toEqual([24 * HOUR, 24 * HOUR, null])
    expect(pauses).toHaveLength(12)
    const days = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / 24 / HOUR
    expect(days).toBeGreaterThan(5.5)
    expect(Math.floor(days)).toBe(5)
  })

  it('polls several at the same time', async () => {
    await Promise.all([1, 2, 3, 4, 5].map(() => started()))
    await makeDue()
    let now = 0
    let max = 0
    const lookUp = async (order: KnownOrder) => {
      now += 1
      max = Math.max(max, now)
      await new Promise(setImmediate)
      await sql`select pg_sleep(0.05)`.execute(shop.db)
      now -= 1
      return { ...order, payments: [] }
    }
    await reconcile(shop.db, paymentContext(shop, { lookUp }))
    expect(max).toBeGreaterThan(1)
    expect(max).toBeLessThanOrEqual(4)
  })

  it('polls a payment once, however many processes there are', async () => {
    const payments = await Promise.all([started(), started(), started(), started()])
    await makeDue()
    const lookUp = vi.fn(async (order: KnownOrder) => ({ ...order, payments: [] }))
    const context = paymentContext(shop, { lookUp })
    await Promise.all([1, 2, 3].map(() => reconcile(shop.db, context)))
    const asked = lookUp.mock.calls.map(([{ id }]) => id)
    expect(asked.sort()).toEqual(payments.map(({ id }) => id).sort())
  })

  it('stops when the provider does not answer, and polls again in a minute', async () => {
    const { buyer, id } = await started()
    await started()
    await payInDialog(id)
    await makeDue()
    const lookUp = vi.fn(() => Promise.reject(unavailable('No answer.', 30)))
    await reconcile(shop.db, paymentContext(shop, { lookUp }))
    expect(lookUp).toHaveBeenCalledOnce()
    await makeDue()
    await reconcile(shop.db, paymentContext(shop))
    expect(await ordersOf(buyer)).toHaveLength(1)
  })
})

describe('a payment at a provider that the shop is not connected to any more', () => {
  it('is due for three days, in case it is connected again', async () => {
    const { id } = await started()
    const dueFor = async (days: number) => {
      const next_attempt_at = new Date(Date.now() - days * 24 * HOUR * 1000)
      await shop.db
        .updateTable('payments')
        .set({ provider: 'razorpay', next_attempt_at })
        .where('provider_order_id', '=', id)
        .execute()
      await runJob(shop, 'ending polls of former providers')
      return (await pollingOf(id))?.pause
    }
    expect(await dueFor(2)).not.toBeNull()
    expect(await dueFor(4)).toBeNull()
    const { rows } = await sql<{ state: string }>`
      select state from started_overview where id in (
        select id from payments where provider_order_id = ${id})`.execute(shop.db)
    expect(rows).toEqual([])
  })
})

describe('money of a payment that was started without a cart', () => {
  const waitTooLong = () =>
    shop.db
      .updateTable('captures')
      .set({ received_at: sql<Date>`now() - interval '16 minutes'` })
      .where('purpose', '=', 'undecided')
      .execute()

  it('waits for the buyer to say what it is for', async () => {
    const { buyer, id } = await startedWithoutCart()
    const proof = await payInDialog(id)
    await makeDue()
    await reconcile(shop.db, paymentContext(shop))
    await refuseUnmatched(shop.db, paymentContext(shop))
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'unmatched' }])
    const product = await cup()
    expect((await verify(buyer, proof, cartOf(product))).status).toBe(200)
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'paid' }])
  })

  it('is refunded when it is not claimed in time, and then buys nothing any more', async () => {
    const { buyer, id } = await startedWithoutCart()
    const proof = signedPayment(id)
    expect((await verify(buyer, proof, [])).status).toBe(400)
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'unmatched' }])
    await waitTooLong()
    const context = paymentContext(shop)
    await refuseUnmatched(shop.db, context)
    await reconcile(shop.db, context)
    await processRefunds(shop.db, context)
    expect(await moneyOf(shop, id)).toMatchObject([{ state: 'refunded' }])
    const product = await cup()
    const reply = await verify(buyer, proof, cartOf(product))
    expect([reply.status, reply.body.message]).toEqual([
      400,
      'Payment verification failed. Your payment was refunded.',
    ])
    expect(await stockOf(product)).toBe(10)
  })

  it('is claimed or refunded, never both', async () => {
    const { buyer, id } = await startedWithoutCart()
    const proof = signedPayment(id)
    await verify(buyer, proof, [])
    await waitTooLong()
    const product = await cup()
    const [reply] = await Promise.all([
      verify(buyer, proof, cartOf(product)),
      refuseUnmatched(shop.db, paymentContext(shop)),
    ])
    const [money] = await moneyOf(shop, id)
    expect([
      [200, 'paid', 1],
      [400, 'refunded', 0],
      [400, 'refund_pending', 0],
    ]).toContainEqual([reply.status, money?.state, (await ordersOf(buyer)).length])
  })
})
