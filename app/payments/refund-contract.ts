/** Payments that made no order, for their buyer. A file of its own: the cart page does not need it. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { PageQuery, Price, Timestamp } from '../shared/contract/fields.ts'

/**
 * The refund of money that bought nothing; `refund_refused`: the provider refuses it so far; `voided` was
 * authorised and never captured.
 */
const REFUND_STATES = [
  'refund_pending',
  'refund_refused',
  'refunding',
  'refunded',
  'voided',
] as const
export type RefundState = (typeof REFUND_STATES)[number]

export const Refund = Type.Object({
  _id: Type.String({ description: "The provider's payment id" }),
  state: Type.Enum([...REFUND_STATES]),
  amount: Price,
  currency: Type.String(),
  createdAt: { ...Timestamp, description: 'When the shop learned of it, ISO 8601, UTC' },
  reason: Type.String({ description: 'Why it bought nothing, and the progress of its refund' }),
})
export type Refund = Static<typeof Refund>

export const refundCalls = {
  getRefunds: endpoint({
    method: 'GET',
    path: '/payment/refunds',
    access: 'user',
    owner: 'caller',
    summary:
      'A page of fifty own payments that made no order and are refunded, newest first; the total is in X-Total-Count',
    limits: [{ by: 'account', max: 120, seconds: 60 }],
    query: PageQuery,
    answer: Type.Array(Refund),
  }),
} satisfies Contract
