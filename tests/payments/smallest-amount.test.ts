/** The smallest amount that Razorpay takes, by the currency of the shop. */
import { afterAll, expect, it } from 'vitest'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { cartOf, purchases } from '../support/payments.ts'
import { startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts'
import { testShop } from '../support/shop.ts'

const razorpay = await startFakeRazorpay(() => '')
afterAll(() => razorpay.close())

const shopIn = (currency: string) => testShop({ ...razorpay.settings, CURRENCY_DISPLAY: currency })
const [rupees, yen] = [shopIn('INR'), shopIn('JPY')]

async function startFor(shop: typeof rupees, amountMinor: number) {
  const category = await addCategory(shop.db, `Kitchen of ${amountMinor}`)
  // the fixture has a hundredth of the minor units, whatever the currency
  const sweet = await addProduct(shop.db, { category, price: amountMinor / 100 })
  const buyer = await addPerson(shop.db)
  return purchases(shop).start<{ message?: string; amount?: number }>(buyer, {
    amount: amountMinor,
    cart: cartOf(sweet),
  })
}

it('is a rupee', async () => {
  expect((await startFor(rupees, 100)).body.amount).toBe(100)
  expect(await startFor(rupees, 99)).toMatchObject({
    status: 400,
    body: { message: 'The smallest amount that can be paid is ₹1.00.' },
  })
})

it('is no hundred yen', async () => {
  expect(await startFor(yen, 50)).toMatchObject({ status: 200, body: { amount: 50 } })
})
