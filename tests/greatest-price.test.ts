/** The greatest price: 100,000,000 minor units of the shop's currency, wherever a price is entered. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Product } from '#app/products/contract.ts'
import type { FailureBody } from '#app/shared/contract/failure.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { addPerson, type Person } from './support/accounts.ts'
import { addCategory } from './support/catalogue.ts'
import { formOf } from './support/form.ts'
import { paymentMethods } from './support/payment-methods.ts'
import { cartOf, purchases, signedPayment } from './support/payments.ts'
import { settingsThrough } from './support/settings.ts'
import { testShop } from './support/shop.ts'
import { option, variantCallsOf } from './support/variant-calls.ts'

const MAX = 100_000_000

const CURRENCIES = [
  { currency: 'INR', greatest: '₹1,000,000.00', below: '1,000,000' },
  { currency: 'JPY', greatest: '¥100,000,000', below: '100,000,000' },
  { currency: 'KRW', greatest: '₩100,000,000', below: '100,000,000' },
  { currency: 'KWD', greatest: 'KWD\u00a0100,000.000', below: '100,000' },
]

describe.each(CURRENCIES)('the greatest price in $currency', ({ currency, greatest, below }) => {
  const shop = testShop({ CURRENCY_DISPLAY: currency })
  const { start, verify } = purchases(shop)
  const major = (minor: number) => toMajor(minor, currency)
  let admin: Person
  let category = ''
  const as = (body?: unknown) => ({ token: admin.token, body })
  const create = (price: number, more: object = {}) =>
    shop.post<{ products: Product } & FailureBody>('/product/create-product', {
      token: admin.token,
      body: formOf({
        name: 'Ring',
        description: 'Gold.',
        price,
        quantity: 5,
        category,
        shipping: 0,
        ...more,
      }),
    })
  const { save } = settingsThrough(shop, () => admin)
  const variants = variantCallsOf(shop, () => admin.token)
  let ring: Product

  beforeAll(async () => {
    admin = await addPerson(shop.db, { admin: true })
    category = (await addCategory(shop.db, 'Rings')).id
    ring = (await create(major(MAX))).body.products
  })

  const refusal = (field: string) => ({
    status: 400,
    body: { code: 'invalid', field, message: `${field} must be at most ${greatest}.` },
  })

  it('is shown and sold, also three at once', async () => {
    expect(ring.price).toBe(major(MAX))
    const buyer = await addPerson(shop.db)
    const id = { id: ring._id }
    const { body } = await start(buyer, { amount: 3 * MAX, cart: cartOf(id, id, id) })
    const { order } = (await verify(buyer, signedPayment(body.id))).body
    expect(order.total).toBe(major(3 * MAX))
  })

  it('is that of products, sale prices and variants', async () => {
    expect(await create(major(MAX + 1))).toMatchObject(refusal('price'))
    expect(await create(major(MAX), { salePrice: major(MAX + 1) })).toMatchObject(
      refusal('salePrice'),
    )
    const { product } = await variants.make(ring._id, [option(1, 'Size', 'S', 'M')], {
      price: major(1000),
    })
    const { variants: rows } = await variants.load(product._id)
    const [first] = rows
    const { _id, updatedAt, price } = first ?? { _id: '', updatedAt: '', price: 0 }
    const change = (to: number) =>
      variants.save(product._id, { changed: [{ _id, updatedAt, price: { from: price, to } }] })
    expect(await change(major(MAX + 1))).toMatchObject(refusal('changed.0.price'))
  })

  it('is that of a change of many, which leaves out what would cost more', async () => {
    const change = (priceAmount: number) =>
      shop.post<{ refused: number }>(
        '/product/change-products',
        as({
          changeId: randomUUID(),
          selection: { ids: [ring._id] },
          change: { priceAmount },
          dryRun: true,
        }),
      )
    expect(await change(major(MAX + 1))).toMatchObject(refusal('priceAmount'))
    expect(await change(-major(MAX + 1))).toMatchObject(refusal('priceAmount'))
    expect((await change(major(1))).body.refused).toBe(1)
    expect((await change(-major(1))).body.refused).toBe(0)
  })

  it('is that of files', async () => {
    const { body } = await shop.app.inject({
      method: 'POST',
      url: '/api/v1/product/import',
      headers: { authorization: admin.token, 'content-type': 'text/csv' },
      payload: `slug,price\r\n${ring.slug},${major(MAX + 1)}\r\n`,
    })
    const { report } = JSON.parse(body.trim().split('\n').at(-1) ?? '{}')
    const { message } = refusal('price').body
    expect(report.problems).toEqual([{ line: 2, reason: message }])
  })

  it('is that of discounts, shipping rates, fees and price bands', async () => {
    const coupon = (amount: number) =>
      shop.post('/coupon/create-coupon', as({ code: `C${amount}`.replace('.', ''), amount }))
    expect((await coupon(major(MAX))).status).toBe(201)
    expect(await coupon(major(MAX + 1))).toMatchObject(refusal('amount'))
    const rates = (price: number) => [{ name: 'Safe', kind: 'flat', price }]
    const zone = (price: number) =>
      shop.post(
        '/shipping/zone',
        as({ name: 'World', isDefault: true, places: [], rates: rates(price) }),
      )
    expect(await zone(major(MAX + 1))).toMatchObject(refusal('rates.0.price'))
    expect((await zone(major(MAX))).status).toBe(201)
    const methods = (fee: number) =>
      save({ paymentMethods: paymentMethods({ bank_transfer: { fee } }) })
    expect((await methods(major(MAX - 1))).status).toBe(200)
    const { body } = await methods(major(MAX))
    expect(body.message).toContain(`Enter an amount below ${below} `)
    const bands = (low: number) => save({ priceBands: [0, low] })
    expect((await bands(Math.floor(major(MAX)) - 1)).status).toBe(200)
    expect((await bands(major(MAX))).body.message).toContain(`Enter whole prices below ${below}.`)
  })
})
