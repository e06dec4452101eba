import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { shopOn, testShop } from '#tests/support/shop.ts'
import { releaseExpired } from './reservations.ts'

const shop = testShop()
const { start } = purchases(shop)

let dollars: Awaited<ReturnType<typeof shopOn>>
let later: ReturnType<typeof purchases>
let cart: { _id: string }[]
beforeAll(async () => {
  const category = await addCategory(shop.db, 'Kitchen')
  cart = cartOf(await addProduct(shop.db, { category }))
  dollars = await shopOn(shop.db, { CURRENCY_CHARGE: 'USD' })
  later = purchases({ ...shop, ...dollars })
})
afterAll(() => dollars.app.close())

describe('rupees that come in after the shop has changed to dollars', () => {
  it('buy no cart that costs as many dollars', async () => {
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250 })
    const reply = await later.verify(buyer, signedPayment(body.id), cart)
    expect(reply).toMatchObject({ status: 400 })
    expect(await later.ordersOf(buyer)).toEqual([])
  })

  it('are refunded when the price of the start is not honoured any more', async () => {
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250, cart })
    await sql`update payments set reserved_until = now() - interval '2 hours'
      where provider_order_id = ${body.id}`.execute(shop.db)
    await releaseExpired(shop.db)
    expect(await later.verify(buyer, signedPayment(body.id))).toMatchObject({
      status: 409,
      body: { code: 'price_changed' },
    })
    expect(await later.ordersOf(buyer)).toEqual([])
  })
})
