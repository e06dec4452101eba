import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { deskOf } from '#tests/support/desk.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import {
  HOOK_SECRET,
  paymentOf,
  provider,
  refundReport,
  report,
  signatureOf,
} from '#tests/support/webhook.ts'
import { hearReport } from '../webhook/service.ts'
import { settleKnown } from './service.ts'

const shop = testShop({ RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET })
const { start, verify, ordersOf } = purchases(shop)
const { tell } = provider(shop)
const OK = [200, { success: true }]

let category: { id: string }
let admin: Person

beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
  admin = await addPerson(shop.db, { admin: true })
})

const listed = async (id: string, query = '') => {
  const path = `/payment/payments${query}`
  const { body } = await shop.get<ListedPayment[]>(path, { token: admin.token })
  return body.find(({ _id }) => _id === id)
}

const inNeed = async () =>
  (await shop.get<Figures>('/order/figures', { token: admin.token })).body.paymentsInNeed

const orderId = () => `order_${randomUUID()}`

/** A payment that is not here, since an older backup was restored; and how it is here again. */
async function forgotten() {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  const rename = (from: string, to: string) =>
    shop.db
      .updateTable('payments')
      .set({ provider_order_id: to })
      .where('provider_order_id', '=', from)
      .execute()
  const elsewhere = orderId()
  await rename(body.id, elsewhere)
  return { buyer, id: body.id, remember: () => rename(elsewhere, body.id) }
}

describe('signed money for an order that is not here', () => {
  it('is answered, told of as an error, and listed with all that is known', async () => {
    const [id, receipt, before] = [orderId(), randomUUID(), await inNeed()]
    const payment = { ...paymentOf(id), created_at: 1_700_000_000 }
    expect(await tell(report('payment.captured', payment))).toEqual(OK)
    const paid = report('order.paid', payment)
    const order = { entity: { id, receipt } }
    expect(await tell({ ...paid, payload: { ...paid.payload, order } })).toEqual(OK)
    expect(await listed(payment.id)).toMatchObject({
      ...{ state: 'unknown', amount: 12.5, currency: 'INR', givenBack: 0, receipt },
      ...{ buyer: null, paymentId: null, createdAt: '2023-11-14T22:13:20.000Z' },
      payment: { razorpay_order_id: id, razorpay_payment_id: payment.id },
    })
    expect(await inNeed()).toBe(before + 1)
  })

  it('is an error in the log, once', async () => {
    const desk = deskOf(shop)
    const payment = paymentOf(orderId())
    for (const event of ['payment.captured', 'order.paid']) {
      const raw = Buffer.from(JSON.stringify(report(event, payment)))
      const signature = signatureOf(raw.toString())
      const secrets = [HOOK_SECRET]
      await hearReport(shop.db, desk, { raw, signature, secrets, eventId: randomUUID() })
    }
    expect(desk.log.error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ providerPaymentId: payment.id, amountMinor: 1250 }),
      expect.stringContaining('not known here'),
    )
  })

  it('leaves no trace when it is forged', async () => {
    const payment = paymentOf(orderId())
    const forged = { 'x-razorpay-signature': 'f'.repeat(64) }
    expect((await tell(report('payment.captured', payment), forged))[0]).toBe(400)
    expect(await listed(payment.id)).toBeUndefined()
  })

  it('is settled like any other when its payment is known again', async () => {
    const { buyer, id, remember } = await forgotten()
    const payment = paymentOf(id)
    await tell(report('payment.captured', payment))
    await settleKnown(shop.db, deskOf(shop))
    expect(await listed(payment.id)).toMatchObject({ state: 'unknown' })
    await remember()
    await Promise.all([settleKnown(shop.db, deskOf(shop)), settleKnown(shop.db, deskOf(shop))])
    expect(await ordersOf(buyer)).toMatchObject([{ payment: { razorpay_payment_id: payment.id } }])
    expect(await listed(payment.id)).toBeUndefined()
    const seenTo = await listed(payment.id, '?state=handled')
    expect(seenTo).toMatchObject({ state: 'handled', buyer: { _id: buyer.id } })
  })

  it('is settled by its buyer, too', async () => {
    const { buyer, id, remember } = await forgotten()
    const proof = signedPayment(id)
    await tell(report('payment.captured', paymentOf(id, proof.razorpay_payment_id)))
    expect((await verify(buyer, proof)).status).toBe(400)
    await remember()
    expect((await verify(buyer, proof)).status).toBe(200)
    const seenTo = await listed(proof.razorpay_payment_id, '?state=handled')
    expect(seenTo).toMatchObject({ state: 'handled', buyer: { _id: buyer.id } })
  })

  it('is seen to when the merchant gives it back, and then buys nothing', async () => {
    const { buyer, id, remember } = await forgotten()
    const payment = paymentOf(id)
    await tell(report('payment.captured', payment))
    expect(await tell(refundReport('refund.processed', payment, 500))).toEqual(OK)
    expect(await listed(payment.id)).toMatchObject({ state: 'unknown', givenBack: 5 })
    await tell(refundReport('refund.processed', payment))
    expect(await listed(payment.id)).toBeUndefined()
    const seenTo = await listed(payment.id, '?state=handled')
    expect(seenTo).toMatchObject({ state: 'handled', givenBack: 12.5, buyer: null })
    await remember()
    await settleKnown(shop.db, deskOf(shop))
    expect(await ordersOf(buyer)).toEqual([])
  })

  it('counts once, however often it is told of', async () => {
    const before = await inNeed()
    const payment = paymentOf(orderId())
    const event = report('payment.captured', payment)
    await Promise.all([tell(event), tell(event), tell(event)])
    expect(await inNeed()).toBe(before + 1)
  })
})
