/** Currencies without decimals, with two and with three, from the typed price to the credit note and the files. */
import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Quote } from '#app/checkout/contract.ts'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { CreditNote, Invoice, Order } from '#app/orders/contract.ts'
import { issueInvoices } from '#app/orders/server/invoice.ts'
import type { Refundable } from '#app/payments/order-admin-contract.ts'
import type { Product } from '#app/products/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { formOf } from '#tests/support/form.ts'
import { paymentMethods } from '#tests/support/payment-methods.ts'
import { purchases, signedPayment } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { ADDRESS } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'
import { TAX_SETTINGS } from '#tests/support/taxes.ts'
import { today } from '#tests/support/unpaid-orders.ts'

/** The same story in minor units: only what a major unit is worth differs. */
const CURRENCIES = [
  {
    currency: 'JPY',
    perMajor: 1,
    tooFine: 1255.5,
    shown: '¥12,550',
    refusal: 'price must be a whole number.',
  },
  {
    currency: 'KRW',
    perMajor: 1,
    tooFine: 1255.5,
    shown: '₩12,550',
    refusal: 'price must be a whole number.',
  },
  {
    currency: 'KWD',
    perMajor: 1000,
    tooFine: 1.2555,
    shown: 'KWD\u00a012.550',
    refusal: 'price may have at most 3 decimals.',
  },
  {
    currency: 'HUF',
    perMajor: 100,
    tooFine: 12.5555,
    shown: 'HUF\u00a0125.50',
    refusal: 'price may have at most 2 decimals.',
  },
]

const PRICE = 1255
// three pieces, less 10 % (376.5), and 10 % tax of the rest (338.8)
const [GOODS, DISCOUNT, TAX, FEE] = [3765, 377, 339, 1000]
const TOTAL = GOODS - DISCOUNT + TAX

describe.each(CURRENCIES)('a shop with prices in $currency', ({ currency, perMajor, ...texts }) => {
  const shop = testShop({ CURRENCY_DISPLAY: currency })
  const { start, verify } = purchases(shop)
  let admin: Person
  let product: Product
  let cart: { _id: string }[]
  const { save } = settingsThrough(shop, () => admin)
  const as = (body?: unknown) => ({ token: admin.token, body })
  const major = (minor: number) => minor / perMajor
  const create = (price: number, name = 'Clay cup') =>
    shop.post<{ products: Product; message: string }>('/product/create-product', {
      token: admin.token,
      body: formOf({
        name,
        description: 'Holds tea.',
        price,
        quantity: 100,
        category,
        shipping: 0,
      }),
    })
  let category = ''

  beforeAll(async () => {
    admin = await addPerson(shop.db, { admin: true })
    category = (await addCategory(shop.db, 'Kitchen')).id
    await shop.put('/tax/settings', as({ ...TAX_SETTINGS, taxesShipping: false }))
    await shop.post('/tax/rates', as({ name: 'VAT', country: 'IN', rate: 10 }))
    await shop.post('/coupon/create-coupon', as({ code: 'TENTH', percent: 10 }))
    const methods = paymentMethods({ bank_transfer: { fee: major(FEE) } })
    expect((await save({ paymentMethods: methods })).status).toBe(200)
    product = (await create(major(PRICE))).body.products
    cart = [product, product, product].map(({ _id }) => ({ _id }))
  })

  const quote = async (more: object = {}) =>
    (
      await shop.post<Quote>('/checkout/quote', {
        body: { cart, couponCodes: ['TENTH'], delivery: { country: 'IN', region: 'KA' }, ...more },
      })
    ).body

  const request = () => ({ cart, couponCodes: ['TENTH'], delivery: ADDRESS })

  /** Orders the cart with the coupon by bank transfer, and enters the money. */
  async function bought() {
    const buyer = await addPerson(shop.db)
    const body = { ...request(), paymentMethod: 'bank_transfer' }
    const reply = await shop.post<{ order: Order }>('/product/razorpay/order', {
      token: buyer.token,
      body: { ...body, amount: TOTAL + FEE },
    })
    const { order } = reply.body
    const money = { amount: major(TOTAL + FEE), date: today(), key: randomUUID() }
    expect((await shop.post(`/payment/receive/${order._id}`, as(money))).status).toBe(200)
    await issueInvoices(shop.db)
    const orders = (await shop.get<Order[]>('/auth/orders', { token: buyer.token })).body
    return { buyer, order, orders }
  }

  it('keeps a price in its minor units, and refuses more decimals', async () => {
    expect(product.price).toBe(major(PRICE))
    const { body } = await shop.get<{ product: Product }>(`/product/get-product/${product.slug}`)
    expect(body.product.price).toBe(major(PRICE))
    expect((await quote()).lines).toMatchObject([{ priceMinor: PRICE, quantity: 3 }])
    expect(await create(texts.tooFine)).toMatchObject({
      status: 400,
      body: { message: texts.refusal, field: 'price' },
    })
  })

  it('rounds discount and tax to its minor unit', async () => {
    expect(await quote()).toMatchObject({
      currency,
      subtotalMinor: GOODS,
      adjustments: [
        { kind: 'discount', amountMinor: -DISCOUNT },
        { kind: 'tax', amountMinor: TAX },
      ],
      totalMinor: TOTAL,
    })
  })

  it('charges the minor units of the total', async () => {
    const buyer = await addPerson(shop.db)
    const started = await start(buyer, { ...request(), amount: TOTAL })
    expect(started.body).toMatchObject({ amount: TOTAL, currency })
    const { body } = await verify(buyer, signedPayment(started.body.id))
    expect(body.order).toMatchObject({ total: major(TOTAL), currency, subtotal: major(GOODS) })
  })

  it('has an invoice of an order with a fee', async () => {
    const { order } = await bought()
    const { body } = await shop.get<Invoice>(`/order/invoice/${order._id}`, as())
    expect(body).toMatchObject({
      number: expect.any(Number),
      currency,
      lines: [{ quantity: 3, price: major(PRICE), discount: major(DISCOUNT), tax: major(TAX) }],
      subtotal: major(GOODS),
      adjustments: [
        { kind: 'discount', amount: -major(DISCOUNT) },
        { kind: 'fee', amount: major(FEE) },
        { kind: 'tax', amount: major(TAX), basis: major(GOODS - DISCOUNT) },
      ],
      total: major(TOTAL + FEE),
    })
  })

  it('refunds a piece of three, with its credit note', async () => {
    const { buyer, order } = await bought()
    const { body: refundable } = await shop.get<Refundable>(
      `/payment/refundable/${order._id}`,
      as(),
    )
    expect(refundable).toMatchObject({ leftMinor: TOTAL + FEE, parts: [{ priceMinor: PRICE }, {}] })
    const lines = [{ kind: 'product', position: 0, quantity: 1 }]
    const refused = { lines, amount: texts.tooFine, reason: 'Cracked.' }
    expect(await shop.post(`/payment/refund/${order._id}`, as(refused))).toMatchObject({
      status: 400,
      body: { field: 'amount' },
    })
    const reply = await shop.post(`/payment/refund/${order._id}`, as({ lines, reason: 'Cracked.' }))
    expect(reply.status).toBe(200)
    await issueInvoices(shop.db)
    // 1255 less a third of the discount, and a third of the tax
    const refunded = PRICE - 126 + 113
    const [placed] = (await shop.get<Order[]>('/auth/orders', { token: buyer.token })).body
    expect(placed).toMatchObject({ refunded: major(refunded) })
    const number = placed?.refunds?.[0]?.creditNote
    const note = (await shop.get<CreditNote>(`/order/credit-note/${number}`, as())).body
    expect(note).toMatchObject({
      currency,
      lines: [{ quantity: 1, price: major(PRICE) }],
      total: major(refunded),
    })
  })

  it('writes its amounts with its decimals in the export of orders and in the figures', async () => {
    const { order } = await bought()
    const { bytes } = await shop.get('/order/export', as())
    const rows: Record<string, string>[] = parse(bytes, { columns: true, bom: true })
    const own = rows.filter(({ order_id }) => order_id === order._id)
    expect(own.map(({ kind, line_total }) => [kind, Number(line_total)])).toEqual([
      ['product', major(GOODS)],
      ['discount', -major(DISCOUNT)],
      ['fee', major(FEE)],
      ['tax', major(TAX)],
    ])
    const { body } = await shop.get<Figures>('/order/figures', as())
    const paid = rows.filter(({ test }) => test === 'no')
    const total = paid.reduce((sum, row) => sum + Number(row.line_total) - Number(row.refunded), 0)
    expect(body.currency).toBe(currency)
    expect(body.totals.revenue).toBeCloseTo(total, 5)
  })

  it('takes its own file of products back unchanged, and refuses more decimals', async () => {
    const { bytes } = await shop.get('/product/export', as())
    const upload = async (payload: Buffer | string) => {
      const reply = await shop.app.inject({
        method: 'POST',
        url: '/api/v1/product/import',
        headers: { authorization: admin.token, 'content-type': 'text/csv' },
        payload,
      })
      return JSON.parse(reply.body.trim().split('\n').at(-1) ?? '{}').report
    }
    expect(bytes.toString()).toContain(`,${major(PRICE)},`)
    expect(await upload(bytes)).toMatchObject({ unchanged: 1, updated: 0, wrong: 0 })
    const row = (price: number) => `slug,price\r\n${product.slug},${price}\r\n`
    const { problems } = await upload(row(texts.tooFine))
    expect(problems).toEqual([{ line: 2, reason: texts.refusal }])
    expect(await upload(row(major(PRICE + 1)))).toMatchObject({ updated: 1 })
    expect((await quote()).lines).toMatchObject([{ priceMinor: PRICE + 1 }])
    await upload(row(major(PRICE)))
  })

  it('writes the amounts of its sentences with its decimals', async () => {
    const coupon = { code: 'LARGE', amount: major(10), minimum: major(PRICE * 10) }
    expect((await shop.post('/coupon/create-coupon', as(coupon))).status).toBe(201)
    const { notices } = await quote({ couponCodes: ['LARGE'] })
    expect(notices.map(({ message }) => message)).toEqual([
      `This code needs a cart of at least ${texts.shown}.`,
    ])
  })

  it('contradicts itself nowhere', async () => {
    expect(await contradictionsIn(shop.db)).toEqual({})
  })
})

describe('another currency', () => {
  const shop = testShop({ CURRENCY_DISPLAY: 'JPY' })
  let admin: Person
  const { save } = settingsThrough(shop, () => admin)
  const change = (currencyDisplay: string) => save({ currencyDisplay })
  beforeAll(async () => {
    admin = await addPerson(shop.db, { admin: true })
  })

  it('is any while the shop has no prices', async () => {
    for (const currency of ['KWD', 'USD', 'JPY'])
      expect((await change(currency)).status, currency).toBe(200)
  })

  it('has as many decimals as the former one while there are prices', async () => {
    const category = await addCategory(shop.db, 'Kitchen')
    const cup = await addProduct(shop.db, { category })
    expect((await change('KRW')).status).toBe(200)
    expect(await change('KWD')).toMatchObject({
      status: 400,
      body: {
        field: 'currencyDisplay',
        message: expect.stringMatching(
          /^currencyDisplay: KWD has another number of decimals than KRW/,
        ),
      },
    })
    await shop.delete(`/product/delete-product/${cup.id}`, { token: admin.token })
    expect((await change('KWD')).status).toBe(200)
  })

  it('is refused for a discount of an amount, too', async () => {
    const body = { code: 'FIVE', amount: 5.125 }
    await shop.post('/coupon/create-coupon', { token: admin.token, body })
    expect((await change('JPY')).status).toBe(400)
  })
})
