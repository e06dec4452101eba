/** Tax from the quote to the order, its invoice, the CSV, the figures and the customer's data. */
import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Quote } from '#app/checkout/contract.ts'
import type { Invoice } from '#app/orders/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { ADDRESS } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop({ CURRENCY_DISPLAY: 'USD' })
const { start, verify, ordersOf } = purchases(shop)

let admin: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Kitchen')
})
beforeEach(() => emptyTables(shop.db, ['tax_rates', 'settings']))

const as = (body: unknown) => ({ token: admin.token, body })
const addRate = (facts: object = {}) =>
  shop.post('/tax/rates', as({ name: 'GST', country: 'IN', rate: 18, ...facts }))
const settle = (facts: object = {}) =>
  shop.put(
    '/tax/settings',
    as({
      pricesIncludeTax: false,
      taxesShipping: true,
      shippingClass: null,
      country: 'IN',
      region: null,
      sellerName: 'Haat Ltd',
      sellerAddress: '1 Market Lane, Pune',
      sellerTaxNumber: '29ABCDE1234F1Z5',
      ...facts,
    }),
  )

const quote = async (...products: { id: string }[]) =>
  (await shop.post<Quote>('/checkout/quote', { body: { cart: cartOf(...products) } })).body

const setClass = ({ id }: { id: string }, tax_class_id: string) =>
  shop.db.updateTable('products').set({ tax_class_id }).where('id', '=', id).execute()

async function addClass(name: string) {
  const body = { name: `${name} ${crypto.randomUUID()}` }
  const reply = await shop.post<{ taxClass: { _id: string } }>('/tax/classes', as(body))
  return reply.body.taxClass._id
}

/** Buys the products, delivered in India, for the total of their quote. */
async function buy(...products: { id: string }[]) {
  const buyer = await addPerson(shop.db)
  const cart = cartOf(...products)
  const { totalMinor } = await quote(...products)
  const delivery = { ...ADDRESS, name: buyer.name }
  const { body } = await start(buyer, { amount: totalMinor, cart, delivery })
  const { order } = (await verify(buyer, signedPayment(body.id))).body
  return { buyer, order, totalMinor }
}

describe('the quote of a cart', () => {
  it('has no tax in a shop without rates, nor in one whose rates are elsewhere', async () => {
    const cup = await addProduct(shop.db, { category, price: 10 })
    expect(await quote(cup)).toMatchObject({ adjustments: [], totalMinor: 1000 })
    await addRate()
    expect(await quote(cup)).toMatchObject({ adjustments: [], totalMinor: 1000 })
    await settle({ country: 'FR' })
    expect(await quote(cup)).toMatchObject({ adjustments: [], totalMinor: 1000 })
  })

  it('adds tax to prices that exclude it, line by line', async () => {
    await settle()
    await addRate({ rate: 8.875 })
    const cup = await addProduct(shop.db, { category, price: 9.99 })
    const pot = await addProduct(shop.db, { category, price: 0.5 })
    expect(await quote(cup, cup, pot)).toMatchObject({
      lines: [{ taxMinor: 177 }, { taxMinor: 4 }],
      adjustments: [{ kind: 'tax', label: 'GST 8.875 %', amountMinor: 181 }],
      subtotalMinor: 2048,
      totalMinor: 2229,
    })
  })

  it('shows the tax that prices include, and charges no more', async () => {
    await settle({ pricesIncludeTax: true })
    await addRate()
    const cup = await addProduct(shop.db, { category, price: 11.8 })
    expect(await quote(cup)).toMatchObject({
      lines: [{ taxMinor: 180 }],
      adjustments: [{ label: 'GST 18 %', amountMinor: 180, included: true }],
      totalMinor: 1180,
    })
  })

  it('taxes a product by its class, and by the place of the delivery', async () => {
    await settle()
    const books = await addClass('Books')
    await addRate()
    await addRate({ taxClass: books, rate: 5 })
    await addRate({ region: 'KA', rate: 12 })
    const cup = await addProduct(shop.db, { category, price: 10 })
    const book = await addProduct(shop.db, { category, price: 10 })
    await setClass(book, books)
    expect((await quote(cup, book)).adjustments).toMatchObject([
      { label: 'GST 18 %', amountMinor: 180 },
      { label: 'GST 5 %', amountMinor: 50 },
    ])
    const labelsIn = async (country: string, region?: string) => {
      const body = { cart: cartOf(cup, book), delivery: { country, region } }
      const reply = await shop.post<Quote>('/checkout/quote', { body })
      return reply.body.adjustments.map(({ label }) => label)
    }
    expect(await labelsIn('IN', 'Karnataka')).toEqual(['GST 12 %', 'GST 5 %'])
    expect(await labelsIn('IN', 'MH')).toEqual(['GST 18 %', 'GST 5 %'])
    expect(await labelsIn('FR')).toEqual([])
  })
})

describe('a purchase with tax', () => {
  it('is not paid by an amount without a cart where tax is added', async () => {
    const buyer = await addPerson(shop.db)
    await addRate()
    await settle({ pricesIncludeTax: true })
    expect((await start(buyer, { amount: 1000 })).status).toBe(200)
    await settle()
    expect(await start(buyer, { amount: 1000 })).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: expect.stringContaining('may include shipping or tax') },
    })
  })

  it('refuses the amount without tax, with what it costs', async () => {
    await settle()
    await addRate()
    const buyer = await addPerson(shop.db)
    const cup = await addProduct(shop.db, { category, price: 10 })
    expect(
      await start(buyer, { amount: 1000, cart: cartOf(cup), delivery: ADDRESS }),
    ).toMatchObject({
      status: 409,
      body: {
        code: 'price_changed',
        message: 'The total has changed to $11.80. Please check your cart before you pay.',
        quote: { totalMinor: 1180 },
      },
    })
  })

  it('has the same amounts on quote, order, invoice, CSV and in the data of the customer', async () => {
    await settle()
    await addRate()
    const cup = await addProduct(shop.db, { category, price: 9.99 })
    const { buyer, order, totalMinor } = await buy(cup, cup)
    expect(totalMinor).toBe(2358)
    const parts = {
      total: 23.58,
      subtotal: 19.98,
      adjustments: [{ kind: 'tax', label: 'GST 18 %', amount: 3.6 }],
    }
    expect(order).toMatchObject(parts)
    expect(await ordersOf(buyer)).toEqual([order])
    const { token } = buyer
    const { body: invoice } = await shop.get<Invoice>(`/auth/orders/${order._id}/invoice`, {
      token,
    })
    expect(invoice).toMatchObject({
      number: null,
      orderNumber: order.number,
      currency: 'USD',
      seller: { name: 'Haat Ltd', address: '1 Market Lane, Pune', taxNumber: '29ABCDE1234F1Z5' },
      buyer: { name: buyer.name, email: buyer.email },
      lines: [
        {
          name: 'Clay cup',
          quantity: 2,
          price: 9.99,
          discount: 0,
          taxRate: 18,
          tax: 3.6,
          amount: 19.98,
        },
      ],
      adjustments: [{ label: 'GST 18 %', amount: 3.6, basis: 19.98, taxRate: 18 }],
      subtotal: 19.98,
      total: 23.58,
    })
    const ofAdmin = await shop.get<Invoice>(`/order/invoice/${order._id}`, as(undefined))
    expect(ofAdmin.body).toEqual(invoice)
    const csv = (await shop.get('/order/export', as(undefined))).bytes.toString()
    const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true })
    const ofOrder = rows.filter((row) => row.order_id === order._id)
    const cells = ofOrder.map((row) => [row.line_total, row.tax, row.tax_rate, row.tax_label])
    expect(cells).toEqual([
      ['19.98', '3.6', '18', 'GST 18 %'],
      ['3.6', '', '', 'GST 18 %'],
    ])
    const data = await shop.get<{ orders: object[]; payments: object[] }>('/auth/my-data', {
      token,
    })
    const stored = [{ kind: 'tax', label: 'GST 18 %', amount_minor: 360, is_included: false }]
    expect(data.body.orders).toMatchObject([{ adjustments: stored, lines: [{ tax_minor: 360 }] }])
    expect(data.body.payments).toMatchObject([{ quote: { adjustments: stored } }])
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('keeps its tax when the rate is changed or deleted', async () => {
    await settle({ pricesIncludeTax: true })
    const { body } = await shop.post<{ rate: { _id: string } }>(
      '/tax/rates',
      as({ name: 'VAT', country: 'IN', rate: 19 }),
    )
    const { buyer, order } = await buy(await addProduct(shop.db, { category, price: 11.9 }))
    expect(order).toMatchObject({
      total: 11.9,
      subtotal: 11.9,
      adjustments: [{ label: 'VAT 19 %', amount: 1.9, included: true }],
    })
    await shop.delete(`/tax/rates/${body.rate._id}`, as(undefined))
    expect(await ordersOf(buyer)).toEqual([order])
  })

  it('has nothing new on an order of goods only', async () => {
    const { order } = await buy(await addProduct(shop.db, { category, price: 10 }))
    expect(Object.keys(order)).not.toContain('adjustments')
    expect(Object.keys(order)).not.toContain('subtotal')
  })
})

describe('GET /auth/orders/:orderId/invoice', () => {
  it('is for its buyer only', async () => {
    const { order } = await buy(await addProduct(shop.db, { category, price: 10 }))
    const path = `/auth/orders/${order._id}/invoice`
    const { token } = await addPerson(shop.db)
    expect((await shop.get(path)).status).toBe(401)
    expect((await shop.get(path, { token })).status).toBe(404)
    expect((await shop.get(path, as(undefined))).status).toBe(404)
    expect((await shop.get(`/order/invoice/${order._id}`, { token })).status).toBe(403)
  })

  it('has the number of the order, and none of its own for a test order', async () => {
    const { order } = await buy(await addProduct(shop.db, { category, price: 10 }))
    const { body } = await shop.get<Invoice>(`/order/invoice/${order._id}`, as(undefined))
    expect(body).toMatchObject({ number: null, orderNumber: order.number, test: true })
  })
})

describe('the products’ CSV', () => {
  const importCsv = async (text: string) => {
    const { body } = await shop.app.inject({
      method: 'POST',
      url: '/api/v1/product/import',
      payload: text,
      headers: { authorization: admin.token, 'content-type': 'text/csv' },
    })
    return JSON.parse(body.trim().split('\n').at(-1) ?? '')
  }
  const classOf = async ({ id }: { id: string }) =>
    (
      await shop.db
        .selectFrom('products')
        .where('id', '=', id)
        .select('tax_class_id')
        .executeTakeFirst()
    )?.tax_class_id

  it('names the tax class, which an import sets, keeps or refuses', async () => {
    const cup = await addProduct(shop.db, { category })
    const id = await addClass('Cups')
    const [{ name } = { name: '' }] = await shop.db
      .selectFrom('tax_classes')
      .where('id', '=', id)
      .select('name')
      .execute()
    const row = (cell: string) => importCsv(`slug,tax_class\n${cup.slug},${cell}\n`)
    expect(await row(name.toUpperCase())).toMatchObject({ imported: true, report: { updated: 1 } })
    expect(await classOf(cup)).toBe(id)
    expect(await row('')).toMatchObject({ report: { unchanged: 1 } })
    expect(await row('Nothing')).toMatchObject({
      imported: false,
      report: { problems: [{ line: 2, reason: 'There is no tax class "Nothing".' }] },
    })
    const exported = (await shop.get('/product/export', as(undefined))).bytes.toString()
    const line = exported.split('\r\n').find((text) => text.includes(cup.slug))
    expect(line).toContain(`"${name}"`)
    expect(await importCsv(exported)).toMatchObject({ report: { updated: 0, created: 0 } })
    expect(await row('standard')).toMatchObject({ report: { updated: 1 } })
    expect(await classOf(cup)).toBeNull()
  })
})
