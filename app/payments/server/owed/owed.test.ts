/** Orders that are paid without a provider. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { CreditNote, Invoice } from '#app/orders/contract.ts'
import { issueInvoices } from '#app/orders/server/invoice.ts'
import { addPerson, PASSWORD } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addCoupon, usesOf } from '#tests/support/coupons.ts'
import { emailKindsAbout } from '#tests/support/emails.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { today, unpaidShop } from '#tests/support/unpaid-orders.ts'
import { forgetUnpaid } from '../reservations.ts'
import { remindOfUnpaid } from './owed.ts'

const {
  shop,
  start,
  verify,
  order,
  ordered,
  receive,
  cup,
  ordersOf,
  stockOf,
  setStatus,
  refund,
  listed,
  asAdmin,
} = unpaidShop({ RATE_LIMIT: 'on' })

const emailsOf = (order: { _id: string }) => emailKindsAbout(shop.db, order)

const invoiceOf = ({ _id }: { _id: string }) =>
  shop.get<Invoice>(`/order/invoice/${_id}`, asAdmin())

const letBecomeLate = ({ _id }: { _id: string }) =>
  sql`update payments set due_at = now() - interval '1 minute'
    where id = (select payment_id from orders where id = ${_id}::uuid)`.execute(shop.db)

const remind = () => remindOfUnpaid(shop.db)

describe('POST /product/razorpay/order with a payment method', () => {
  it('places the order unpaid, and takes its stock', async () => {
    const buyer = await addPerson(shop.db)
    const product = await cup({ quantity: 3 })
    const { status, body } = await order(buyer, product)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      key: '',
      checkout: '',
      order: { status: 'Not Process', total: 12.5 },
    })
    expect(await ordersOf(buyer)).toMatchObject([
      {
        paymentMethod: { method: 'bank_transfer', name: 'Bank transfer' },
        unpaid: { owed: 12.5, dueDate: today(7), isLate: false },
        payment: { razorpay_payment_id: '', razorpay_order_id: body.id },
      },
    ])
    expect(await ordersOf(buyer)).toEqual([body.order])
    expect(await stockOf(product)).toBe(2)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('adds the fee of the method to the total that is owed', async () => {
    const { buyer } = await ordered({ method: 'pay_on_delivery', amount: 1450 })
    expect(await ordersOf(buyer)).toMatchObject([
      { total: 14.5, unpaid: { owed: 14.5 }, adjustments: [{ kind: 'fee', amount: 2 }] },
    ])
  })

  it('answers the same order to the same request again', async () => {
    const buyer = await addPerson(shop.db)
    const product = await cup({ quantity: 3 })
    const answers = await Promise.all([order(buyer, product), order(buyer, product)])
    const again = await order(buyer, product)
    const ids = new Set([...answers, again].map(({ body }) => body.order._id))
    expect(ids.size).toBe(1)
    expect(await stockOf(product)).toBe(2)
  })

  it('places another order for the same cart at another total', async () => {
    await addCoupon(shop.db, { code: 'TENTH' })
    const buyer = await addPerson(shop.db)
    const product = await cup({ quantity: 3 })
    await order(buyer, product)
    await order(buyer, product, { amount: 1125, couponCodes: ['TENTH'] })
    expect((await ordersOf(buyer)).map(({ total }) => total)).toEqual([11.25, 12.5])
  })

  it('refuses a method that is not offered, and another total', async () => {
    const buyer = await addPerson(shop.db)
    const product = await cup()
    expect(await order(buyer, product, { amount: 1249 })).toMatchObject({
      status: 409,
      body: { code: 'price_changed', quote: { totalMinor: 1250, paymentMethod: 'bank_transfer' } },
    })
    expect((await order(buyer, product, { method: 'cheque' as never })).status).toBe(400)
    expect((await order(buyer, product, { cart: undefined })).status).toBe(400)
    for (const amount of [5e-324, 1e300, -1])
      expect((await order(buyer, product, { amount })).status, `${amount}`).toBe(400)
    expect(await ordersOf(buyer)).toEqual([])
  })

  it('refuses a fourth unpaid order of a buyer, and an eleventh of a network', async () => {
    const buyer = await addPerson(shop.db)
    for (let left = 3; left > 0; left -= 1) await order(buyer, await cup())
    expect(await order(buyer, await cup())).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^You have 3 orders that are not paid yet/) },
    })
    const [first] = await ordersOf(buyer)
    await receive(first as { _id: string })
    expect((await order(buyer, await cup())).status).toBe(200)
    await sql`update payments set network = '127.0.0.1' where state = 'owed'`.execute(shop.db)
    const others = await Promise.all(Array.from({ length: 4 }, () => addPerson(shop.db)))
    const answers = []
    for (const other of others)
      for (let left = 3; left > 0; left -= 1) answers.push(await order(other, await cup()))
    expect(answers.at(-1)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^Too many orders of your network/) },
    })
    await sql`update payments set network = null, networks = null`.execute(shop.db)
  })
})

describe('a payment that the buyer has started for the same cart', () => {
  it('is cancelled: a late success places no second order', async () => {
    const buyer = await addPerson(shop.db)
    const product = await cup({ quantity: 5 })
    const started = await start(buyer, { amount: 1250, cart: cartOf(product) })
    await order(buyer, product)
    const late = await verify(buyer, signedPayment(started.body.id))
    expect(late).toMatchObject({ status: 400, body: { code: 'payment_failed' } })
    expect(await ordersOf(buyer)).toHaveLength(1)
    expect(await stockOf(product)).toBe(4)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })
})

describe('POST /payment/receive/:orderId', () => {
  it('enters the money in parts; with the last one the order is paid and has its invoice', async () => {
    const { buyer, order } = await ordered()
    expect((await invoiceOf(order)).status).toBe(404)
    expect((await receive(order, { amount: 5 })).status).toBe(200)
    expect(await ordersOf(buyer)).toMatchObject([{ unpaid: { owed: 7.5 } }])
    expect((await invoiceOf(order)).status).toBe(404)
    expect((await receive(order, { amount: 7.5 })).body.message).toBe('The payment is entered')
    const [paid] = await ordersOf(buyer)
    expect(paid).not.toHaveProperty('unpaid')
    expect(paid?.payment.razorpay_payment_id).toMatch(/^bank_transfer_/)
    expect((await invoiceOf(order)).body).toMatchObject({ number: expect.any(Number), total: 12.5 })
    expect(await emailsOf(order)).toEqual(
      expect.arrayContaining(['order_confirmation', 'payment_received']),
    )
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('enters the same money once, and writes who did', async () => {
    const { buyer, order } = await ordered()
    const key = randomUUID()
    const entries = await entriesOf(shop.db, () =>
      Promise.all([1, 2, 3].map(() => receive(order, { amount: 5, key }))),
    )
    expect(await ordersOf(buyer)).toMatchObject([{ unpaid: { owed: 7.5 } }])
    expect(entries).toMatchObject([
      { table_name: 'captures', action: 'insert', after: { amount_minor: 500 } },
    ])
  })

  it('refuses the key of other money', async () => {
    const [one, other] = [await ordered(), await ordered()]
    const key = randomUUID()
    expect((await receive(one.order, { amount: 5, key })).status).toBe(200)
    expect((await receive(one.order, { amount: 7.5, key })).status).toBe(409)
    expect((await receive(other.order, { amount: 5, key })).status).toBe(409)
    expect(await ordersOf(other.buyer)).toMatchObject([{ unpaid: { owed: 12.5 } }])
  })

  it('refuses what cannot have come in', async () => {
    const { order } = await ordered()
    const refused: [facts: object, field: string, message: RegExp][] = [
      [{ amount: 12.51 }, 'amount', /^Only ₹12.50 of this order is owed/],
      [{ amount: 0 }, 'amount', /above 0/],
      [{ date: today(1) }, 'date', /up to today/],
      [{ date: today(-1) }, 'date', /up to today/],
    ]
    for (const [facts, field, message] of refused)
      expect(await receive(order, facts)).toMatchObject({
        status: 400,
        body: { field, message: expect.stringMatching(message) },
      })
    expect((await receive({ _id: randomUUID() })).status).toBe(404)
    await receive(order)
    expect(await receive(order)).toMatchObject({ status: 409, body: { message: /paid already/ } })
  })
})

describe('an unpaid order', () => {
  it('gives its stock and its coupon back when it is cancelled, and stays cancelled', async () => {
    const coupon = await addCoupon(shop.db, { code: 'TEN', max_uses: 1 })
    const { product, order } = await ordered({ couponCodes: ['TEN'], amount: 1125 })
    expect(await usesOf(shop, coupon)).toBe(1)
    expect((await setStatus(order, 'cancel')).body).toMatchObject({ stockReturned: true })
    expect(await stockOf(product)).toBe(3)
    expect(await usesOf(shop, coupon)).toBe(0)
    expect((await setStatus(order, 'cancel')).status).toBe(200)
    expect(await stockOf(product)).toBe(3)
    expect((await setStatus(order, 'Shipped')).status).toBe(409)
    expect(await receive(order)).toMatchObject({ status: 409, body: { message: /is cancelled/ } })
    expect((await refund(order)).status).toBe(409)
    await sql`update payments set reserved_until = 'epoch'`.execute(shop.db)
    await forgetUnpaid(shop.db)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('is not refunded before it is cancelled; then what was paid is', async () => {
    const { buyer, product, order } = await ordered()
    await receive(order, { amount: 5 })
    expect(await refund(order)).toMatchObject({ status: 409, body: { message: /Cancel it/ } })
    await setStatus(order, 'cancel')
    const [money] = await ordersOf(buyer)
    const id = money?.payment.razorpay_payment_id ?? ''
    expect(await listed(id)).toMatchObject([{ state: 'paid_cancelled', amount: 5 }])
    expect((await refund(order)).status).toBe(200)
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 5, status: 'cancel' }])
    expect(await listed(id)).toEqual([])
    expect(await stockOf(product)).toBe(3)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('keeps the account of its buyer open until it is paid', async () => {
    const { buyer, order } = await ordered()
    await setStatus(order, 'deliverd')
    const close = () =>
      shop.post('/auth/close-account', { token: buyer.token, body: { password: PASSWORD } })
    expect(await close()).toMatchObject({ status: 409, body: { message: /not paid yet/ } })
    await receive(order)
    expect((await close()).status).toBe(200)
  })

  it('is reminded of once when it is late, and then listed until it is paid', async () => {
    const { buyer, order } = await ordered()
    const { razorpay_order_id: id } = order.payment
    await remind()
    expect(await emailsOf(order)).not.toContain('payment_reminder')
    expect(await listed(id, '?state=owed')).toMatchObject([{ state: 'owed', amount: 12.5 }])
    expect(await listed(id)).toEqual([])
    await letBecomeLate(order)
    await Promise.all([remind(), remind()])
    await remind()
    expect((await emailsOf(order)).filter((kind) => kind === 'payment_reminder')).toHaveLength(1)
    expect(await ordersOf(buyer)).toMatchObject([{ unpaid: { isLate: true } }])
    await receive(order, { amount: 5 })
    expect(await listed(id)).toMatchObject([
      { state: 'overdue', amount: 7.5, order: { number: order.number } },
    ])
    await receive(order, { amount: 7.5 })
    expect(await listed(id)).toEqual([])
  })

  it('may be paid in cash and refunded in parts, each with its credit note', async () => {
    const { buyer, order } = await ordered({ method: 'pay_on_delivery', amount: 1450 })
    await receive(order, { amount: 14.5 })
    await invoiceOf(order)
    expect((await refund(order, { amount: 4 })).status).toBe(200)
    expect((await refund(order, { amount: 10.5, returnStock: true })).status).toBe(200)
    await issueInvoices(shop.db)
    const [refunded] = await ordersOf(buyer)
    expect(refunded).toMatchObject({ refunded: 14.5, stockReturned: true })
    const number = refunded?.refunds?.[1]?.creditNote
    const note = await shop.get<CreditNote>(`/order/credit-note/${number}`, asAdmin())
    expect(note.body).toMatchObject({ total: 10.5, orderNumber: order.number })
    expect(await contradictionsIn(shop.db)).toEqual({})
  })
})

describe('GET /payment/instructions/:method', () => {
  it('has the instructions of the merchant', async () => {
    const { body } = await shop.get('/payment/instructions/bank_transfer')
    expect(body).toEqual({ nodes: [{ tag: 'p', children: ['IBAN DE02 1203 0000 0000 2020 51'] }] })
    expect((await shop.get('/payment/instructions/cheque')).status).toBe(400)
  })
})
