/** The calls of an order's page in the back office: all of an order, its changes, and notes. */
import { type Static, Type } from 'typebox'
import { ACTOR_KINDS } from '../audit/admin-contract.ts'
import { EMAIL_KINDS, EMAIL_STATES } from '../emails/admin-contract.ts'
import { PAYMENT_STATES } from '../payments/admin-contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import {
  Done,
  FilledText,
  Id,
  Nullable,
  Price,
  stripped,
  Text,
  Timestamp,
} from '../shared/contract/fields.ts'
import { ListedOrder, MAX_CHANGED, Notify, OrderSelection } from './admin-contract.ts'
import { ORDER_STATUSES, SoldVariant } from './contract.ts'

/** The states of a refund; `failed`: the provider refuses it, and it is tried again. */
const REFUND_STATES = ['pending', 'accepted', 'done', 'failed', 'given_up'] as const
export type RefundState = (typeof REFUND_STATES)[number]

/** Text without which there is none: an empty one is null. */
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Nullable(Text({ maxLength, description })))

/** What an admin sets of an order; a field that is not sent keeps its value. */
const Handling = Type.Object({
  status: Type.Optional(Type.Enum([...ORDER_STATUSES])),
  carrier: optionalText(100, 'Such as DHL; null removes it'),
  trackingNumber: Type.Optional(
    Nullable(stripped('code', Text({ maxLength: 100, description: 'null removes it' }))),
  ),
  customerNote: optionalText(2000, 'Shown to the customer; null removes it'),
})
export type Handling = Static<typeof Handling>

const OrderChange = Type.Object({
  orderId: Id,
  ...Handling.properties,
  expects: Type.Optional(
    Type.Object(Handling.properties, {
      description: 'An order that has other values than these stays as it is',
    }),
  ),
})
export type OrderChange = Static<typeof OrderChange>

/** The author of a change: a person, or a part of the shop. */
const EventActor = Type.Object({
  kind: Type.Enum([...ACTOR_KINDS]),
  name: Nullable(Type.String()),
})

/** The kinds of events of an order. */
export const EVENT_KINDS = [
  'placed',
  'captured',
  'voided',
  'refund',
  'status',
  'shipment',
  'customer_note',
  'note',
  'email',
  'invoice',
  'credit_note',
  'stock_returned',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

const OrderEvent = Type.Object({
  kind: Type.Enum([...EVENT_KINDS]),
  at: Timestamp,
  by: EventActor,
  amount: Type.Optional({ ...Price, description: 'Of money' }),
  status: Type.Optional(Type.Enum([...ORDER_STATUSES])),
  before: Type.Optional(Type.Enum([...ORDER_STATUSES])),
  /** The text of a note, the reason of a refund, the carrier, the recipient of an e-mail. */
  text: Type.Optional(Type.String()),
  number: Type.Optional(
    Type.Integer({ description: 'Of an invoice or a credit note; of pieces that were returned' }),
  ),
  email: Type.Optional(
    Type.Object({
      _id: Id,
      kind: Type.Enum([...EMAIL_KINDS]),
      state: Type.Enum([...EMAIL_STATES]),
      sendsAt: Nullable({ ...Timestamp, description: 'While it is queued' }),
    }),
  ),
  refund: Type.Optional(Type.Enum([...REFUND_STATES])),
})
export type OrderEvent = Static<typeof OrderEvent>

/** Everything of an order, for its page. */
export const OrderDetail = Type.Object({
  order: ListedOrder,
  lines: Type.Array(
    Type.Object({
      _id: { ...Id, description: 'As it was in the cart: of a product, or of a variant' },
      ...SoldVariant,
      name: Type.String(),
      slug: Type.String(),
      description: Type.String(),
      quantity: Type.Integer(),
      left: Type.Integer({ description: 'How many are neither refunded nor back in the stock' }),
      price: { ...Price, description: 'Of one, in major units' },
      isForSale: Type.Boolean({ description: 'Whether the product still exists' }),
    }),
  ),
  captures: Type.Array(
    Type.Object({
      _id: Id,
      paymentId: Type.String({ description: "The provider's id" }),
      provider: Type.String(),
      amount: Price,
      at: Timestamp,
      state: Type.Enum([...PAYMENT_STATES]),
    }),
    { description: 'The money that came in for it, the first first' },
  ),
  refunds: Type.Array(
    Type.Object({
      _id: Id,
      amount: Price,
      state: Type.Enum([...REFUND_STATES]),
      reason: Nullable(Type.String()),
      at: Timestamp,
      creditNote: Nullable(Type.Integer()),
    }),
    { description: 'The first first; also those that are not done' },
  ),
  invoice: Nullable(Type.Integer({ description: 'The number of its invoice, once it is issued' })),
  notes: Type.Array(
    Type.Object({
      _id: Id,
      text: Type.String(),
      author: Nullable(Type.String()),
      createdAt: Timestamp,
    }),
    { description: 'Of admins, the newest first' },
  ),
  timeline: Type.Array(OrderEvent, { description: 'The newest event first' }),
})
export type OrderDetail = Static<typeof OrderDetail>

const ById = Type.Object({ orderId: Id })

export const orderHandlingCalls = {
  getOrderDetail: endpoint({
    method: 'GET',
    path: '/order/order/:orderId',
    access: 'admin',
    summary: 'An order with its money, shipment, notes, and everything that happened',
    params: ById,
    answer: OrderDetail,
  }),
  changeOrders: endpoint({
    method: 'PUT',
    path: '/order/orders',
    access: 'admin',
    summary:
      'Sets status, shipment or note of up to 1,000 orders, each its own (`changes`) or all the same (`selection` and `set`). With the `changes` that undo it',
    body: Type.Object({
      changes: Type.Optional(Type.Array(OrderChange, { minItems: 1, maxItems: MAX_CHANGED })),
      selection: Type.Optional(OrderSelection),
      set: Type.Optional(Handling),
      notify: Notify,
    }),
    answer: Type.Object({
      ...Done.properties,
      changed: Type.Integer({ description: 'How many orders were changed' }),
      mailed: Type.Integer({ description: 'How many of their customers get an e-mail' }),
      before: Type.Array(OrderChange, {
        description:
          'The changes that undo it, but for orders that were cancelled before they were paid',
      }),
    }),
  }),
  addOrderNote: endpoint({
    method: 'POST',
    path: '/order/notes/:orderId',
    access: 'admin',
    summary: 'Adds a note to an order, which its customer does not see',
    params: ById,
    body: Type.Object({ text: FilledText(2000) }),
    answer: Done,
  }),
  deleteOrderNote: endpoint({
    method: 'DELETE',
    path: '/order/note/:id',
    access: 'admin',
    summary: 'Deletes a note of an order',
    params: Type.Object({ id: Id }),
    answer: Done,
  }),
} satisfies Contract
