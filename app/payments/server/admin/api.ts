import type { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentContext } from '../context.ts'
import { receivePayment } from '../owed/owed.ts'
import { countPayments, selectPayments } from './list-store.ts'
import { presentPayment } from './presenter.ts'
import { giveUpRefund, refundOrder } from './refund-order.ts'
import { orderMinor, resolvePayment } from './service.ts'

type Dependencies = { db: Database; context: PaymentContext }

export const paymentAdminHandlers = ({
  db,
  context,
}: Dependencies): Handlers<typeof paymentAdminCalls> => ({
  async getPayments({ query: { page, state }, request, reply }) {
    const [rows, total] = await Promise.all([
      selectPayments(db, state, sliceOf(page)),
      countPayments(db, state),
    ])
    setPagingHeaders(request, reply, { page, total })
    return rows.map((row) => presentPayment(row, context.reservationMinutes))
  },
  async resolvePayment({ params: { id }, body: { note }, caller }) {
    await resolvePayment(db, admin(caller), { id, note: note.trim() })
    return { success: true, message: 'The payment is resolved' }
  },
  async refundOrder({
    params: { orderId },
    body: { amount, reason, returnStock = false, ...rest },
    caller,
  }) {
    const message = await refundOrder(db, context, admin(caller), {
      ...rest,
      orderId,
      amountMinor: amount === undefined ? null : await orderMinor(db, orderId, amount),
      reason: reason.trim(),
      returnsStock: returnStock,
    })
    return { success: true, message }
  },
  async receivePayment({ params: { orderId }, body: { amount, date, ...rest }, caller }) {
    const amountMinor = await orderMinor(db, orderId, amount)
    await receivePayment(db, admin(caller), { ...rest, orderId, amountMinor, day: date })
    return { success: true, message: 'The payment is entered' }
  },
  async giveUpRefund({ params: { orderId }, caller }) {
    await giveUpRefund(db, context, admin(caller), orderId)
    return { success: true, message: 'The refund is given up' }
  },
})
