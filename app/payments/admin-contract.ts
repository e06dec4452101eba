/** Payments for those who sell: what is not an order yet, or never was, and what is being done about it. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Id, Nullable, Page, Price, Timestamp } from '../shared/contract/fields.ts'

/**
 * The most pressing first. Money that is kept for an order is not among them, it is with the order,
 * unless something speaks against it: never captured, of another amount, come in when its order was
 * cancelled, not captured yet; or something of it was given back there. `never_came` was promised,
 * bought nothing, and nobody took it. `unknown` is the provider's money for an order that is not
 * here, `handled` such as is known by now, or went back.
 */
export const PAYMENT_STATES = [
  ...(['refund_due', 'unknown', 'lapsed', 'other_amount', 'paid_cancelled'] as const),
  ...(['unclaimed', 'refunding', 'uncaptured', 'started'] as const),
  ...(['refunded', 'never_came', 'given_back', 'handled'] as const),
]
export type PaymentState = (typeof PAYMENT_STATES)[number]

const DONE_STATES: PaymentState[] = ['refunded', 'never_came', 'given_back', 'handled']

/** What is listed where no state is asked for: all but what is done. */
export const OPEN_STATES: PaymentState[] = PAYMENT_STATES.filter(
  (state) => !DONE_STATES.includes(state),
)

export const PAYMENTS_PAGE_SIZE = 50

export const ListedPayment = Type.Object({
  _id: Type.String({ description: "The provider's payment id, or ours of what was only started" }),
  state: Type.Enum([...PAYMENT_STATES]),
  paymentId: Nullable(Id),
  buyer: Nullable(Type.Object({ _id: Id, name: Type.String(), email: Type.String() })),
  amount: Price,
  currency: Type.String(),
  givenBack: Price,
  createdAt: Timestamp,
  payment: Type.Object({
    razorpay_order_id: Type.String(),
    razorpay_payment_id: Nullable(Type.String()),
  }),
  receipt: Nullable(
    Type.String({ description: 'Our id of a payment that is not here, as the provider has it' }),
  ),
  reason: Nullable(Type.String({ description: 'What the buyer is told, or the provider told us' })),
  tries: Type.Integer({ description: 'Failed refunds, or how often the provider was asked' }),
  nextAt: Nullable(Type.String({ description: 'When something is done about it, ISO 8601, UTC' })),
  lastError: Nullable(Type.String({ description: 'Why the last refund or question failed' })),
  heldUntil: Nullable(Type.String({ description: 'How long its pieces are held, ISO 8601, UTC' })),
})
export type ListedPayment = Static<typeof ListedPayment>

export const paymentAdminCalls = {
  getPayments: endpoint({
    method: 'GET',
    path: '/payment/payments',
    access: 'admin',
    summary: 'A page of fifty payments that are no orders; the total is in X-Total-Count',
    query: Type.Object({
      page: Type.Optional(Page),
      state: Type.Optional(Type.Enum([...PAYMENT_STATES])),
    }),
    answer: Type.Array(ListedPayment),
  }),
} satisfies Contract
