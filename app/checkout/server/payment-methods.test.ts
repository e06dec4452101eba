/** Ways to pay without a provider in a quote. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addCoupon } from '#tests/support/coupons.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { paymentMethods } from '#tests/support/payment-methods.ts'
import { cartOf } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { ADDRESS, addShipped, addZone, EXPRESS, FLAT } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'
import { addTaxRate, TAX_SETTINGS } from '#tests/support/taxes.ts'
import type { Choices, Quote } from '../contract.ts'

const shop = testShop()

let admin: Person
const { save } = settingsThrough(shop, () => admin)
let file: { id: string }
let cup: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  const category = await addCategory(shop.db, 'Kitchen')
  file = await addProduct(shop.db, { category, price: 12.5 })
  cup = await addShipped(shop, category)
})
beforeEach(() => emptyTables(shop.db, ['tax_rates', 'settings', 'shipping_zones']))

async function offer(...[offers]: Parameters<typeof paymentMethods>) {
  const reply = await save({ paymentMethods: paymentMethods(offers), currencyDisplay: 'INR' })
  expect(reply).toMatchObject({ status: 200 })
}

type Request = Choices & { cart?: { _id: string }[]; delivery?: object }

const quote = async ({ cart = cartOf(file), ...choices }: Request = {}) =>
  (await shop.post<Quote>('/checkout/quote', { body: { cart, ...choices } })).body

/** The methods that a quote offers. */
const offered = async (request?: Request) =>
  (await quote(request)).paymentChoices?.map(({ method }) => method) ?? []

const TRANSFER = 'bank_transfer'
const ON_DELIVERY = 'pay_on_delivery'

describe('a quote of a shop that offers no payment method', () => {
  it('has no field of them, and a notice for one that is requested', async () => {
    const plain = await quote()
    for (const name of ['paymentChoices', 'paymentMethod', 'needsDelivery'])
      expect(plain).not.toHaveProperty(name)
    const notice = {
      about: 'payment',
      message: 'Bank transfer is not offered for this cart.',
      source: TRANSFER,
    }
    expect(await quote({ paymentMethod: TRANSFER })).toEqual({ ...plain, notices: [notice] })
  })
})

describe('a quote of a shop that offers payment methods', () => {
  it('lists them with their names and fees, and charges the fee of the chosen one', async () => {
    await offer({ [ON_DELIVERY]: { name: 'Cash', fee: 2.5 }, [TRANSFER]: {} })
    const plain = await quote()
    expect(plain).toMatchObject({ totalMinor: 1250, adjustments: [] })
    expect(plain).not.toHaveProperty('paymentMethod')
    expect(plain.paymentChoices).toEqual([
      { method: ON_DELIVERY, name: 'Cash', feeMinor: 250 },
      { method: TRANSFER, name: 'Bank transfer', feeMinor: 0 },
    ])
    expect(await quote({ paymentMethod: ON_DELIVERY })).toEqual({
      ...plain,
      paymentMethod: ON_DELIVERY,
      adjustments: [{ kind: 'fee', label: 'Cash', source: ON_DELIVERY, amountMinor: 250 }],
      totalMinor: 1500,
    })
    expect(await quote({ paymentMethod: TRANSFER })).toEqual({ ...plain, paymentMethod: TRANSFER })
  })

  it('has them up to a total with shipping and tax, and without the fee', async () => {
    await addZone(shop, admin, { isDefault: true, rates: [FLAT] })
    await addTaxRate(shop.db)
    await shop.put('/tax/settings', { token: admin.token, body: TAX_SETTINGS })
    const request: Request = { cart: cartOf(cup), delivery: ADDRESS, paymentMethod: TRANSFER }
    await offer({ [TRANSFER]: { fee: 10, maxTotal: 61.95 } })
    expect(await quote(request)).toMatchObject({ paymentMethod: TRANSFER })
    await offer({ [TRANSFER]: { fee: 10, maxTotal: 61.94 } })
    const refused = await quote(request)
    expect(refused).toMatchObject({ totalMinor: 6195, notices: [{ about: 'payment' }] })
    expect(refused).not.toHaveProperty('paymentMethod')
  })

  it.each([
    [true, true, { tax: 195, total: 1275 }],
    [false, true, { tax: 230, total: 1505 }],
    [false, false, { tax: 225, total: 1500 }],
  ])(
    'taxes the fee as shipping (prices include tax: %s, shipping is taxed: %s)',
    async (pricesIncludeTax, taxesShipping, { tax, total }) => {
      await addTaxRate(shop.db)
      const body = { ...TAX_SETTINGS, pricesIncludeTax, taxesShipping }
      await shop.put('/tax/settings', { token: admin.token, body })
      await offer({ [TRANSFER]: { fee: 0.25 } })
      const { adjustments, totalMinor } = await quote({ paymentMethod: TRANSFER })
      expect(adjustments).toMatchObject([
        { kind: 'fee', amountMinor: 25 },
        { kind: 'tax', amountMinor: tax },
      ])
      expect(totalMinor).toBe(total)
    },
  )

  it('has those of the country of the delivery, for which it needs the address', async () => {
    await offer({ [ON_DELIVERY]: { countries: ['IN', 'LK'] }, [TRANSFER]: {} })
    expect(await quote()).toMatchObject({ needsDelivery: true })
    expect(await offered()).toEqual([TRANSFER])
    expect(await offered({ delivery: { country: 'DE' } })).toEqual([TRANSFER])
    expect(await offered({ delivery: { country: 'LK' } })).toEqual([ON_DELIVERY, TRANSFER])
    await offer({ [ON_DELIVERY]: { countries: ['IN'], isOffered: false } })
    expect(await quote()).not.toHaveProperty('needsDelivery')
  })

  it('has those of the chosen shipping rate', async () => {
    const { rates } = await addZone(shop, admin, { isDefault: true, rates: [FLAT, EXPRESS] })
    const [flat = '', express = ''] = rates.map(({ _id }) => _id)
    await offer({ [ON_DELIVERY]: { shippingRates: [express.toUpperCase()] } })
    const cart = cartOf(cup)
    expect(await offered({ cart })).toEqual([])
    expect(await offered({ cart, shippingRate: flat })).toEqual([])
    expect(await offered({ cart, shippingRate: express })).toEqual([ON_DELIVERY])
    // nothing of this cart is shipped
    expect(await offered()).toEqual([])
  })

  it('has none for a cart that costs nothing', async () => {
    await offer({ [TRANSFER]: { fee: 1 } })
    const code = 'FREE'
    await addCoupon(shop.db, { code, percent: 100 })
    const request: Request = { couponCodes: [code], paymentMethod: TRANSFER }
    expect(await quote(request)).toMatchObject({ totalMinor: 0, notices: [{ about: 'payment' }] })
    expect(await offered(request)).toEqual([])
  })
})
