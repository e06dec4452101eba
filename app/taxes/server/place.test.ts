import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Quote } from '#app/checkout/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { cartOf } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { addTaxRate, TAX_SETTINGS } from '#tests/support/taxes.ts'

const shop = testShop()

let cart: { _id: string }[]
beforeAll(async () => {
  const { token } = await addPerson(shop.db, { admin: true })
  await shop.put('/tax/settings', { token, body: TAX_SETTINGS })
  const category = await addCategory(shop.db, 'Music')
  cart = cartOf(await addProduct(shop.db, { category }))
})
beforeEach(() => emptyTables(shop.db, ['tax_rates']))

/** The name of the tax, and whether an address is asked for. */
async function taxedIn(delivery?: { country: string }) {
  const { body } = await shop.post<Quote>('/checkout/quote', { body: { cart, delivery } })
  return [body.adjustments[0]?.label, body.needsDelivery]
}

it('a quote asks for the address, and depends on it, where a place has a rate', async () => {
  expect(await taxedIn({ country: 'DE' })).toEqual([undefined, undefined])
  await addTaxRate(shop.db)
  expect(await taxedIn({ country: 'DE' })).toEqual([undefined, true])
  await addTaxRate(shop.db, { name: 'VAT', country: 'DE', rate: 19_000 })
  expect(await taxedIn({ country: 'DE' })).toEqual(['VAT 19 %', true])
  expect(await taxedIn()).toEqual(['GST 18 %', true])
})

it('a quote has the rate of today', async () => {
  await addTaxRate(shop.db, { rate: 5_000, valid_to: '2020-12-31' })
  await addTaxRate(shop.db, { rate: 10_000, valid_from: '2021-01-01', valid_to: '2199-12-31' })
  await addTaxRate(shop.db, { rate: 20_000, valid_from: '2200-01-01' })
  expect(await taxedIn()).toEqual(['GST 10 %', true])
})
