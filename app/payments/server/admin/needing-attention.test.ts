/** The list, the dashboard, the metric and resolving agree on which payments need attention. */
import { expect, it } from 'vitest'
import type { OrderStatus } from '#app/orders/contract.ts'
import { addRefund } from '#tests/support/orders.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { signedPayment } from '#tests/support/payments.ts'
import { countPaymentsNeedingAttention } from './metrics-store.ts'

const { shop, verify, ordersOf, started, listed, statesOf, inNeed, setStatus, resolve } =
  paymentShop()

type Issue = 'expired' | 'amount_mismatch' | 'paid_cancelled' | 'capture_pending'
type State = Issue | 'refund_pending'

/** An order with this money. */
async function orderWith(issue: Issue) {
  const { buyer, id: orderId } = await started()
  const proof = signedPayment(orderId)
  await verify(buyer, proof)
  const id = proof.razorpay_payment_id
  const { payment_id } = await shop.db
    .updateTable('captures')
    .set({
      issue: issue === 'amount_mismatch' ? issue : null,
      voided_at: issue === 'expired' ? new Date() : null,
      confirmed_at: issue === 'paid_cancelled' ? new Date() : null,
    })
    .where('provider_payment_id', '=', id)
    .returning('payment_id')
    .executeTakeFirstOrThrow()
  // the provider was asked for it
  if (issue === 'capture_pending')
    await shop.db
      .updateTable('payments')
      .set({ attempts: 1 })
      .where('id', '=', payment_id)
      .execute()
  const [order] = await ordersOf(buyer)
  if (!order) throw new Error('There is no order.')
  return { id, order }
}

/** The list, the dashboard and the metric about a payment. */
async function shown({ id }: { id: string }, state: State) {
  const metric = await countPaymentsNeedingAttention(shop.db)
  return {
    listed: (await listed(id)).length > 0,
    figure: await inNeed(),
    metric: metric[state] ?? 0,
  }
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
    expect((await setStatus(payment.order, open)).status).toBe(200)
    expect(await shown(payment, issue)).toEqual({
      listed: true,
      figure: before.figure + 1,
      metric: before.metric + 1,
    })
    await setStatus(payment.order, over)
    expect(await shown(payment, issue)).toEqual({ ...before, listed: false })
    const isCaptured = !['expired', 'capture_pending'].includes(issue)
    expect(await statesOf(payment.id, '')).toEqual([isCaptured ? 'paid' : 'voided'])
    expect((await resolve(payment.id)).status).toBe(409)
    if (issue === 'capture_pending') return
    await setStatus(payment.order, open)
    expect((await resolve(payment.id)).status).toBe(200)
    expect(await shown(payment, issue)).toEqual({ ...before, listed: false })
  },
)

it('a refund needs attention until the provider accepts it', async () => {
  const before = await shown({ id: '' }, 'refund_pending')
  const payment = await orderWith('paid_cancelled')
  const { id: capture_id } = await shop.db
    .selectFrom('captures')
    .where('provider_payment_id', '=', payment.id)
    .select('id')
    .executeTakeFirstOrThrow()
  const due = { state: 'pending' as const, next_attempt_at: new Date() }
  await addRefund(shop.db, { payment_id: capture_id }, 100, due)
  expect(await shown(payment, 'refund_pending')).toEqual({
    listed: true,
    figure: before.figure + 1,
    metric: before.metric + 1,
  })
  await shop.db
    .updateTable('refunds')
    .set({ state: 'accepted' })
    .where('capture_id', '=', capture_id)
    .execute()
  expect(await shown(payment, 'refund_pending')).toEqual({ ...before, listed: false })
})
