import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { contextWith, paymentContext, refundOf } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import {
  cartOf,
  moneyOf as moneyOfPayment,
  payAndVerify,
  signedPayment,
} from '#tests/support/payments.ts'
import type { RefundRequest } from '../providers/provider.ts'
import { processRefunds } from './refunds.ts'

const {
  shop,
  start,
  verify,
  expireReservations,
  ordersOf,
  stockOf,
  cup,
  change,
  started,
  startedTooLate,
  makeDue,
} = paymentShop()
const FAILED = { success: false, code: 'payment_failed', message: 'Payment verification failed' }

const moneyOf = (providerOrderId: string) => moneyOfPayment(shop, providerOrderId)

/** Verifies with a provider whose refunds are observed and can fail. */
function watchedContext(
  refund = vi.fn(async (_id: string, { storedMinor }: RefundRequest) => refundOf(storedMinor)),
) {
  return { refund, ...paymentContext(shop, { refund }) }
}

describe('many payments of one order', () => {
  it('cannot be claimed again for another order after it went back', async () => {
    const { buyer, id } = await started()
    await verify(buyer, signedPayment(id))
    const stray = signedPayment(id)
    const goesBack = `${FAILED.message}. Your payment will be refunded.`
    expect((await verify(buyer, stray)).body).toEqual({ ...FAILED, message: goesBack })
    const next = await started()
    const reply = await verify(next.buyer, signedPayment(next.id, stray.razorpay_payment_id))
    expect([reply.status, reply.body]).toEqual([400, FAILED])
    expect(await moneyOf(next.id)).toEqual([])
  })
})

describe('a payment for a product that is sold out', () => {
  it('makes no order, takes nothing, gives the money back once and says so every time', async () => {
    const plenty = await cup()
    const pot = await cup({ name: 'Copper pot' })
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 2500, cart: cartOf(plenty, pot) })
    await expireReservations()
    await change(pot, { quantity: 0 })
    const context = watchedContext()
    const proof = signedPayment(body.id)
    const attempt = () => payAndVerify(shop.db, context, { buyerId: buyer.id, proof })
    const message = 'Copper pot is sold out: 0 left. Your payment will be refunded.'
    await expect(attempt()).rejects.toMatchObject({ code: 'out_of_stock', message })
    await change(pot, { quantity: 10 })
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
    const { buyer, product, id } = await started({ name: 'Copper pot' })
    await expireReservations()
    await shop.db.deleteFrom('products').where('id', '=', product.id).execute()
    const reply = await verify(buyer, signedPayment(id))
    expect(reply).toMatchObject({ status: 409, body: { code: 'out_of_stock' } })
    expect(reply.body.message).toContain('Copper pot')
    expect(await moneyOf(id)).toMatchObject([{ state: 'refunded' }])
  })

  it('goes back later when the provider does not answer, and not twice meanwhile', async () => {
    const { buyer, id } = await startedTooLate()
    const context = watchedContext()
    context.refund.mockRejectedValueOnce(new Error('no answer'))
    const proof = signedPayment(id)
    const attempt = () =>
      payAndVerify(shop.db, context, { buyerId: buyer.id, proof }).catch(({ code }) => code)
    expect(await attempt()).toBe('out_of_stock')
    expect(await attempt()).toBe('out_of_stock')
    expect(context.refund).toHaveBeenCalledOnce()
    expect(context.log.error).toHaveBeenCalledOnce()
    expect(await moneyOf(id)).toMatchObject([{ state: 'refund_pending' }])
    await makeDue(id)
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
      from refunds where capture_id = (select id from captures where provider_payment_id = ${id})`.execute(
      shop.db,
    )
    return rows[0]
  }

  it('is tried again after growing pauses until it is done, and says why it failed', async () => {
    const { buyer, id } = await startedTooLate()
    const context = watchedContext()
    context.refund.mockRejectedValue(new Error('Not enough balance'))
    const proof = signedPayment(id)
    await payAndVerify(shop.db, context, { buyerId: buyer.id, proof }).catch(() => {})
    const paid = proof.razorpay_payment_id
    for (const [tries, pause] of [
      [1, 60],
      [2, 120],
      [3, 240],
    ]) {
      await processRefunds(shop.db, context)
      expect(context.refund).toHaveBeenCalledTimes(tries ?? 0)
      expect(await pauseOf(paid)).toEqual({ pause, tries, error: 'Not enough balance' })
      await makeDue(paid)
      if (tries === 3) context.refund.mockResolvedValue(refundOf(1250))
      await Promise.all([processRefunds(shop.db, context), processRefunds(shop.db, context)])
    }
    expect(context.refund).toHaveBeenCalledTimes(4)
    expect(await pauseOf(paid)).toEqual({ pause: null, tries: 3, error: null })
    expect(await moneyOf(id)).toMatchObject([{ state: 'refunded' }])
  })

  it('waits for the provider that has the money, whoever the shop is opened with', async () => {
    const { buyer, id } = await startedTooLate()
    const context = watchedContext()
    context.refund.mockRejectedValueOnce(new Error('Not enough balance'))
    await payAndVerify(shop.db, context, { buyerId: buyer.id, proof: signedPayment(id) }).catch(
      () => {},
    )
    await makeDue(id)
    const razorpay = contextWith({ ...context.provider, name: 'razorpay' }, context)
    await processRefunds(shop.db, razorpay)
    expect(await moneyOf(id)).toMatchObject([{ state: 'refund_pending' }])
    await processRefunds(shop.db, context)
    expect(await moneyOf(id)).toMatchObject([{ state: 'refunded' }])
  })
})
