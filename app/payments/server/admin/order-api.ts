import { presentQuote } from '#app/checkout/server/price-change.ts'
import type { orderMoneyCalls } from '#app/payments/order-admin-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { placeOrder, quoteManual } from '../by-admin/place-order.ts'
import type { PaymentContext } from '../context.ts'
import { cancelOrder } from './cancel-order.ts'
import { refundableOf } from './refundable.ts'

type Dependencies = { db: Database; context: PaymentContext }

/** The reason of a refund that the admin gives none for. */
const CANCELLED = 'The order was cancelled.'

export const orderMoneyHandlers = ({
  db,
  context,
}: Dependencies): Handlers<typeof orderMoneyCalls> => ({
  getRefundable: ({ params: { orderId } }) => refundableOf(db, context, orderId),
  async cancelOrder({ params: { orderId }, body, caller }) {
    const { returnStock, refund, reason = '', key = null, mails = true } = body
    const message = await cancelOrder(db, context, admin(caller), {
      orderId,
      returnsStock: returnStock,
      refunds: refund,
      reason: reason.trim() || CANCELLED,
      key,
      mails,
    })
    return { success: true, message }
  },
  quoteOrder: async ({ body }) => presentQuote(await quoteManual(db, body)),
  async createOrder({ body: { mails = true, ...body }, caller: { userId } }) {
    const actor = { kind: 'admin' as const, id: userId }
    const order = await placeOrder(db, context, actor, { ...body, mails })
    return { success: true, message: `Order #${order.number} is placed`, order }
  },
})
