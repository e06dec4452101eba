/** The admin of a story who refunds by lines, cancels with stock and money, and takes orders by phone. */
import { v7 as uuidv7 } from 'uuid'
import { cancelOrder } from '#app/payments/server/admin/cancel-order.ts'
import { refundOrder } from '#app/payments/server/admin/refund-order.ts'
import { placeOrder } from '#app/payments/server/by-admin/place-order.ts'
import type { PaymentContext } from '#app/payments/server/context.ts'
import { processRefunds } from '#app/payments/server/refunds/refunds.ts'
import { Failure } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import type { Story } from './open-story.ts'
import { PRICE, PRODUCT } from './story-database.ts'

type Work = (db: Database, context: PaymentContext) => Promise<unknown>

const HALF_A_PRICE = (PRICE * 100) / 2

const actorOf = ({ database }: Story) => ({ kind: 'admin' as const, id: database.admin.id })

const selectFirst = (db: Database) =>
  db.selectFrom('orders').select('id').orderBy('id').executeTakeFirst()

/** Whether the work was not refused. */
const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error) => {
      if (error instanceof Failure) return false
      throw error
    },
  )

/** Refunds one piece of the first order after the other, each for half of its price and by a request that is sent twice. */
export const refundPieces =
  (story: Story): Work =>
  async (db, context) => {
    const order = await selectFirst(db)
    if (!order) return
    const lines = [{ kind: 'product' as const, position: 0, quantity: 1 }]
    const refund = { orderId: order.id, amountMinor: HALF_A_PRICE, reason: 'Cracked.', lines }
    for (let left = 3; left > 0; left -= 1) {
      // the pieces of the last request are not returned
      const request = { ...refund, returnsStock: left > 1, key: uuidv7() }
      for (let sent = 2; sent > 0; sent -= 1)
        await isDone(refundOrder(db, context, actorOf(story), request))
      // the bank makes it, and the shop hears of it: a piece more can be refunded
      story.provider.endRefunds()
      await processRefunds(db, context)
    }
  }

/** Cancels the first order with its stock and its money, by a request that is sent twice. */
export const cancelWithMoney =
  (story: Story): Work =>
  async (db, context) => {
    const order = await selectFirst(db)
    if (!order) return
    const cancellation = { orderId: order.id, reason: 'As asked.', mails: true }
    const all = { ...cancellation, returnsStock: true, refunds: true, key: uuidv7() }
    for (let sent = 2; sent > 0; sent -= 1)
      await isDone(cancelOrder(db, context, actorOf(story), all))
  }

/** Places an order for the first buyer, who has paid it by transfer, by a request that is sent twice. */
export const placeByPhone =
  (story: Story): Work =>
  async (db, context) => {
    const buyerId = story.database.buyers[0]?.id
    const order = { buyerId, cart: [{ _id: PRODUCT }], amount: PRICE * 100, key: PRODUCT }
    const paid = { ...order, receivedAs: 'transfer' as const, mails: false }
    const [first, second] = [
      await placeOrder(db, context, actorOf(story), paid),
      await placeOrder(db, context, actorOf(story), paid),
    ]
    if (first._id !== second._id) story.broken.push('an order by phone is placed twice')
    story.confirmed.push(first._id)
  }
