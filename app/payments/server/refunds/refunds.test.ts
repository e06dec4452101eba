import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { paymentContext, refundOf } from '#tests/support/payment-context.ts'
import {
  cartOf,
  moneyOf as moneyOfPayment,
  purchases,
  signedPayment,
} from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { verifyPayment } from '../completion.ts'
import type { Refund, RefundRequest } from '../providers/provider.ts'
import { processRefunds } from './refund-job.ts'

const shop = testShop()
const { start, verify, expireReservations, ordersOf, stockOf } = purchases(shop)
const FAILED = { success: false, code: 'payment_failed', message: 'Payment verification failed' }

let category: { id: string }

beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
})

const cup = (facts = {}) => addProduct(shop.db, { category, ...facts })

async function started(product: { id: string }) {
  const buyer = await addPerson(shop.db)
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  return { buyer, id: body.id }
}

const moneyOf = (providerOrderId: string) => moneyOfPayment(shop, providerOrderId)

/** A buyer whose payment is in progress, although its reservation has expired. */
async function startedLongAgo(product: { id: string }) {
  const payment = await started(product)
  await expireReservations()
  return payment
}

const setStock = ({ id }: { id: string }, quantity: number) =>
  shop.db.updateTable('products').where('id', '=', id).set({ quantity }).execute()

/** Verifies with a provider whose refunds are observed and can fail. */
function watchedContext(
  refund = vi.fn(async (_id: string, { storedMinor }: RefundRequest) => refundOf(storedMinor)),
) {
  return { refund, ...paymentContext(shop, { refund }) }
}

describe('the same payment, many times at once', () => {
  it('makes one order and answers it every time', async () => {
    const product = await cup()
    const { buyer, id } = await started(product)
    const proof = signedPayment(id)
    const replies = await Promise.all(Array.from({ length: 10 }, () => verify(buyer, proof)))
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await ordersOf(buyer)).toHaveLength(1)
    expect(await stockOf(product)).toBe(9)
  })
})

describe('many payments of one order', () => {
  it('makes one order and refunds the other nine, once each', async () => {
    const product = await cup()
    const { buyer, id } = await started(product)
    const context = watchedContext()
    const proofs = Array.from({ length: 10 }, () => signedPayment(id))
    const all = () =>
      Promise.allSettled(
        proofs.map((proof) => verifyPayment(shop.db, context, { buyerId: buyer.id, proof })),
      )
    for (const results of [await all(), await all()]) {
      const failures = results.filter(({ status }) => status === 'rejected')
      expect(failures).toHaveLength(9)
      expect(failures).toMatchObject(Array(9).fill({ reason: { code: 'payment_failed' } }))
    }
    expect(context.refund).toHaveBeenCalledTimes(9)
    expect(await ordersOf(buyer)).toHaveLength(1)
    expect(await stockOf(product)).toBe(9)
    const states = (await moneyOf(id)).map(({ state }) => state)
    expect(states).toEqual(['captured', ...Array(9).fill('refunded')])
  })

  it('cannot be claimed again for another order after it went back', async () => {
    const product = await cup()
    const { buyer, id } = await started(product)
    await verify(buyer, signedPayment(id))
    const stray = signedPayment(id)
    const goesBack = `${FAILED.message}. Your payment will be refunded.`
    expect((await verify(buyer, stray)).body).toEqual({ ...FAILED, message: goesBack })
    const next = await started(product)
    const reply = await verify(next.buyer, signedPayment(next.id, stray.razorpay_payment_id))
    expect([reply.status, reply.body]).toEqual([400, FAILED])
    expect(await moneyOf(next.id)).toEqual([])
  })
})

describe('ten buyers of the last three pieces whose time is over', () => {
  it('make exactly three orders and get seven payments back', async () => {
    const product = await cup({ quantity: 3 })
    const plenty = await cup({ quantity: 100 })
    const carts = [cartOf(product, plenty), cartOf(plenty, product)]
    const attempts: { buyer: Person; id: string }[] = []
    for (let i = 0; i < 10; i += 1) {
      const buyer = await addPerson(shop.db)
      const { body } = await start(buyer, { amount: 2500, cart: carts[i % 2] })
      attempts.push({ buyer, id: body.id })
      await expireReservations()
    }
    const replies = await Promise.all(
      attempts.map(({ buyer, id }) => verify(buyer, signedPayment(id))),
    )
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, ...Array(7).fill(409)])
    expect([await stockOf(product), await stockOf(plenty)]).toEqual([0, 97])
    const money = await Promise.all(attempts.map(({ id }) => moneyOf(id)))
    const states = money.flat().map(({ state }) => state)
    expect(states.sort()).toEqual([...Array(3).fill('captured'), ...Array(7).fill('refunded')])
    const orders = await Promise.all(attempts.map(({ buyer }) => ordersOf(buyer)))
    expect(orders.flat()).toHaveLength(3)
  })
})

describe('a payment for a product that is sold out', () => {
  it('makes no order, takes nothing, gives the money back once and says so every time', async () => {
    const plenty = await cup()
    const pot = await cup({ name: 'Copper pot' })
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 2500, cart: cartOf(plenty, pot) })
    await expireReservations()
    await setStock(pot, 0)
    const context = watchedContext()
    const proof = signedPayment(body.id)
    const attempt = () => verifyPayment(shop.db, context, { buyerId: buyer.id, proof })
    const message = 'Copper pot is sold out: 0 left. Your payment will be refunded.'
    await expect(attempt()).rejects.toMatchObject({ code: 'out_of_stock', message })
    await setStock(pot, 10)
    await expect(attempt()).rejects.toMatchObject({ code: 'out_of_stock' })
    const reply = await verify(buyer, proof)
    const then = message.replace('will be', 'was')
    expect([reply.status, reply.body]).toEqual([
      409,
      { success: false, code: 'out_of_stock', message: then },
    ])
    expect(context.refund).toHaveBeenCalledExactlyOnceWith(
      proof.razorpay_payment_id,
      expect.objectContaining({ storedMinor: 2500, totalRefundMinor: null, doneMinor: 0 }),
    )
    expect(await ordersOf(buyer)).toEqual([])
    expect([await stockOf(plenty), await stockOf(pot)]).toEqual([10, 10])
  })

  it('is a deleted product, too', async () => {
    const product = await cup({ name: 'Copper pot' })
    const { buyer, id } = await startedLongAgo(product)
    await shop.db.deleteFrom('products').where('id', '=', product.id).execute()
    const reply = await verify(buyer, signedPayment(id))
    expect(reply).toMatchObject({ status: 409, body: { code: 'out_of_stock' } })
    expect(reply.body.message).toContain('Copper pot')
    expect(await moneyOf(id)).toMatchObject([{ state: 'refunded' }])
  })

  it('gives the money back once when it is reported ten times at once', async () => {
    const product = await cup()
    const { buyer, id } = await startedLongAgo(product)
    await setStock(product, 0)
    const context = watchedContext()
    const proof = signedPayment(id)
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        verifyPayment(shop.db, context, { buyerId: buyer.id, proof }),
      ),
    )
    expect(results).toMatchObject(Array(10).fill({ reason: { code: 'out_of_stock' } }))
    expect(context.refund).toHaveBeenCalledOnce()
  })

  it('goes back later when the provider does not answer, and not twice meanwhile', async () => {
    const product = await cup()
    const { buyer, id } = await startedLongAgo(product)
    await setStock(product, 0)
    const context = watchedContext()
    context.refund.mockRejectedValueOnce(new Error('no answer'))
    const proof = signedPayment(id)
    const attempt = () =>
      verifyPayment(shop.db, context, { buyerId: buyer.id, proof }).catch(({ code }) => code)
    expect(await attempt()).toBe('out_of_stock')
    expect(await attempt()).toBe('out_of_stock')
    expect(context.refund).toHaveBeenCalledOnce()
    expect(context.log.error).toHaveBeenCalledOnce()
    expect(await moneyOf(id)).toMatchObject([{ state: 'refund_pending' }])
    await shop.db
      .updateTable('payments')
      .set({ next_attempt_at: new Date(0) })
      .where('state', '=', 'refund_pending')
      .execute()
    expect(await attempt()).toBe('out_of_stock')
    expect(context.refund).toHaveBeenCalledTimes(2)
    expect(await moneyOf(id)).toMatchObject([{ state: 'refunded' }])
  })
})

describe('a refund that fails', () => {
  const pauseOf = async (id: string) => {
    const { rows } = await sql<{ pause: number | null; tries: number; error: string | null }>`
      select round(extract(epoch from next_attempt_at - now()))::integer as pause,
        attempts as tries, last_error as error
      from payments where provider_payment_id = ${id}`.execute(shop.db)
    return rows[0]
  }

  it('is tried again after growing pauses until it is done, and says why it failed', async () => {
    const product = await cup()
    const { buyer, id } = await startedLongAgo(product)
    await setStock(product, 0)
    const context = watchedContext()
    context.refund.mockRejectedValue(new Error('Not enough balance'))
    const proof = signedPayment(id)
    await verifyPayment(shop.db, context, { buyerId: buyer.id, proof }).catch(() => {})
    const paid = proof.razorpay_payment_id
    for (const [tries, pause] of [
      [1, 60],
      [2, 120],
      [3, 240],
    ]) {
      await processRefunds(shop.db, context)
      expect(context.refund).toHaveBeenCalledTimes(tries ?? 0)
      expect(await pauseOf(paid)).toEqual({ pause, tries, error: 'Not enough balance' })
      const now = { next_attempt_at: new Date(0) }
      await shop.db
        .updateTable('payments')
        .set(now)
        .where('provider_payment_id', '=', paid)
        .execute()
      if (tries === 3) context.refund.mockResolvedValue(refundOf(1250))
      await Promise.all([processRefunds(shop.db, context), processRefunds(shop.db, context)])
    }
    expect(context.refund).toHaveBeenCalledTimes(4)
    expect(await pauseOf(paid)).toEqual({ pause: 6 * 3600, tries: 0, error: null })
    expect(await moneyOf(id)).toMatchObject([{ state: 'refunded' }])
  })

  it('of a process that died meanwhile is taken up by another', async () => {
    const product = await cup()
    const { buyer, id } = await startedLongAgo(product)
    await setStock(product, 0)
    const hanging = watchedContext(vi.fn(() => new Promise<Refund>(() => {})))
    void verifyPayment(shop.db, hanging, { buyerId: buyer.id, proof: signedPayment(id) })
    await vi.waitFor(() => expect(hanging.refund).toHaveBeenCalledOnce())
    const context = watchedContext()
    await processRefunds(shop.db, context)
    expect(context.refund).not.toHaveBeenCalled()
    const later = { next_attempt_at: new Date(0) }
    await shop.db.updateTable('payments').set(later).where('state', '=', 'refund_pending').execute()
    await processRefunds(shop.db, context)
    expect(context.refund).toHaveBeenCalledOnce()
    expect(await moneyOf(id)).toMatchObject([{ state: 'refunded' }])
  })

  it('waits for the provider that has the money, whoever the shop is opened with', async () => {
    const product = await cup()
    const { buyer, id } = await startedLongAgo(product)
    await setStock(product, 0)
    const context = watchedContext()
    context.refund.mockRejectedValueOnce(new Error('Not enough balance'))
    await verifyPayment(shop.db, context, { buyerId: buyer.id, proof: signedPayment(id) }).catch(
      () => {},
    )
    const now = { next_attempt_at: new Date(0) }
    await shop.db.updateTable('payments').set(now).where('state', '=', 'refund_pending').execute()
    const razorpay = { ...context, provider: { ...context.provider, name: 'razorpay' as const } }
    await processRefunds(shop.db, razorpay)
    expect(await moneyOf(id)).toMatchObject([{ state: 'refund_pending' }])
    await processRefunds(shop.db, context)
    expect(await moneyOf(id)).toMatchObject([{ state: 'refunded' }])
  })
})
