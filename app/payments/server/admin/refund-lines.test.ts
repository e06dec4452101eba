import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { CreditNote, Invoice } from '#app/orders/contract.ts'
import { issueInvoices } from '#app/orders/server/invoice.ts'
import type { Refundable } from '#app/payments/order-admin-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addCoupon } from '#tests/support/coupons.ts'
import { cartOf } from '#tests/support/payments.ts'
import { unpaidShop } from '#tests/support/unpaid-orders.ts'

const { shop, order, receive, cup, ordersOf, stockOf, refund, setStatus, asAdmin } = unpaidShop()

afterEach(async () => expect(await contradictionsIn(shop.db)).toEqual({}))

/** A paid order of three cups of 12.50 and two plates of 8.00, less a coupon of 10 %. */
async function bought() {
  const buyer = await addPerson(shop.db)
  const code = `T${buyer.id.replaceAll('-', '').slice(-12)}`
  await addCoupon(shop.db, { code })
  const cups = await cup({ quantity: 3 })
  const plates = await cup({ quantity: 5, name: `Plate ${buyer.id}`, price: 8 })
  const cart = cartOf(cups, cups, cups, plates, plates)
  const facts = { cart, amount: 4815, couponCodes: [code] }
  const ordered = await order(buyer, cups, facts)
  if (ordered.status !== 200) throw new Error(JSON.stringify(ordered.body))
  const placed = ordered.body.order
  await receive(placed, { amount: 48.15 })
  return { buyer, cups, plates, order: placed }
}

const refundable = async ({ _id }: { _id: string }) =>
  (await shop.get<Refundable>(`/payment/refundable/${_id}`, asAdmin())).body

const line = (position: number, quantity = 1) => ({ kind: 'product', position, quantity })

/** The refunded and the returned quantities of its lines. */
const countsOf = async (placed: { _id: string }) =>
  (await refundable(placed)).parts.map(({ refunded, returned }) => [refunded, returned])

describe('POST /payment/refund/:orderId with lines', () => {
  it('refunds price times quantity less its share of the discount, and returns only these pieces', async () => {
    const { buyer, cups, plates, order } = await bought()
    const lines = [line(0, 2)]
    expect((await refund(order, { lines, returnStock: true })).status).toBe(200)
    expect(await ordersOf(buyer)).toMatchObject([
      { refunded: 22.5, refunds: [{ amount: 22.5, lines: [{ quantity: 2, amount: 22.5 }] }] },
    ])
    expect([await stockOf(cups), await stockOf(plates)]).toEqual([2, 3])
    expect(await countsOf(order)).toEqual([
      [2, 2],
      [0, 0],
    ])
  })

  it('refunds all of the order in the end, whatever the steps', async () => {
    const { buyer, cups, plates, order } = await bought()
    for (const lines of [[line(0), line(1)], [line(0)], [line(1)], [line(0)]])
      expect((await refund(order, { lines, returnStock: true })).status).toBe(200)
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 48.15, stockReturned: true }])
    expect([await stockOf(cups), await stockOf(plates)]).toEqual([3, 5])
    expect(await refundable(order)).toMatchObject({ leftMinor: 0, refusal: /refunded already/ })
  })

  it('refuses a piece that is refunded already, one that was not sold, and a line twice', async () => {
    const { order } = await bought()
    await refund(order, { lines: [line(0, 2)], amount: 1 })
    expect(await refund(order, { lines: [line(0, 2)], amount: 1 })).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^Only 1 of 3 .* left to refund/) },
    })
    expect((await refund(order, { lines: [line(0)], amount: 1 })).status).toBe(200)
    expect((await refund(order, { lines: [line(0)], amount: 1 })).status).toBe(409)
    expect((await refund(order, { lines: [line(2)] })).status).toBe(400)
    expect((await refund(order, { lines: [line(1), line(1)] })).status).toBe(400)
    expect((await refund(order, { lines: [{ ...line(0), kind: 'shipping' }] })).status).toBe(400)
  })

  it('takes another amount than the proposed one, and never more than is left', async () => {
    const { buyer, order } = await bought()
    expect((await refund(order, { lines: [line(0)], amount: 5 })).status).toBe(200)
    expect((await refund(order, { lines: [line(1)], amount: 43.16 })).status).toBe(400)
    expect((await refund(order, { amount: 43 })).status).toBe(200)
    expect(await refund(order, { lines: [line(1)] })).toMatchObject({
      status: 400,
      body: { message: 'Only ₹0.15 of this order is left to refund.' },
    })
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 48 }])
  })

  it('does a request once that is sent several times, and refuses its key for another refund', async () => {
    const { buyer, cups, order } = await bought()
    const request = { lines: [line(0)], returnStock: true, key: randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => refund(order, request)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await ordersOf(buyer)).toMatchObject([{ refunded: 11.25 }])
    expect(await stockOf(cups)).toBe(1)
    const other = { amount: 1, key: request.key }
    expect((await refund(order, other)).status).toBe(409)
    expect((await refund((await bought()).order, request)).status).toBe(409)
  })

  it('refunds what has nothing to return, although its pieces are to be returned', async () => {
    const { cups, order: paid } = await bought()
    await refund(paid, { amount: 1, returnStock: true })
    expect((await refund(paid, { lines: [line(0)], returnStock: true })).status).toBe(200)
    expect(await stockOf(cups)).toBe(3)

    const buyer = await addPerson(shop.db)
    const facts = { method: 'pay_on_delivery' as const, amount: 1450 }
    const placed = (await order(buyer, await cup(), facts)).body.order
    await receive(placed, { amount: 14.5 })
    const fee = (await refundable(placed)).parts.find(({ kind }) => kind !== 'product')
    const lines = [{ kind: fee?.kind, position: fee?.position, quantity: 1 }]
    expect((await refund(placed, { lines, returnStock: true })).status).toBe(200)
    expect(await countsOf(placed)).toEqual([
      [0, 0],
      [1, 0],
    ])
  })

  it('returns the rest of the stock once, after some pieces were returned', async () => {
    const { cups, plates, order } = await bought()
    await refund(order, { lines: [line(0)], returnStock: true })
    await refund(order, { lines: [line(0)] })
    expect((await refund(order, { returnStock: true })).status).toBe(200)
    expect([await stockOf(cups), await stockOf(plates)]).toEqual([3, 5])
    expect((await refund(order, { returnStock: true })).status).toBe(409)
  })

  it('has a credit note with its lines, their tax and the difference to another amount', async () => {
    const { buyer, order } = await bought()
    await issueInvoices(shop.db)
    await refund(order, { lines: [line(0, 2)], amount: 20 })
    await refund(order, { lines: [line(0), line(1)] })
    await issueInvoices(shop.db)
    const [{ refunds = [] } = {}] = await ordersOf(buyer)
    const notes = await Promise.all(
      refunds.map(async ({ creditNote }) =>
        shop.get<CreditNote>(`/order/credit-note/${creditNote}`, asAdmin()),
      ),
    )
    const [first, second] = notes.map(({ body }) => body)
    expect(first).toMatchObject({
      lines: [{ quantity: 2, price: 12.5, discount: 2.5, amount: 22.5 }],
      subtotal: 25,
      adjustments: [
        { kind: 'discount', amount: -2.5 },
        { kind: 'discount', label: 'Difference', amount: -2.5 },
      ],
      total: 20,
    })
    expect(second).toMatchObject({
      lines: [{ quantity: 1 }, { quantity: 1 }],
      subtotal: 20.5,
      total: 18.45,
    })
  })

  it('writes to the history of what it is, and what was returned', async () => {
    const { order } = await bought()
    const entries = await entriesOf(shop.db, () =>
      refund(order, { lines: [line(1, 2)], returnStock: true }),
    )
    expect(entries.map(({ table_name }) => table_name)).toEqual(
      expect.arrayContaining(['refunds', 'refund_lines', 'returned_lines']),
    )
  })

  it('is for paid orders: an unpaid one is cancelled first, and has nothing to refund', async () => {
    const buyer = await addPerson(shop.db)
    const placed = (await order(buyer, await cup())).body.order
    expect((await refund(placed, { lines: [line(0)] })).status).toBe(409)
    expect(await refundable(placed)).toMatchObject({ isUnpaid: true, leftMinor: 0 })
    await setStatus(placed, 'cancel')
    expect((await refund(placed, { lines: [line(0)] })).status).toBe(409)
  })
})

describe('GET /payment/refundable/:orderId', () => {
  it('has the parts of an order with their amounts', async () => {
    const { order } = await bought()
    expect(await refundable(order)).toMatchObject({
      currency: 'INR',
      totalMinor: 4815,
      leftMinor: 4815,
      isTaxAdded: false,
      isByHand: true,
      refusal: null,
      parts: [
        { kind: 'product', position: 0, quantity: 3, priceMinor: 1250, discountMinor: 375 },
        { kind: 'product', position: 1, quantity: 2, priceMinor: 800, discountMinor: 160 },
      ],
    })
    const invoice = await shop.get<Invoice>(`/order/invoice/${order._id}`, asAdmin())
    expect(invoice.body.total).toBe(48.15)
    expect((await shop.get(`/payment/refundable/${randomUUID()}`, asAdmin())).status).toBe(404)
  })
})
