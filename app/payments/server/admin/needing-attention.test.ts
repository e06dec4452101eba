/** The list, the dashboard, the metric and 'seen to' agree on which payments need a person. */
import { beforeAll, expect, it } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { OrderStatus } from '#app/orders/contract.ts'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import { countPaymentsByState } from '../metrics-store.ts'

const shop = testShop()
const { start, verify } = purchases(shop)

let admin: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Kitchen')
})

type Doubt = 'lapsed' | 'other_amount' | 'paid_cancelled' | 'uncaptured'

/** An order whose money is doubted. */
async function doubted(doubt: Doubt) {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  const proof = signedPayment(body.id)
  await verify(buyer, proof)
  const id = proof.razorpay_payment_id
  await shop.db.updateTable('provider_payments').set({ doubt }).where('id', '=', id).execute()
  const order = await shop.db
    .selectFrom('orders')
    .select('orders.id')
    .where('user_id', '=', buyer.id)
    .executeTakeFirstOrThrow()
  return { id, order: order.id }
}

const setStatus = async (order: string, status: OrderStatus) => {
  const path = `/auth/order-status/${order}`
  const answer = await shop.put(path, { token: admin.token, body: { status } })
  expect(answer.status).toBe(200)
}

/** What each of the four says: listed, counted on the dashboard, counted by the metric, may be marked. */
async function seen({ id }: { id: string }, doubt: Doubt) {
  const { token } = admin
  const list = await shop.get<ListedPayment[]>('/payment/payments', { token })
  const figures = await shop.get<Figures>('/order/figures', { token })
  const metric = await countPaymentsByState(shop.db)
  return {
    listed: list.body.some(({ _id }) => _id === id),
    figure: figures.body.paymentsInNeed,
    metric: metric[doubt],
  }
}

const mark = async ({ id }: { id: string }) => {
  const answer = await shop.put(`/payment/seen-to/${id}`, {
    ...{ token: admin.token, body: { note: 'Called' } },
  })
  return answer.status
}

it.each<[Doubt, OrderStatus, OrderStatus]>([
  ['paid_cancelled', 'cancel', 'Processing'],
  ['lapsed', 'Processing', 'cancel'],
  ['other_amount', 'Processing', 'cancel'],
])(
  '%s needs a person while its order is %s, and nobody when it is %s',
  async (doubt, open, over) => {
    const before = await seen({ id: '' }, doubt)
    const payment = await doubted(doubt)
    await setStatus(payment.order, open)
    expect(await seen(payment, doubt)).toEqual({
      ...{ listed: true, figure: before.figure + 1, metric: (before.metric ?? 0) + 1 },
    })
    await setStatus(payment.order, over)
    expect(await seen(payment, doubt)).toEqual({ ...before, listed: false })
    expect(await mark(payment)).toBe(409)
    await setStatus(payment.order, open)
    expect(await mark(payment)).toBe(200)
    expect(await seen(payment, doubt)).toEqual({ ...before, listed: false })
  },
)

it('what is not captured yet is watched, but of a cancelled order no more', async () => {
  const before = await seen({ id: '' }, 'uncaptured')
  const payment = await doubted('uncaptured')
  expect(await seen(payment, 'uncaptured')).toEqual({
    ...{ listed: true, figure: before.figure, metric: (before.metric ?? 0) + 1 },
  })
  await setStatus(payment.order, 'cancel')
  expect(await seen(payment, 'uncaptured')).toEqual({ ...before, listed: false })
})
