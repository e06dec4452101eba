/** The buyers, the admin and the jobs of a story. */

import { changeStatus } from '#app/orders/server/handling/service.ts'
import { issueInvoices } from '#app/orders/server/invoice.ts'
import type { PaymentProof } from '#app/payments/contract.ts'
import { refundOrder } from '#app/payments/server/admin/refund-order.ts'
import type { PaymentContext } from '#app/payments/server/context.ts'
import { receivePayment } from '#app/payments/server/owed/owed.ts'
import { reconcile } from '#app/payments/server/reconciliation/reconciliation.ts'
import { processRefunds, refuseUnmatched } from '#app/payments/server/refunds/refunds.ts'
import { releaseExpired } from '#app/payments/server/reservations.ts'
import { cancelPayment, startPayment } from '#app/payments/server/service.ts'
import { verifyPayment } from '#app/payments/server/verification.ts'
import { changeProduct, removeProduct } from '#app/products/server/editing.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { Failure } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { cancelWithMoney, placeByPhone, refundPieces } from './admin-actors.ts'
import { advanceClock, PATIENCE, type Story } from './open-story.ts'
import type { BuyerPlan, JobName } from './plan.ts'
import { COUPON, DISCOUNT, PRICE, PRODUCT } from './story-database.ts'

const HALF_A_PRICE = (PRICE * 100) / 2
const FIFTH_OF_A_PRICE = (PRICE * 100) / 5

type Buyer = BuyerPlan & { id: string; name: string }

export const buyersOf = ({ plan, database }: Story): Buyer[] =>
  plan.buyers.map((buyer, n) => ({
    ...buyer,
    id: database.buyers[n]?.id ?? '',
    name: 'AB'[n] ?? '',
  }))

async function start({ request }: Story, { name, id: userId, quantity, hasCoupon }: Buyer) {
  const cart = Array.from({ length: quantity }, () => ({ _id: PRODUCT }))
  const amount = quantity * PRICE * 100 - (hasCoupon ? DISCOUNT : 0)
  const couponCodes = hasCoupon ? [COUPON] : []
  const started = await request(`${name} starts`, (db, context) =>
    startPayment(db, context, { userId, amount, cart, couponCodes }),
  )
  return started?.id
}

/** The bank declines an attempt, and may authorise it later; the browser releases the reservation. */
async function beDeclined(story: Story, { name, id: userId, pays }: Buyer, orderId: string) {
  const { gates, provider, request } = story
  const { account } = provider
  await gates.waitFor(`${name} is declined`)
  const attempt = account.decline(account.attempt(orderId, 0), 'Declined by the bank.')
  gates.note(name, `is declined as ${attempt.id}`)
  request(`${name} leaves`, (db, context) =>
    cancelPayment(db, context, { userId, providerOrderId: orderId, releaseOnly: true }),
  )
  if (!pays.startsWith('declined, then late')) return
  await gates.waitFor(`the bank authorises ${attempt.id}`)
  account.authorise(attempt)
  if (pays.endsWith('captured')) account.capture(attempt.id)
  gates.note(name, `has paid by ${attempt.id}`)
}

async function pay({ gates, provider }: Story, { name, pays }: Buyer, orderId: string) {
  await gates.waitFor(`${name} pays`)
  const moreMinor = pays.startsWith('another amount') ? -50 : 0
  const money = provider.pay(orderId, { moreMinor, isCaptured: pays.endsWith('captured') })
  gates.note(name, `pays ${orderId} by ${money.id}`)
  return money
}

async function verify(
  { request, confirmed }: Story,
  { name, id: buyerId }: Buyer,
  proof: PaymentProof,
) {
  const order = await request(`${name} verifies`, (db, context) =>
    verifyPayment(db, context, { buyerId, proof }),
  )
  if (order) confirmed.push(order._id)
}

const forgedProof = (orderId: string): PaymentProof => ({
  razorpay_order_id: orderId,
  razorpay_payment_id: `pay_forged_${orderId}`,
  razorpay_signature: 'forged',
})

/** Orders without a provider, to be paid later; the request may be sent twice. */
async function orderUnpaid(story: Story, buyer: Buyer) {
  const { name, id: userId, quantity, does } = buyer
  const cart = Array.from({ length: quantity }, () => ({ _id: PRODUCT }))
  const amount = quantity * PRICE * 100
  const order = () =>
    story.request(`${name} orders`, (db, context) =>
      startPayment(db, context, { userId, amount, cart, paymentMethod: 'bank_transfer' }),
    )
  const answers = await Promise.all(does === 'verify twice' ? [order(), order()] : [order()])
  const ids = answers.flatMap((answer) => answer?.order?._id ?? [])
  if (new Set(ids).size > 1) story.broken.push(`${name} has ordered twice`)
  story.confirmed.push(...ids)
}

/** A purchase as the buyer plans it; requests that the buyer does not wait for run beside it. */
async function purchase(story: Story, buyer: Buyer) {
  const { name, id: userId, pays, does } = buyer
  if (pays === 'by bank transfer') return orderUnpaid(story, buyer)
  const orderId = await start(story, buyer)
  if (!orderId) return
  const releaseOnly = does === 'leave'
  if (does === 'cancel' || does === 'leave')
    story.request(`${name} cancels`, (db, context) =>
      cancelPayment(db, context, { userId, providerOrderId: orderId, releaseOnly }),
    )
  if (does === 'forge') verify(story, buyer, forgedProof(orderId))
  if (pays === 'not') return
  if (pays.startsWith('declined')) await beDeclined(story, buyer, orderId)
  if (pays.startsWith('declined, then late')) return
  const money = await pay(story, buyer, orderId)
  const { proofOf } = story.provider
  if (does === 'verify' || does === 'verify twice') verify(story, buyer, proofOf(money))
  if (does === 'verify twice') verify(story, buyer, proofOf(money))
  if (pays.startsWith('twice')) await pay(story, buyer, orderId)
}

async function buy(story: Story, buyer: Buyer) {
  for (let left = buyer.starts; left > 0; left -= 1) await purchase(story, buyer)
}

/** Refunds the first order. */
const refundFirst =
  (story: Story, amountMinor: number | null, returnsStock: boolean) =>
  async (db: Database, context: PaymentContext) => {
    const order = await db.selectFrom('orders').select('id').orderBy('id').executeTakeFirst()
    const refund = { amountMinor, reason: 'As asked.', returnsStock }
    const actor = admin({ userId: story.database.admin.id })
    if (order) await refundOrder(db, context, actor, { orderId: order.id, ...refund })
  }

/** The admin refunds two parts of the first order, the second when the shop has heard of the first one's end. */
const refundTwice =
  (story: Story) =>
  async (db: Database, context: PaymentContext): Promise<void> => {
    const refund = refundFirst(story, FIFTH_OF_A_PRICE, false)
    await refund(db, context)
    story.provider.endRefunds()
    // until the provider lists it
    advanceClock(15)
    for (let left = PATIENCE; ; left -= 1) {
      await story.gates.waitFor('the second refund')
      try {
        return await refund(db, context)
      } catch (error) {
        if (!(error instanceof Failure) || left === 0) throw error
      }
    }
  }

type Work = (db: Database, context: PaymentContext) => Promise<unknown>

const selectUnpaid = (db: Database) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .where('provider', '=', 'bank_transfer')
    .select(['orders.id', 'total_minor'])
    .orderBy('orders.id')
    .executeTakeFirst()

/** The admin enters money of the first unpaid order: all of it, or a half, by so many requests. */
const receiveFirst =
  ({ database }: Story, parts: number, requests: number): Work =>
  async (db) => {
    const order = await selectUnpaid(db)
    if (!order) return
    const amountMinor = Math.ceil(order.total_minor / parts)
    const day = new Date().toISOString().slice(0, 10)
    const receipt = { orderId: order.id, amountMinor, day, key: PRODUCT }
    for (let left = requests; left > 0; left -= 1)
      await receivePayment(db, admin({ userId: database.admin.id }), receipt)
  }

const cancelFirst =
  ({ database }: Story): Work =>
  async (db) => {
    const order = await selectUnpaid(db)
    const actor = admin({ userId: database.admin.id })
    if (order) await changeStatus(db, actor, { orderId: order.id, status: 'cancel' })
  }

/** The job that refunds. */
export async function refunds(db: Database, context: PaymentContext) {
  await refuseUnmatched(db, context)
  await processRefunds(db, context)
}

function workOf(story: Story, job: JobName): Work {
  const actor = admin({ userId: story.database.admin.id })
  const works: Record<JobName, Work> = {
    expiry: (db) => releaseExpired(db),
    polls: reconcile,
    'polls, every half an hour': async (db, context) => {
      for (let left = 8; left > 0; left -= 1) {
        await story.gates.waitFor('polls again')
        advanceClock(30)
        await reconcile(db, context)
      }
    },
    refunds,
    'refunds, again and again': async (db, context) => {
      for (let left = 8; left > 0; left -= 1) {
        await story.gates.waitFor('refunds again')
        await refunds(db, context)
      }
    },
    'the bank ends refunds': async () => story.provider.endRefunds(),
    // also during a call of the provider, beyond the lease of a refund, but not until lists have it
    'minutes pass': async () => {
      for (let left = 6; left > 0; left -= 1) {
        await story.gates.waitFor('another minute')
        advanceClock(1)
      }
    },
    'half an hour passes': async () => advanceClock(30),
    'the provider repeats the webhook of a refund': story.repeatRefundEvent,
    'refund of a part': refundFirst(story, HALF_A_PRICE, false),
    'refund of a part, with return': refundFirst(story, HALF_A_PRICE, true),
    'refund of a fifth': refundFirst(story, FIFTH_OF_A_PRICE, false),
    'two refunds of a fifth': refundTwice(story),
    'refund of the rest': refundFirst(story, null, false),
    'price edit': (db) =>
      changeProduct(db, actor, { id: PRODUCT, changes: { price: PRICE + 1 }, seen: {} }),
    deletion: (db) => removeProduct(db, actor, PRODUCT),
    invoices: (db) => issueInvoices(db),
    'a transfer is entered': receiveFirst(story, 1, 1),
    'half of a transfer is entered twice': receiveFirst(story, 2, 2),
    'an unpaid order is cancelled': cancelFirst(story),
    'pieces are refunded and returned': refundPieces(story),
    'an order is cancelled with its money': cancelWithMoney(story),
    'an order is placed by phone': placeByPhone(story),
  }
  return works[job]
}

/** A job begins at a moment of the scheduler, or at one after the first order. */
async function begin(story: Story, job: JobName) {
  await story.gates.waitFor(job)
  const waits = story.plan.doJobsWait ? PATIENCE : 0
  for (let left = waits; left > 0 && story.confirmed.length === 0; left -= 1)
    await story.gates.waitFor(job)
  await story.request(job, workOf(story, job))
}

/** Begins everything that the plan has: each waits at its first gate. */
export function startActors(story: Story) {
  for (const buyer of buyersOf(story)) buy(story, buyer)
  for (const job of story.plan.jobs) begin(story, job)
}
