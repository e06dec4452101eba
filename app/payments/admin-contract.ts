/** Payments for those who sell: what is not an order yet, or never was, and what is being done about it. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import {
  Done,
  FilledText,
  Id,
  Nullable,
  Page,
  Price,
  Text,
  Timestamp,
} from '../shared/contract/fields.ts'

/**
 * The most pressing first. Money that is kept for an order is not among them, it is with the order,
 * unless something speaks against it: never captured, of another amount, come in when its order was
 * cancelled, not captured yet; or something of it was given back there. `never_came` was promised,
 * bought nothing, and nobody took it. `unknown` is the provider's money for an order that is not
 * here, `handled` such as is known by now, or went back; `seen_to` is what a person is done with.
 */
export const PAYMENT_STATES = [
  ...(['refund_due', 'unknown', 'lapsed', 'other_amount', 'paid_cancelled'] as const),
  ...(['unclaimed', 'refunding', 'uncaptured', 'started'] as const),
  ...(['refunded', 'never_came', 'given_back', 'handled', 'seen_to'] as const),
]
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** Done with, or never begun: a buyer who closes the dialog is nobody's business. */
const QUIET_STATES: PaymentState[] = [
  ...(['started', 'refunded', 'never_came', 'given_back', 'handled', 'seen_to'] as const),
]

/** What is listed where no state is asked for: money that came in and is not done with. */
export const OPEN_STATES: PaymentState[] = PAYMENT_STATES.filter(
  (state) => !QUIET_STATES.includes(state),
)

/** An order's money that something speaks against, and no time mends. */
export const DOUBTS = ['lapsed', 'other_amount', 'paid_cancelled'] as const

/** What the shop can do nothing about: it stays until a person says that it is seen to. */
export const STATES_FOR_A_PERSON: PaymentState[] = ['unknown', ...DOUBTS]

export const PAYMENTS_PAGE_SIZE = 50

export const ListedPayment = Type.Object({
  _id: Type.String({ description: "The provider's payment id, or ours of what was only started" }),
  state: Type.Enum([...PAYMENT_STATES]),
  paymentId: Nullable(Id),
  historyId: { ...Id, description: 'Whose history it is in' },
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
  seenToAt: Nullable(Type.String({ description: 'When a person saw to it, ISO 8601, UTC' })),
  seenNote: Nullable(Type.String({ description: 'What they say of it' })),
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
  seeToPayment: endpoint({
    method: 'PUT',
    path: '/payment/seen-to/:id',
    access: 'admin',
    summary: 'Says that a person has seen to money; said again with another note, it is that note',
    params: Type.Object({
      id: Text({ maxLength: 1000, description: "The provider's payment id" }),
    }),
    body: Type.Object({ note: FilledText(500) }),
    answer: Done,
  }),
} satisfies Contract
