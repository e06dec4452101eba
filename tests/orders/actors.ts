/** The buyers, the admin and the jobs of a story. */
import { refundOrder } from '#app/payments/server/admin/refund-order.ts'
import { verifyPayment } from '#app/payments/server/completion.ts'
import type { PaymentContext } from '#app/payments/server/context.ts'
import { reconcile } from '#app/payments/server/reconciliation/reconciliation.ts'
import { processRefunds } from '#app/payments/server/reconciliation/refund-job.ts'
import { refuseUnmatched } from '#app/payments/server/refunds/refunds.ts'
import { releaseExpired } from '#app/payments/server/reservations.ts'
import { cancelPayment, startPayment } from '#app/payments/server/service.ts'
import { changeProduct, removeProduct } from '#app/products/server/admin/service.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Database } from '#db/schema.ts'
import { advanceClock, type Story } from './open-story.ts'
import type { BuyerPlan, JobName } from './plan.ts'
import { proofOf } from './provider.ts'
import { COUPON, DISCOUNT, PRICE, PRODUCT } from './story-database.ts'

const HALF_A_PIECE = (PRICE * 100) / 2

type Buyer = BuyerPlan & { id: string; name: string }

export const buyersOf = ({ plan, database }: Story): Buyer[] =>
  plan.buyers.map((buyer, n) => ({
    ...buyer,
    id: database.buyers[n]?.id ?? '',
    name: 'AB'[n] ?? '',
  }))

async function start({ request }: Story, { name, id: userId, pieces, hasCoupon }: Buyer) {
  const cart = Array.from({ length: pieces }, () => ({ _id: PRODUCT }))
  const amount = pieces * PRICE * 100 - (hasCoupon ? DISCOUNT : 0)
  const couponCodes = hasCoupon ? [COUPON] : []
  const started = await request(`${name} starts`, (db, context) =>
    startPayment(db, context, { userId, amount, cart, couponCodes }),
  )
  return started?.id
}

async function pay({ gates, provider }: Story, { name, pays }: Buyer, orderId: string) {
  await gates.waitFor(`${name} pays`)
  const moreMinor = pays === 'another amount' ? -50 : 0
  const money = provider.pay(orderId, { moreMinor, isCaptured: pays !== 'authorised' })
  gates.note(name, `pays ${orderId} by ${money.id}`)
  return money
}

async function verify(
  { request, confirmed }: Story,
  { name, id: buyerId }: Buyer,
  proof: ReturnType<typeof proofOf>,
) {
  const order = await request(`${name} verifies`, (db, context) =>
    verifyPayment(db, context, { buyerId, proof }),
  )
  if (order) confirmed.push(order._id)
}

const forgedProof = (orderId: string) => ({
  ...proofOf({ id: `pay_forged_${orderId}`, orderId }),
  razorpay_signature: 'forged',
})

/** A purchase as the buyer plans it; requests that the buyer does not wait for run beside it. */
async function purchase(story: Story, buyer: Buyer) {
  const { name, id: userId, pays, does } = buyer
  const orderId = await start(story, buyer)
  if (!orderId) return
  const releaseOnly = does === 'leave'
  if (does === 'cancel' || does === 'leave')
    story.request(`${name} cancels`, (db) =>
      cancelPayment(db, { userId, providerOrderId: orderId, releaseOnly }),
    )
  if (does === 'forge') verify(story, buyer, forgedProof(orderId))
  if (pays === 'not') return
  const money = await pay(story, buyer, orderId)
  if (does === 'verify' || does === 'verify twice') verify(story, buyer, proofOf(money))
  if (does === 'verify twice') verify(story, buyer, proofOf(money))
  if (pays === 'twice') await pay(story, buyer, orderId)
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

/**
 * The lease of a refund is longer than the calls of the provider that it covers, so time does not pass
 * between the two calls of a refund.
 */
async function passHalfAnHour({ gates }: Story) {
  while (gates.isWaitingFor('provider refund')) await gates.waitFor('half an hour')
  advanceClock(30)
}

type Work = (db: Database, context: PaymentContext) => Promise<unknown>

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
    refunds,
    'the bank ends refunds': async () => story.provider.endRefunds(),
    'half an hour passes': () => passHalfAnHour(story),
    'refund of a part': refundFirst(story, HALF_A_PIECE, false),
    'refund of a part, with return': refundFirst(story, HALF_A_PIECE, true),
    'refund of the rest': refundFirst(story, null, false),
    'price edit': (db) =>
      changeProduct(db, actor, { id: PRODUCT, changes: { price: PRICE + 1 }, seen: {} }),
    deletion: (db) => removeProduct(db, actor, PRODUCT),
  }
  return works[job]
}

/** How many steps a job waits for an order. */
const PATIENCE = 40

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
