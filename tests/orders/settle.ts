/** The end of a story: the shop recovers, and agrees with the provider about all money. */
import { sql } from 'kysely'
import { reconcile } from '#app/payments/server/reconciliation/reconciliation.ts'
import { releaseExpired } from '#app/payments/server/reservations.ts'
import type { Row } from '#db/schema.ts'
import type { Payment as Money } from '../support/razorpay/entities.ts'
import { refunds } from './actors.ts'
import { advanceClock, type Story } from './open-story.ts'

/** Minutes until each round of recovery: the last polls of a settled payment are three days later. */
const ROUNDS = [20, 20, 7 * 60, 4 * 24 * 60, 7 * 60, 4 * 24 * 60, 4 * 24 * 60]

type Payment = Pick<
  Row<'payments'>,
  'id' | 'state' | 'provider_payment_id' | 'refund_minor' | 'issue'
> & {
  /** The provider's order for which its money came in. */
  for_order: string | null
  order_id: string | null
  total_minor: number | null
}

async function paymentsOf({ database }: Story): Promise<Payment[]> {
  const { rows } = await sql<Payment>`
    select payments.id, payments.state, payments.provider_payment_id, payments.refund_minor,
      payments.issue,
      coalesce(payments.provider_order_id, paid.provider_order_id) as for_order,
      orders.id as order_id, total_minor
    from payments
    left join payments as paid on paid.id = payments.surplus_of
    left join orders on orders.payment_id = payments.id`.execute(database.db)
  return rows
}

/** How the shop and the provider differ about this money. */
function* differences(
  money: Money,
  payment: Payment | undefined,
  refunded: number,
): Generator<string, void> {
  if (!money.captured) {
    // released or still authorised: the shop has decided against it
    if (money.status !== 'failed' && !payment) yield 'was authorised, and the shop does not know it'
    // the merchant has refunded the order, or is told that its money never came
    const isNoted = payment?.state === 'refunded' || payment?.issue === 'expired'
    if (payment?.order_id && !isNoted) yield 'has an order, and was never captured'
    return
  }
  if (!payment) {
    yield 'was captured, and the shop does not know it'
    return
  }
  if (payment.for_order !== money.order_id) yield `counts for ${payment.for_order}`
  if (payment.order_id === null && refunded !== money.amount)
    yield `bought nothing, and ${refunded} of ${money.amount} is refunded`
  if (payment.order_id === null) return
  // the merchant is told of an order whose proof came before its money, which is another amount
  const isNoted = payment.issue === 'amount_mismatch' || refunded === money.amount
  if (payment.total_minor !== money.amount && !isNoted)
    yield `paid an order of ${payment.total_minor}`
  const asked = payment.state === 'captured' ? 0 : (payment.refund_minor ?? money.amount)
  if (refunded !== asked) yield `has ${refunded} refunded instead of ${asked}`
}

/** Every way in which the money of the provider is not an order, a refund, or open. */
function* unsettled(story: Story, payments: Payment[]): Generator<string, void> {
  const { payments: money, refundedOf } = story.provider.account
  for (const one of money.values()) {
    const payment = payments.find(({ provider_payment_id: id }) => id === one.id)
    for (const difference of differences(one, payment, refundedOf(one.id)))
      yield `${one.id} ${difference}`
  }
  for (const { id, state, provider_payment_id: paid } of payments) {
    if (state === 'created' || state === 'refund_pending') yield `the payment ${id} is ${state}`
    if (paid !== null && !money.has(paid)) yield `${paid} is money that the provider does not have`
  }
  for (const id of story.confirmed)
    if (!payments.some(({ order_id }) => order_id === id)) yield `the order ${id} is missing`
}

/** Runs the jobs without faults and webhooks, until everything is settled; answers what is not. */
export async function settle(story: Story): Promise<string[]> {
  const { request, provider } = story
  story.endFaults()
  let left: string[] = []
  for (const [round, minutes] of ROUNDS.entries()) {
    advanceClock(minutes)
    await request('expiry', (db) => releaseExpired(db))
    await request('polls', reconcile)
    await request('refunds', refunds)
    provider.endRefunds()
    left = [...unsettled(story, await paymentsOf(story))]
    if (left.length === 0) return []
    if (round > 0) provider.endAuthorisations()
  }
  return left
}
