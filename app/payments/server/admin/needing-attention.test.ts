/** The list, the dashboard, the metric and resolving agree on which payments need attention. */
import { beforeAll, expect, it } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { OrderStatus } from '#app/orders/contract.ts'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { countPaymentsNeedingAttention } from './metrics-store.ts'

const shop = testShop()
const { start, verify } = purchases(shop)

let admin: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Kitchen')
})

type Issue = 'expired' | 'amount_mismatch' | 'paid_cancelled' | 'capture_pending'
type State = Issue | 'refund_pending'

/** An order with this money. */
async function orderWith(issue: Issue) {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  const proof = signedPayment(body.id)
  await verify(buyer, proof)
  const id = proof.razorpay_payment_id
  await shop.db
    .updateTable('payments')
    .set({ issue, confirmed_at: issue === 'paid_cancelled' ? new Date() : null })
    .where('provider_payment_id', '=', id)
    .execute()
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

/** The list, the dashboard and the metric about a payment. */
async function shown({ id }: { id: string }, state: State) {
  const { token } = admin
  const list = await shop.get<ListedPayment[]>('/payment/payments?state=needs_attention', { token })
  const figures = await shop.get<Figures>('/order/figures', { token })
  const metric = await countPaymentsNeedingAttention(shop.db)
  return {
    listed: list.body.some(({ _id }) => _id === id),
    figure: figures.body.paymentsInNeed,
    metric: metric[state] ?? 0,
  }
}

const stateOf = async ({ id }: { id: string }) => {
  const { body } = await shop.get<ListedPayment[]>('/payment/payments', { token: admin.token })
  return body.find(({ _id }) => _id === id)?.state
}

const resolve = async ({ id }: { id: string }) => {
  const answer = await shop.put(`/payment/resolve/${id}`, {
    token: admin.token,
    body: { note: 'Called' },
  })
  return answer.status
}

it.each<[Issue, OrderStatus, OrderStatus]>([
  ['paid_cancelled', 'cancel', 'Processing'],
  ['expired', 'Processing', 'cancel'],
  ['amount_mismatch', 'Processing', 'cancel'],
  ['capture_pending', 'Processing', 'cancel'],
])(
  '%s needs attention while its order is %s, and none when it is %s',
  async (issue, open, over) => {
    const before = await shown({ id: '' }, issue)
    const payment = await orderWith(issue)
    await setStatus(payment.order, open)
    expect(await shown(payment, issue)).toEqual({
      listed: true,
      figure: before.figure + 1,
      metric: before.metric + 1,
    })
    await setStatus(payment.order, over)
    expect(await shown(payment, issue)).toEqual({ ...before, listed: false })
    const isCaptured = !['expired', 'capture_pending'].includes(issue)
    expect(await stateOf(payment)).toBe(isCaptured ? 'paid' : 'voided')
    expect(await resolve(payment)).toBe(409)
    if (issue === 'capture_pending') return
    await setStatus(payment.order, open)
    expect(await resolve(payment)).toBe(200)
    expect(await shown(payment, issue)).toEqual({ ...before, listed: false })
  },
)

it('a refund needs attention until the provider accepts it', async () => {
  const before = await shown({ id: '' }, 'refund_pending')
  const payment = await orderWith('paid_cancelled')
  const set = (refund_accepted: boolean) =>
    shop.db
      .updateTable('payments')
      .set({ state: 'refund_pending', issue: null, refund_accepted, next_attempt_at: new Date() })
      .where('provider_payment_id', '=', payment.id)
      .execute()
  await set(false)
  expect(await shown(payment, 'refund_pending')).toEqual({
    listed: true,
    figure: before.figure + 1,
    metric: before.metric + 1,
  })
  await set(true)
  expect(await shown(payment, 'refund_pending')).toEqual({ ...before, listed: false })
})
