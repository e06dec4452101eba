import {
  ATTENTION_STATES,
  PAYMENTS_PAGE_SIZE,
  type paymentAdminCalls,
} from '#app/payments/admin-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { presentPayment } from './presenter.ts'
import { resolvePayment } from './service.ts'
import { countPayments, selectPayments } from './store.ts'

type Dependencies = { db: Database; reservationMinutes: number }

export const paymentAdminHandlers = ({
  db,
  reservationMinutes,
}: Dependencies): Handlers<typeof paymentAdminCalls> => ({
  async getPayments({ query: { page = 1, state }, request, reply }) {
    const size = PAYMENTS_PAGE_SIZE
    const states = state ? [state] : ATTENTION_STATES
    const [rows, total] = await Promise.all([
      selectPayments(db, states, { limit: size, offset: offsetOf(page, size) }),
      countPayments(db, states),
    ])
    setPagingHeaders(request, reply, { page, size, total })
    return rows.map((row) => presentPayment(row, reservationMinutes))
  },
  async resolvePayment({ params: { id }, body: { note }, caller }) {
    await resolvePayment(db, admin(caller), { id, note: note.trim() })
    return { success: true, message: 'The payment is resolved' }
  },
})
