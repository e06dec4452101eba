import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'
import { releaseExpired } from './reservations.ts'

const shop = testShop()
const { start, verify, ordersOf } = purchases(shop)

let admin: Person
const { save } = settingsThrough(shop, () => admin)
const showIn = async (currencyDisplay: string) =>
  expect((await save({ currencyDisplay })).status).toBe(200)
let cart: { _id: string }[]
beforeAll(async () => {
  const category = await addCategory(shop.db, 'Kitchen')
  cart = cartOf(await addProduct(shop.db, { category }))
  admin = await addPerson(shop.db, { admin: true })
})
beforeEach(() => showIn('INR'))

describe('rupees that come in after the shop has changed to dollars', () => {
  it('buy no cart that costs as many dollars', async () => {
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250 })
    await showIn('USD')
    const reply = await verify(buyer, signedPayment(body.id), cart)
    expect(reply).toMatchObject({ status: 400 })
    expect(await ordersOf(buyer)).toEqual([])
  })

  it('are refunded when the price of the start is not honoured any more', async () => {
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250, cart })
    await sql`update payments set reserved_until = now() - interval '2 hours'
      where provider_order_id = ${body.id}`.execute(shop.db)
    await releaseExpired(shop.db)
    await showIn('USD')
    expect(await verify(buyer, signedPayment(body.id))).toMatchObject({
      status: 409,
      body: { code: 'price_changed' },
    })
    expect(await ordersOf(buyer)).toEqual([])
  })
})
