import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Refund } from '#app/payments/refund-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCoupon } from '#tests/support/coupons.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { paymentShop, razorpayShop } from '#tests/support/payment-shop.ts'
import { cartOf, moneyOf, signedPayment } from '#tests/support/payments.ts'
import { addTaxRate } from '#tests/support/taxes.ts'
import { paymentOf, provider, report } from '#tests/support/webhook.ts'

const { shop, start, verify, cancel, expireReservations, ordersOf, stockOf, cup, change, started } =
  paymentShop()

const CHANGED = {
  code: 'price_changed',
  message: 'A price has changed since this payment was started. Your payment will be refunded.',
}
const CANCELLED_REFUSAL = 'This payment was cancelled before it was paid.'
const CANCELLED = {
  code: 'payment_failed',
  message: 'This payment was cancelled before it was paid. Your payment will be refunded.',
}

/** Moves a payment back in time by so many minutes, with its reservation of a quarter of an hour. */
const letPass = (id: string, minutes: number) =>
  shop.db
    .updateTable('payments')
    .set({
      reserved_until: sql<Date>`created_at + (15 - ${minutes}::integer) * interval '1 minute'`,
    })
    .where('provider_order_id', '=', id)
    .execute()

const statesOf = async (id: string) => (await moneyOf(shop, id)).map(({ state }) => state)

const refundsOf = async ({ token }: Person) =>
  (await shop.get<Refund[]>('/payment/refunds', { token })).body

describe('the prices of a started payment', () => {
  it('are honoured for an hour after the reservation has expired', async () => {
    const { buyer, product, id } = await started()
    await expireReservations()
    await change(product, { price_minor: 99_900 })
    await letPass(id, 15 + 59)
    expect((await verify(buyer, signedPayment(id))).body.order).toMatchObject({ total: 12.5 })
  })

  it('are not honoured later: the money is refunded, and nothing is sold', async () => {
    const { buyer, product, id } = await started()
    await expireReservations()
    await change(product, { price_minor: 99_900 })
    await letPass(id, 15 + 61)
    const proof = signedPayment(id)
    expect(await verify(buyer, proof)).toMatchObject({ status: 409, body: CHANGED })
    const message = 'A price has changed since this payment was started. Your payment was refunded.'
    expect(await verify(buyer, proof)).toMatchObject({ status: 409, body: { message } })
    expect([await ordersOf(buyer), await stockOf(product)]).toEqual([[], 10])
    expect(await statesOf(id)).toEqual(['refunded'])
    expect(await refundsOf(buyer)).toMatchObject([{ state: 'refunded', reason: message }])
  })

  it('are not honoured later when they have fallen, either', async () => {
    const { buyer, product, id } = await started()
    await expireReservations()
    await change(product, { price_minor: 1249 })
    await letPass(id, 15 + 61)
    expect(await verify(buyer, signedPayment(id))).toMatchObject({ status: 409, body: CHANGED })
  })

  it('are not honoured later when a coupon has ended, or takes less off', async () => {
    for (const [at, changes] of [
      { ends_at: new Date(86_400_000) },
      { percent: 5 },
      null,
    ].entries()) {
      const buyer = await addPerson(shop.db)
      const product = await cup()
      const { id: coupon } = await addCoupon(shop.db, { code: `LATE-${at}` })
      const couponCodes = [`LATE-${at}`]
      const { body } = await start(buyer, { amount: 1125, cart: cartOf(product), couponCodes })
      await expireReservations()
      if (changes)
        await shop.db.updateTable('coupons').set(changes).where('id', '=', coupon).execute()
      await letPass(body.id, 15 + 61)
      const reply = await verify(buyer, signedPayment(body.id))
      expect(reply).toMatchObject(changes ? { status: 409, body: CHANGED } : { status: 200 })
    }
  })

  it('are sold later as long as they are those of today', async () => {
    const { buyer, product, id } = await started()
    await expireReservations()
    await letPass(id, 90 * 24 * 60)
    expect((await verify(buyer, signedPayment(id))).body.order).toMatchObject({ total: 12.5 })
    expect(await stockOf(product)).toBe(9)
  })

  it('are not honoured later when the total has come to depend on a place, and there is none', async () => {
    const { buyer, id } = await started()
    await expireReservations()
    await letPass(id, 15 + 61)
    await addTaxRate(shop.db, { country: 'US', region: 'CA' })
    const reply = await verify(buyer, signedPayment(id))
    await emptyTables(shop.db, ['tax_rates'])
    expect(reply).toMatchObject({ status: 409, body: CHANGED })
  })

  it('are honoured as long as the stock is reserved, however long that is', async () => {
    const { buyer, product, id } = await started()
    await change(product, { price_minor: 99_900 })
    await letPass(id, 90 * 24 * 60)
    expect((await verify(buyer, signedPayment(id))).body.order).toMatchObject({ total: 12.5 })
  })
})

describe('a cancelled payment', () => {
  it('is over: a later payment is refunded, and makes no order', async () => {
    const { buyer, product, id } = await started()
    await cancel(buyer, id)
    expect(await verify(buyer, signedPayment(id))).toMatchObject({ status: 400, body: CANCELLED })
    expect([await ordersOf(buyer), await stockOf(product)]).toEqual([[], 10])
    expect(await statesOf(id)).toEqual(['refunded'])
    expect(await verify(buyer, signedPayment(id))).toMatchObject({ status: 400 })
    expect(await statesOf(id)).toEqual(['refunded', 'refunded'])
  })

  it('without a cart is over, too', async () => {
    const buyer = await addPerson(shop.db)
    const { id } = (await start(buyer, { amount: 1250 })).body
    await cancel(buyer, id)
    const cart = cartOf(await cup())
    expect(await verify(buyer, signedPayment(id), cart)).toMatchObject({ body: CANCELLED })
  })

  it('refunds money that waits for its cart', async () => {
    const buyer = await addPerson(shop.db)
    const { id } = (await start(buyer, { amount: 1250 })).body
    const proof = signedPayment(id)
    expect((await verify(buyer, proof, [])).status).toBe(400)
    await cancel(buyer, id)
    const cart = cartOf(await cup())
    expect(await verify(buyer, proof, cart)).toMatchObject({ status: 400, body: CANCELLED })
    expect(await statesOf(id)).toEqual(['refunded'])
  })

  it('that was paid before stays as it was decided', async () => {
    const { buyer, id } = await started()
    const proof = signedPayment(id)
    const { body } = await verify(buyer, proof)
    expect((await cancel(buyer, id)).status).toBe(200)
    expect((await verify(buyer, proof)).body).toEqual(body)
  })

  it('of which only the stock was released may still be paid', async () => {
    const { buyer, product, id } = await started()
    const body = { razorpay_order_id: id, releaseOnly: true }
    await shop.post('/product/razorpay/cancel', { token: buyer.token, body })
    expect(await stockOf(product)).toBe(10)
    await change(product, { price_minor: 99_900 })
    expect((await verify(buyer, signedPayment(id))).body.order).toMatchObject({ total: 12.5 })
  })
})

describe('a cancelled payment that the provider reports', async () => {
  const live = await razorpayShop({ hasWebhooks: false })
  const { razorpay, ordersOf, makeDue, runJobs } = live

  async function cancelled() {
    const { buyer, id } = await live.started()
    await live.cancel(buyer, id)
    return { buyer, id }
  }

  const moneyIn = async (id: string) => (await moneyOf(live.shop, id)).map(({ refusal }) => refusal)

  it('is refunded when a webhook reports it, whose answer waits for no call of the provider', async () => {
    const { buyer, id } = await cancelled()
    const money = razorpay.pay(id).razorpay_payment_id
    const calls = razorpay.requests.length
    const [status] = await provider(live.shop).tell(
      report('payment.captured', paymentOf(id, money)),
    )
    expect([status, await ordersOf(buyer)]).toEqual([200, []])
    expect(razorpay.requests).toHaveLength(calls)
    expect(await moneyIn(id)).toEqual([CANCELLED_REFUSAL])
  })

  it('is refunded when reconciliation finds it captured', async () => {
    const { buyer, id } = await cancelled()
    const { razorpay_payment_id: money } = razorpay.pay(id)
    razorpay.account.capture(money)
    await makeDue(id)
    await runJobs()
    expect([await ordersOf(buyer), await moneyIn(id)]).toEqual([[], [CANCELLED_REFUSAL]])
    expect(razorpay.account.refundedOf(money)).toBe(1250)
  })

  it.each(['found', 'reported'])('is not captured when it is authorised, and %s', async (how) => {
    const { buyer, id } = await cancelled()
    const { razorpay_payment_id: money } = razorpay.pay(id)
    if (how === 'reported')
      await provider(live.shop).tell(report('payment.authorized', paymentOf(id, money)))
    await makeDue(id)
    await runJobs()
    expect([await ordersOf(buyer), await moneyIn(id)]).toEqual([[], [CANCELLED_REFUSAL]])
    expect(razorpay.account.paymentsOf(id)).toMatchObject([{ status: 'authorized' }])
    expect(await live.statesOf(id, '?state=voided')).toEqual(['voided'])
  })
})
