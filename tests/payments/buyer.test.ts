/** The buyer of a payment, from whose contact its order is placed. */
import { expect, it } from 'vitest'
import { startPayment } from '#app/payments/server/service.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { razorpayShop } from '#tests/support/payment-shop.ts'
import { cartOf } from '#tests/support/payments.ts'

const { shop, start, verify, stockOf, cup, context, razorpay } = await razorpayShop({
  hasWebhooks: false,
})

/** A payment of a new cup. */
const startCup = async (buyer: Person) =>
  (await start(buyer, { amount: 1250, cart: cartOf(await cup({ price: 12.5 })) })).body

const move = ({ token }: Person, body: Record<'name' | 'phone' | 'address', string>) =>
  shop.put('/auth/profile', { token, body })

const stored = (id: string) =>
  shop.db
    .selectFrom('payments')
    .where('provider_order_id', '=', id)
    .select('buyer')
    .executeTakeFirstOrThrow()

it('a payment stores the contact, which follows the profile until it is paid', async () => {
  const buyer = await addPerson(shop.db)
  const { id } = await startCup(buyer)
  const { name, email } = buyer
  expect(await stored(id)).toEqual({
    buyer: { name, email, phone: '555 0100', address: '1 Market Lane' },
  })
  const moved = { name: 'Asha Iyer', phone: '555 0199', address: '9 Canal Road' }
  expect((await move(buyer, moved)).status).toBe(200)
  const { order } = (await verify(buyer, razorpay.pay(id))).body
  expect(order.buyer).toEqual({ _id: buyer.id, name: 'Asha Iyer' })
  expect(order.delivery).toEqual({ ...moved, email, isChanged: false })
  await move(buyer, { name: 'Asha Rao', phone: '1', address: '2' })
  expect(await stored(id)).toEqual({ buyer: { ...moved, email } })
})

it('the payments of a closed account have no contact', async () => {
  const buyer = await addPerson(shop.db)
  await startCup(buyer)
  const body = { password: 'correct-horse' }
  expect((await shop.post('/auth/close-account', { token: buyer.token, body })).status).toBe(200)
  const stored = await shop.db
    .selectFrom('payments')
    .where('user_id', '=', buyer.id)
    .select(['buyer', 'delivery', 'billing'])
    .execute()
  expect(stored).toEqual([{ buyer: null, delivery: null, billing: null }])
})

it('a start that a closing of the account has overtaken stores nothing, and takes no stock', async () => {
  const buyer = await addPerson(shop.db)
  const product = await cup({ price: 12.5 })
  const body = { password: 'correct-horse' }
  await shop.post('/auth/close-account', { token: buyer.token, body })
  // the session was valid when the request came in
  const starting = startPayment(shop.db, context(), {
    userId: buyer.id,
    amount: 1250,
    cart: cartOf(product),
  })
  await expect(starting).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await stockOf(product)).toBe(10)
  const stored = shop.db.selectFrom('payments').where('user_id', '=', buyer.id).select('id')
  expect(await stored.execute()).toEqual([])
})
