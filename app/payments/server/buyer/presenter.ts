import type { Refund } from '#app/payments/contract.ts'
import { toMajor } from '#app/shared/server/money.ts'
import { toldOf } from '../refunds.ts'
import type { RefundRow } from './store.ts'

/** Money that bought nothing, as its payer is told of it. */
export const presentRefund = (row: RefundRow): Refund => ({
  _id: row.id,
  state: row.state,
  amount: toMajor(row.amount_minor),
  currency: row.currency,
  createdAt: row.created_at.toISOString(),
  reason: toldOf(row) ?? '',
})
