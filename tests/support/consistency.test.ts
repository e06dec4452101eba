import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { addPerson, PASSWORD } from './accounts.ts'
import { addCategory, addProduct } from './catalogue.ts'
import { contradictionsIn } from './consistency.ts'
import { addCoupon } from './coupons.ts'
import { addOrder, LINE } from './orders.ts'
import { cartOf, purchases, signedPayment } from './payments.ts'
import { testShop } from './shop.ts'
import { option, variantCallsOf } from './variant-calls.ts'

const shop = testShop()

it('finds an order whose lines have another sum, and nothing in a shop that is right', async () => {
  const { id } = await addOrder(shop.db, await addPerson(shop.db))
  expect(await contradictionsIn(shop.db)).toEqual({})
  await shop.db.updateTable('orders').set({ total_minor: 1 }).where('id', '=', id).execute()
  expect(await contradictionsIn(shop.db)).toEqual({ order_total: [id], order_amount: [id] })
})

it('finds an order without the rows of the tax of its lines', async () => {
  const lines = [{ ...LINE, tax_minor: 100 }]
  const { id } = await addOrder(shop.db, await addPerson(shop.db), { lines })
  expect(await contradictionsIn(shop.db)).toMatchObject({ order_tax: [id] })
})

it('finds an order whose lines or adjustments are not those of the quote', async () => {
  const buyer = await addPerson(shop.db)
  const cup = await addProduct(shop.db, { category: await addCategory(shop.db, 'Kitchen') })
  await addCoupon(shop.db, { code: 'TEN' })
  const { start, verify } = purchases(shop)
  const started = await start(buyer, { amount: 1125, cart: cartOf(cup), couponCodes: ['TEN'] })
  const { _id } = (await verify(buyer, signedPayment(started.body.id))).body.order
  const foundWith = async (path: string) => {
    await sql`update payments set quote = jsonb_set(quote, ${path}::text[], '7')
      where provider_order_id = ${started.body.id}`.execute(shop.db)
    return contradictionsIn(shop.db)
  }
  expect(await contradictionsIn(shop.db)).not.toHaveProperty('order_lines')
  expect(await foundWith('{lines,0,discount_minor}')).toMatchObject({ order_lines: [_id] })
  expect(await contradictionsIn(shop.db)).not.toHaveProperty('order_adjustments')
  expect(await foundWith('{adjustments,0,tax_minor}')).toMatchObject({ order_adjustments: [_id] })
})

it('finds a product of which a variant has another stock than edits, sales and reservations explain', async () => {
  const { token } = await addPerson(shop.db, { admin: true })
  const { make } = variantCallsOf(shop, () => token)
  const cup = await addProduct(shop.db, { category: await addCategory(shop.db, 'Cups') })
  const { variants } = await make(cup.id, [option(1, 'Size', 'S', 'M')])
  const cart = cartOf({ id: variants[1]?._id ?? '' })
  const { start, verify } = purchases(shop)
  const buyer = await addPerson(shop.db)
  const { body } = await start(buyer, { amount: 1250, cart })
  expect(await contradictionsIn(shop.db)).not.toHaveProperty('product_stock_explained')
  await verify(buyer, signedPayment(body.id), cart)
  expect(await contradictionsIn(shop.db)).not.toHaveProperty('product_stock_explained')
  await shop.db
    .updateTable('variants')
    .where('product_id', '=', cup.id)
    .where('quantity', '=', 9)
    .set({ quantity: 8 })
    .execute()
  expect(await contradictionsIn(shop.db)).toMatchObject({ product_stock_explained: [cup.id] })
})

it('finds a payment with another contact than that of its account, or with that of a closed one', async () => {
  const buyer = await addPerson(shop.db)
  const cup = await addProduct(shop.db, { category: await addCategory(shop.db, 'Contacts') })
  const { body } = await purchases(shop).start(buyer, { amount: 1250, cart: cartOf(cup) })
  const change = (contact: string | null) =>
    sql<{ id: string }>`
    update payments set buyer = ${contact}::jsonb where provider_order_id = ${body.id} returning id`.execute(
      shop.db,
    )
  const close = () =>
    shop.post('/auth/close-account', { token: buyer.token, body: { password: PASSWORD } })
  expect(await contradictionsIn(shop.db)).not.toHaveProperty('order_contact')
  const [payment] = (await change(null)).rows
  expect(await contradictionsIn(shop.db)).toMatchObject({ order_contact: [payment?.id] })
  expect((await close()).status).toBe(200)
  expect(await contradictionsIn(shop.db)).not.toHaveProperty('order_contact')
  await change('{}')
  expect(await contradictionsIn(shop.db)).toMatchObject({ order_contact: [payment?.id] })
})
