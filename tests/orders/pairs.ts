/** The pairs of transactions whose statements run in every order. */
import { sql } from 'kysely'
import { closeAccountByEmail } from '#app/accounts/server/privacy/close-account.ts'
import { refundOrder } from '#app/payments/server/admin/refund-order.ts'
import { verifyPayment } from '#app/payments/server/completion.ts'
import type { PaymentContext } from '#app/payments/server/context.ts'
import { processRefunds } from '#app/payments/server/reconciliation/refund-job.ts'
import { releaseExpired } from '#app/payments/server/reservations.ts'
import { cancelPayment, startPayment } from '#app/payments/server/service.ts'
import { handleWebhook } from '#app/payments/server/webhook/webhook.ts'
import { changeProduct, removeProduct } from '#app/products/server/admin/service.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { unavailable } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { ADDRESS } from '../support/shipping.ts'
import { HOOK_SECRET, signatureOf } from '../support/webhook.ts'
import { type Money, openProvider, proofOf } from './provider.ts'
import { COUPON, DISCOUNT, PRICE, PRODUCT, type StoryDatabase } from './story-database.ts'

type Work = (db: Database) => Promise<unknown>

/** What the two works of a pair have to do. */
type Pair = {
  pieces: number
  /** More orders than this are not run; 400 by default. */
  most?: number
  /** Whether an edit locks the product, until both works wait for it. */
  isEdited?: boolean
  arrange: (fixture: Fixture) => Promise<[Work, Work]>
  /** How many of them may succeed, and how many orders and refunds there are then. */
  expected: {
    succeeding: number[]
    orders: number[]
    refunds?: number
    /** Whether a changed price is answered with the new quote. */
    isQuoted?: boolean
  }
}

export type Fixture = ReturnType<typeof openFixture>

/** A shop on `database`, and the requests of its buyers and its admin. */
export function openFixture(database: StoryDatabase) {
  const { db, buyers } = database
  const [first, second] = buyers.map(({ id }) => id) as [string, string]
  const actor = admin({ userId: database.admin.id })
  const events: object[] = []
  const provider = openProvider((event) => events.push(event))
  const context: PaymentContext = {
    provider: provider.providerOf(
      async () => {},
      () => 'none',
    ),
    log: { debug() {}, warn() {}, error() {} },
    currency: 'INR',
    reservationMinutes: 15,
    retrySeconds: 60,
  }

  const cart = [{ _id: PRODUCT }]
  const start = (userId: string) => (tx: Database) =>
    startPayment(tx, context, { userId, amount: PRICE * 100, cart, delivery: ADDRESS })
  const startWithCoupon = (userId: string) => (tx: Database) => {
    const amount = PRICE * 100 - DISCOUNT
    return startPayment(tx, context, { userId, amount, cart, couponCodes: [COUPON] })
  }
  const verify = (money: Money) => (tx: Database) =>
    verifyPayment(tx, context, { buyerId: first, proof: proofOf(money) })
  const cancel = (providerOrderId: string) => (tx: Database) =>
    cancelPayment(tx, { userId: first, providerOrderId })
  const expire: Work = (tx) => releaseExpired(tx)
  const runRefunds: Work = (tx) => processRefunds(tx, context)
  const deletion: Work = (tx) => removeProduct(tx, actor, PRODUCT)
  const editPrice: Work = (tx) =>
    changeProduct(tx, actor, { id: PRODUCT, changes: { price: PRICE + 1 }, seen: {} })
  const refundHalf =
    (orderId: string, returnsStock = false) =>
    (tx: Database) => {
      const refund = { orderId, amountMinor: PRICE * 50, reason: 'As asked.', returnsStock }
      return refundOrder(tx, context, actor, refund)
    }
  const closing: Work = (tx) =>
    closeAccountByEmail(tx, { email: `${first}@example.com`, withOpenOrders: true })
  const webhook = () => {
    const raw = Buffer.from(JSON.stringify(events.at(-1)))
    const signature = signatureOf(raw.toString())
    const delivery = { raw, secrets: [HOOK_SECRET], signature, eventId: 'event' }
    return (tx: Database) => handleWebhook(tx, context, delivery)
  }

  /** The first buyer has started a payment, and perhaps paid it. */
  const started = async () => (await start(first)(db)).id
  const paid = async () => provider.pay(await started())
  const letExpire = () => sql`update payments set reserved_until = now()`.execute(db)

  /** Money of the first buyer that bought nothing, and whose refund is due. */
  async function dueRefund() {
    const money = await paid()
    await cancel(money.orderId)(db)
    const fails = async () => {
      throw unavailable('The provider does not answer.', 1)
    }
    const failing = { ...context, provider: { ...context.provider, refund: fails } }
    await verifyPayment(db, failing, { buyerId: first, proof: proofOf(money) }).catch(() => {})
    await sql`update payments set next_attempt_at = now()`.execute(db)
  }

  const requests = {
    start,
    startWithCoupon,
    verify,
    cancel,
    expire,
    runRefunds,
    deletion,
    editPrice,
    refundHalf,
    closing,
  }
  const arrangements = { started, paid, letExpire, dueRefund }
  return { db, first, second, provider, webhook, ...requests, ...arrangements }
}

export const PAIRS: Record<string, Pair> = {
  'last piece': {
    pieces: 1,
    arrange: async ({ start, first, second }) => [start(first), start(second)],
    expected: { succeeding: [1], orders: [0] },
  },
  'last piece of an edited product': {
    pieces: 1,
    isEdited: true,
    arrange: async ({ start, first, second }) => [start(first), start(second)],
    expected: { succeeding: [1], orders: [0] },
  },
  'start and start of one buyer, of an edited product': {
    pieces: 2,
    isEdited: true,
    arrange: async ({ start, first }) => [start(first), start(first)],
    expected: { succeeding: [2], orders: [0] },
  },
  'start and start of one buyer': {
    pieces: 2,
    arrange: async ({ start, first }) => [start(first), start(first)],
    expected: { succeeding: [2], orders: [0] },
  },
  'last use of a coupon': {
    pieces: 2,
    arrange: async ({ startWithCoupon, first, second }) => [
      startWithCoupon(first),
      startWithCoupon(second),
    ],
    expected: { succeeding: [1], orders: [0], isQuoted: true },
  },
  'last use of a coupon, and expiry': {
    pieces: 2,
    arrange: async ({ db, startWithCoupon, first, second, letExpire, expire }) => {
      await startWithCoupon(first)(db)
      await letExpire()
      return [expire, startWithCoupon(second)]
    },
    expected: { succeeding: [1, 2], orders: [0], isQuoted: true },
  },
  'webhook and verify': {
    pieces: 1,
    arrange: async ({ paid, webhook, verify }) => {
      const money = await paid()
      return [webhook(), verify(money)]
    },
    expected: { succeeding: [2], orders: [1] },
  },
  'refund and refund': {
    pieces: 1,
    arrange: async ({ db, paid, verify, refundHalf }) => {
      const { _id } = await verify(await paid())(db)
      return [refundHalf(_id), refundHalf(_id)]
    },
    expected: { succeeding: [1], orders: [1], refunds: 1 },
  },
  'refund job and refund job': {
    pieces: 1,
    arrange: async ({ dueRefund, runRefunds }) => {
      await dueRefund()
      return [runRefunds, runRefunds]
    },
    expected: { succeeding: [2], orders: [0], refunds: 1 },
  },
  'expiry and capture': {
    pieces: 1,
    arrange: async ({ paid, letExpire, expire, verify }) => {
      const money = await paid()
      await letExpire()
      return [expire, verify(money)]
    },
    expected: { succeeding: [2], orders: [1] },
  },
  'expiry and cancellation': {
    pieces: 1,
    arrange: async ({ started, letExpire, expire, cancel }) => {
      const id = await started()
      await letExpire()
      return [expire, cancel(id)]
    },
    expected: { succeeding: [2], orders: [0] },
  },
  'cancellation and capture': {
    pieces: 1,
    arrange: async ({ paid, cancel, verify }) => {
      const money = await paid()
      return [cancel(money.orderId), verify(money)]
    },
    expected: { succeeding: [1, 2], orders: [0, 1] },
  },
  'closing of the account and capture': {
    pieces: 1,
    arrange: async ({ paid, closing, verify }) => {
      const money = await paid()
      return [closing, verify(money)]
    },
    expected: { succeeding: [1, 2], orders: [0, 1] },
  },
  'closing of the account and late capture': {
    pieces: 1,
    most: 60,
    arrange: async ({ db, paid, letExpire, expire, closing, verify }) => {
      const money = await paid()
      await letExpire()
      await expire(db)
      return [closing, verify(money)]
    },
    expected: { succeeding: [1, 2], orders: [0, 1] },
  },
  'closing of the account and start': {
    pieces: 2,
    most: 60,
    arrange: async ({ db, start, first, closing }) => {
      await start(first)(db)
      return [closing, start(first)]
    },
    expected: { succeeding: [1, 2], orders: [0] },
  },
  'closing of the account and refund': {
    pieces: 1,
    most: 60,
    arrange: async ({ db, paid, verify, refundHalf, closing }) => {
      const { _id } = await verify(await paid())(db)
      return [closing, refundHalf(_id, true)]
    },
    expected: { succeeding: [2], orders: [1], refunds: 1 },
  },
  'price edit and start': {
    pieces: 1,
    arrange: async ({ editPrice, start, first }) => [editPrice, start(first)],
    expected: { succeeding: [1, 2], orders: [0], isQuoted: true },
  },
  'deletion and start': {
    pieces: 1,
    arrange: async ({ deletion, start, first }) => [deletion, start(first)],
    expected: { succeeding: [1, 2], orders: [0] },
  },
  'deletion and late capture': {
    pieces: 1,
    arrange: async ({ db, paid, letExpire, expire, deletion, verify }) => {
      const money = await paid()
      await letExpire()
      await expire(db)
      return [deletion, verify(money)]
    },
    expected: { succeeding: [1, 2], orders: [0, 1] },
  },
}
