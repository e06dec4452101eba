import {
  type ListedPayment,
  OPEN_STATES,
  PAYMENTS_PAGE_SIZE,
  type paymentAdminCalls,
} from '#app/payments/admin-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { toldOf } from '../refunds.ts'
import { seeTo } from './service.ts'
import { countPayments, type ListedRow, selectPayments } from './store.ts'

type Dependencies = { db: Database; holdMinutes: number }

/** Money that nobody claims is given back when its time is over; of the rest the row says it. */
const nextOf = ({ state, created_at, next_at }: ListedRow, holdMinutes: number) =>
  state === 'unclaimed' && next_at === null
    ? new Date(created_at.getTime() + holdMinutes * 60_000)
    : next_at

const buyerOf = ({ user_id: _id, name, email }: ListedRow) =>
  _id !== null && name !== null && email !== null ? { _id, name, email } : null

const present = (row: ListedRow, holdMinutes: number): ListedPayment => ({
  _id: row.id,
  paymentId: row.payment_id,
  historyId: row.history_id,
  state: row.state,
  buyer: buyerOf(row),
  amount: toMajor(row.amount_minor),
  currency: row.currency,
  givenBack: toMajor(row.given_back_minor),
  createdAt: row.created_at.toISOString(),
  payment: {
    razorpay_order_id: row.provider_order_id ?? '',
    razorpay_payment_id: row.provider_payment_id,
  },
  receipt: row.receipt,
  reason: toldOf({ state: row.state, refusal: row.reason }),
  tries: row.tries,
  nextAt: nextOf(row, holdMinutes)?.toISOString() ?? null,
  lastError: row.last_error,
  heldUntil: row.held_until?.toISOString() ?? null,
  seenToAt: row.seen_to_at?.toISOString() ?? null,
  seenNote: row.seen_note,
})

export const paymentAdminHandlers = ({
  db,
  holdMinutes,
}: Dependencies): Handlers<typeof paymentAdminCalls> => ({
  async getPayments({ query: { page = 1, state }, request, reply }) {
    const size = PAYMENTS_PAGE_SIZE
    const states = state ? [state] : OPEN_STATES
    const [rows, total] = await Promise.all([
      selectPayments(db, states, { limit: size, offset: offsetOf(page, size) }),
      countPayments(db, states),
    ])
    setPagingHeaders(request, reply, { page, size, total })
    return rows.map((row) => present(row, holdMinutes))
  },
  async seeToPayment({ params: { id }, body: { note }, caller }) {
    await seeTo(db, admin(caller), { id, note: note.trim() })
    return { success: true, message: 'The payment is seen to' }
  },
})
