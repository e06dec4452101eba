/** The states in which the list shows discounts. */
import { beforeAll, expect, it } from 'vitest'
import type { Coupon } from '#app/coupons/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
let category: { id: string }
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Kitchen')
})

const create = (terms: object) =>
  shop.post('/coupon/create-coupon', { token, body: { percent: 10, ...terms } })
const namesOf = async (state: Coupon['state']) =>
  (await shop.get<Coupon[]>(`/coupon/coupons?state=${state}`, { token })).body.map(
    ({ code, title }) => code ?? title,
  )
const chosen = (...people: Person[]) => ({
  audience: 'chosen',
  customers: people.map(({ id }) => id),
})

/** A purchase that uses the code. */
async function use(code: string, buyer: Person) {
  const { start, verify } = purchases(shop)
  const cart = cartOf(await addProduct(shop.db, { category, price: 10 }))
  const { body } = await start(buyer, { amount: 900, cart, couponCodes: [code] })
  expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
}

it('lists a discount as used up, or as unusable, when nobody can use it', async () => {
  const stays = await addPerson(shop.db, { isConfirmed: true })
  const leaves = await addPerson(shop.db, { isConfirmed: true })
  const deleted = await addProduct(shop.db, { category })
  await create({ title: 'for both', ...chosen(stays, leaves) })
  await create({ title: 'for one', ...chosen(leaves) })
  await create({ title: 'for cups', products: [deleted.id] })
  await create({ code: 'ONCE', maxUses: 1 })
  await create({ code: 'EACH', ...chosen(stays, leaves), maxUsesEach: 1 })
  await create({ title: 'for confirmed', audience: 'confirmed' })
  await use('ONCE', leaves)
  await use('EACH', stays)
  expect(await namesOf('used_up')).toEqual(['ONCE'])
  const usable = ['for confirmed', 'EACH', 'for cups', 'for one', 'for both']
  expect(await namesOf('active')).toEqual(usable)

  await shop.db.updateTable('orders').set({ status: 'Shipped' }).execute()
  expect((await shop.delete(`/auth/user/${leaves.id}`, { token })).status).toBe(200)
  await shop.db.deleteFrom('products').where('id', '=', deleted.id).execute()
  expect(await namesOf('active')).toEqual(['for confirmed', 'for both'])
  expect(await namesOf('used_up')).toEqual(['EACH', 'ONCE'])
  expect(await namesOf('unusable')).toEqual(['for cups', 'for one'])

  // this shop sends no e-mail by which an address could be confirmed
  await shop.db.updateTable('users').set({ email_confirmed_at: null }).execute()
  expect(await namesOf('active')).toEqual(['for both'])
  expect(await namesOf('unusable')).toEqual(['for confirmed', 'EACH', 'for cups', 'for one'])
})
