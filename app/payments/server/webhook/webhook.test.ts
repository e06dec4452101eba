import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { paymentContext } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { moneyOf, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { hookPath, paymentOf, provider, report, signatureOf } from '#tests/support/webhook.ts'
import type { PaymentContext } from '../context.ts'
import type { KnownOrder } from '../providers/provider.ts'
import { reconcile } from '../reconciliation/reconciliation.ts'
import { processRefunds } from '../refunds/refunds.ts'
import { forgetOldEvents, processWebhook } from './webhook.ts'

const { shop, verify, expireReservations, ordersOf, stockOf, started } = paymentShop()
const closed = testShop({ RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 'secret' })

const PATH = hookPath('sandbox')

const { send, tell } = provider(shop)

const OK = [200, { success: true }]

describe(`POST ${PATH}`, () => {
  it.each(['payment.captured', 'order.paid'])('makes the order of %s', async (event) => {
    const { buyer, product, id } = await started()
    const payment = paymentOf(id)
    expect(await tell(report(event, payment))).toEqual(OK)
    expect(await ordersOf(buyer)).toMatchObject([
      { payment: { razorpay_payment_id: payment.id, razorpay_order_id: id }, total: 12.5 },
    ])
    expect(await stockOf(product)).toBe(9)
  })

  it.each([{ amount: 1 }, { amount: 125_000 }, { currency: 'USD' }])(
    'never makes an order of another amount, but refunds it: %j',
    async (facts) => {
      const { buyer, id } = await started()
      const payment = paymentOf(id, undefined, facts)
      expect(await tell(report('payment.captured', payment))).toEqual(OK)
      expect(await ordersOf(buyer)).toEqual([])
      const { amount, currency } = payment
      const there = { id: payment.id, amountMinor: amount, currency, refundedMinor: 0 }
      const captured = { ...there, status: 'captured' as const, paysOrder: false }
      const lookUp = async (order: KnownOrder) => ({
        ...order,
        payments: order.id === id ? [captured] : [],
      })
      await reconcile(shop.db, paymentContext(shop, { lookUp }))
      await processRefunds(shop.db, paymentContext(shop))
      expect(await moneyOf(shop, id)).toMatchObject([
        { state: 'refunded', amount_minor: amount, currency },
      ])
      expect((await verify(buyer, signedPayment(id))).status).toBe(200)
    },
  )

  it('never changes the money of another payment', async () => {
    const paid = await started()
    const proof = signedPayment(paid.id)
    await verify(paid.buyer, proof)
    const former = await moneyOf(shop, paid.id)
    const other = await started()
    const facts = { amount: 1, currency: 'USD' }
    const payment = paymentOf(other.id, proof.razorpay_payment_id, facts)
    expect(await tell(report('payment.captured', payment))).toEqual(OK)
    expect(former).toMatchObject([{ confirmed_at: null, amount_minor: 1250 }])
    expect(await moneyOf(shop, paid.id)).toEqual(former)
    expect(await ordersOf(other.buyer)).toEqual([])
  })

  it('stores why an attempt failed as long as nothing was paid', async () => {
    const { buyer, id } = await started()
    const failed = paymentOf(id, undefined, { error_description: 'The bank\0 said no.' })
    const failure = async () =>
      (
        await shop.db
          .selectFrom('payments')
          .where('provider_order_id', '=', id)
          .select('failure')
          .executeTakeFirst()
      )?.failure
    expect(await tell(report('payment.failed', failed))).toEqual(OK)
    expect(await failure()).toBe('The bank said no.')
    expect((await verify(buyer, signedPayment(id))).status).toBe(200)
    await tell(report('payment.failed', { ...failed, error_description: 'Too late.' }))
    expect(await failure()).toBe('The bank said no.')
  })
})

describe('a webhook with a wrong signature', () => {
  it('is refused and leaves no trace', async () => {
    const { buyer, id } = await started()
    const text = JSON.stringify(report('payment.captured', paymentOf(id)))
    const right = signatureOf(text)
    const forged = [
      '',
      'f'.repeat(64),
      right.slice(1),
      right.toUpperCase(),
      `${right}0`,
      'é'.repeat(64),
      'f'.repeat(10_000),
      signatureOf(`${text} `),
      signatureOf(text, 'other'),
    ]
    const eventId = randomUUID()
    for (const signature of forged) {
      const headers = {
        'x-razorpay-signature': Buffer.from(signature).toString('latin1'),
        'x-razorpay-event-id': eventId,
      }
      const reply = await send(text, headers)
      expect([reply.statusCode, reply.json().code], signature).toEqual([400, 'invalid'])
    }
    expect(await moneyOf(shop, id)).toEqual([])
    expect((await send(text, { 'x-razorpay-event-id': eventId })).statusCode).toBe(200)
    expect(await ordersOf(buyer)).toHaveLength(1)
  })

  it('is also one without a body or a signature', async () => {
    expect((await shop.post(PATH)).status).toBe(400)
    expect((await shop.post(PATH, { body: { event: 'order.paid' } })).status).toBe(400)
  })

  it('is everything in a shop that has keys but no secret for reports', async () => {
    const reply = await closed.post(hookPath('razorpay'), { body: {} })
    expect(reply).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(reply.body.message).toContain('RAZORPAY_WEBHOOK_SECRET')
    expect(reply.headers['retry-after']).toBe('3600')
    expect((await closed.post(hookPath('nobody'), { body: {} })).status).toBe(404)
  })
})

describe('a webhook without an effect', () => {
  it.each([
    ['not JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['of an unknown event', JSON.stringify(report('invoice.paid', paymentOf('order_1')))],
    ['of somebody else’s order', JSON.stringify(report('order.paid', paymentOf('order_none')))],
    ['of an inherited event', JSON.stringify(report('constructor', paymentOf('order_1')))],
    ['without a payload', '{"event":"payment.captured"}'],
    ['of a broken payment', '{"event":"order.paid","payload":{"payment":{"entity":{"id":7}}}}'],
    ['of a refund of nothing', '{"event":"refund.processed","payload":{"refund":{"entity":null}}}'],
    ['with NUL', JSON.stringify(report('payment.failed', paymentOf('order\0')))],
    ['with more', '{"event":"payment.captured","payload":{}} {}'],
  ])('is acknowledged: %s', async (_, text) => {
    expect((await send(text)).statusCode).toBe(200)
  })

  const deliver = (text: string, context: PaymentContext, eventId = '') =>
    processWebhook(shop.db, context, 'sandbox', {
      raw: Buffer.from(text),
      headers: { 'x-razorpay-signature': signatureOf(text), 'x-razorpay-event-id': eventId },
    })

  it('is an error with a link to the provider when it is money for an unknown order', async () => {
    const dashboardLink = (id: string) => `https://example.com/${id}`
    const context = paymentContext(shop, { dashboardLink })
    const payment = paymentOf('order_none')
    await deliver(JSON.stringify(report('payment.captured', payment)), context)
    const facts = expect.objectContaining({ link: `https://example.com/${payment.id}` })
    expect(context.log.error).toHaveBeenCalledExactlyOnceWith(facts, expect.any(String))
  })

  it('is a warning when it is signed and no event at all', async () => {
    const context = paymentContext(shop)
    await deliver('garbage{', context, 'event_1')
    expect(context.log.warn).toHaveBeenCalledExactlyOnceWith(
      { eventId: 'event_1', bytes: 8 },
      expect.any(String),
    )
  })
})

describe('an event that was processed', () => {
  it('has no effect again, whatever it says', async () => {
    const { buyer, id } = await started()
    const headers = { 'x-razorpay-event-id': randomUUID() }
    await tell(report('payment.failed', paymentOf(id)), headers)
    expect(await tell(report('payment.captured', paymentOf(id)), headers)).toEqual(OK)
    expect(await ordersOf(buyer)).toEqual([])
  })

  it('is remembered by its id for thirty days', async () => {
    const id = randomUUID()
    await tell(report('invoice.paid', paymentOf('order_1')), { 'x-razorpay-event-id': id })
    const known = () =>
      shop.db.selectFrom('webhook_events').where('id', '=', id).select('id').execute()
    await forgetOldEvents(shop.db)
    expect(await known()).toHaveLength(1)
    const old = { received_at: sql<Date>`now() - interval '31 days'` }
    await shop.db.updateTable('webhook_events').set(old).where('id', '=', id).execute()
    await forgetOldEvents(shop.db)
    expect(await known()).toEqual([])
  })

  it('is processed again when its effect failed', async () => {
    const { buyer, id } = await started()
    // its stock has to be taken again, in a transaction
    await expireReservations()
    const event = report('payment.captured', paymentOf(id))
    const headers = { 'x-razorpay-event-id': randomUUID() }
    const broken = vi.spyOn(shop.db, 'transaction').mockImplementationOnce(() => {
      throw new Error('The database is gone.')
    })
    expect((await tell(event, headers))[0]).toBe(500)
    broken.mockRestore()
    expect(await tell(event, headers)).toEqual(OK)
    expect(await ordersOf(buyer)).toHaveLength(1)
  })
})
