/** The back office's list of payments that did not simply pay their order. */
import { type Static, Type } from 'typebox'
import { OrderNumber } from '../orders/contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import {
  Day,
  Done,
  FilledText,
  GivenDay,
  Id,
  Nullable,
  Page,
  Price,
  Text,
  Timestamp,
} from '../shared/contract/fields.ts'
import { Mailed, RECEIVED_AS, RefundLine, RequestKey } from './order-admin-contract.ts'

/** Issues that only a person can resolve, with a note. A refused refund of an order is given up instead. */
export const RESOLVABLE_STATES = [
  'unknown',
  'refund_refused',
  'dispute_lost',
  'refund_missing',
  'expired',
  'amount_mismatch',
  'paid_cancelled',
  'refunded_elsewhere',
] as const

/** The states that need a person, the most urgent first: those of the view `payments_needing_attention`. */
export const URGENT_STATES = [
  'disputed',
  'refund_refused',
  'refund_pending',
  'unknown',
  'dispute_lost',
  'refund_missing',
  'expired',
  'amount_mismatch',
  'paid_cancelled',
  'refunded_elsewhere',
  'unmatched',
  'overdue',
  'capture_pending',
] as const

/**
 * The states of payments. `paid`: it simply paid its order. All others are exceptions, the most urgent
 * first. `unknown`: money for an order that the shop does not have; `disputed`: the buyer's bank asks for
 * the money; `unmatched`: no purchase is known for the money yet; `expired`: the money of an order was
 * never captured; `capture_pending`: it is only authorised yet; `refunded_elsewhere`: refunded at the
 * provider, and not by the shop; `refund_missing`: the provider has refunded less than the shop knows of;
 * `owed`: an order that was
 * placed unpaid, to be paid without a provider; `overdue`: it is not paid in time;
 * `voided`: authorised, never captured; `order_refunded`: money of an order was refunded.
 */
export const PAYMENT_STATES = [
  ...URGENT_STATES,
  'refunding',
  'owed',
  'started',
  'refunded',
  'voided',
  'order_refunded',
  'resolved',
  'paid',
] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** Filters of the list. */
export const PAYMENT_FILTERS = ['needs_attention', ...PAYMENT_STATES] as const
export type PaymentFilter = (typeof PAYMENT_FILTERS)[number]

export const ListedPayment = Type.Object({
  _id: Type.String({ description: "The provider's payment id; the shop's of a started payment" }),
  state: Type.Enum([...PAYMENT_STATES]),
  paymentId: Id,
  order: Nullable(
    Type.Object({ _id: Id, number: OrderNumber }, { description: 'The order that it paid' }),
  ),
  buyer: Nullable(
    Type.Object(
      { _id: Id, name: Type.String(), email: Type.String() },
      { description: 'null for money of an unknown order' },
    ),
  ),
  amount: Price,
  currency: Type.String(),
  refunded: Price,
  createdAt: Timestamp,
  payment: Type.Object({
    razorpay_order_id: Type.String(),
    razorpay_payment_id: Nullable(Type.String()),
  }),
  reason: Nullable(
    Type.String({ description: 'Why it bought nothing, or the last attempt failed' }),
  ),
  attempts: Type.Integer({ description: 'Attempts to refund it, or polls of the provider' }),
  nextAt: Nullable(Type.String({ description: 'The next attempt, ISO 8601, UTC' })),
  lastError: Nullable(Type.String({ description: 'Why the last attempt failed' })),
  reservedUntil: Nullable(
    Type.String({ description: 'Until when its stock is reserved, ISO 8601' }),
  ),
  dueDate: Nullable({ ...Day, description: 'Until when an unpaid order is to be paid' }),
  isReminded: Type.Boolean({ description: 'Whether the buyer of an unpaid order was reminded' }),
  resolvedAt: Nullable(Type.String({ description: 'When an admin resolved it, ISO 8601, UTC' })),
  resolutionNote: Nullable(Type.String({ description: "The admin's note" })),
})
export type ListedPayment = Static<typeof ListedPayment>

export const paymentAdminCalls = {
  getPayments: endpoint({
    method: 'GET',
    path: '/payment/payments',
    access: 'admin',
    summary:
      'A page of fifty payments, newest first, all or those in a state; the total is in X-Total-Count',
    query: Type.Object({
      page: Type.Optional(Page),
      state: Type.Optional(Type.Enum([...PAYMENT_FILTERS])),
    }),
    answer: Type.Array(ListedPayment),
  }),
  resolvePayment: endpoint({
    method: 'PUT',
    path: '/payment/resolve/:id',
    access: 'admin',
    summary: 'Marks the issue of a payment as resolved, with a note; another note replaces it',
    params: Type.Object({
      id: Text({ maxLength: 1000, description: "The provider's payment id" }),
    }),
    body: Type.Object({ note: FilledText(500) }),
    answer: Done,
  }),
  refundOrder: endpoint({
    method: 'POST',
    path: '/payment/refund/:orderId',
    access: 'admin',
    summary: 'Refunds the payment of an order, all that is left of it or a part, with a reason',
    params: Type.Object({ orderId: Id }),
    body: Type.Object({
      amount: Type.Optional({
        ...Price,
        description: 'Major units; without it, what is proposed for the lines, or all that is left',
      }),
      reason: FilledText(500),
      returnStock: Type.Optional(
        Type.Boolean({
          description: 'Whether the pieces of the lines, or of the order, are for sale again',
        }),
      ),
      lines: Type.Optional(
        Type.Array(RefundLine, {
          maxItems: 500,
          description: 'What it is of; absent for an amount',
        }),
      ),
      key: Type.Optional(RequestKey),
      mails: Mailed,
    }),
    answer: Done,
  }),
  receivePayment: endpoint({
    method: 'POST',
    path: '/payment/receive/:orderId',
    access: 'admin',
    summary: 'Enters money that came in for an order that is paid without a provider; idempotent',
    params: Type.Object({ orderId: Id }),
    body: Type.Object({
      amount: { ...Price, description: 'Major units; at most what is owed' },
      date: { ...GivenDay, description: 'The day on which it came in' },
      key: { ...Id, description: 'Of this money: a repeated request enters it once' },
      receivedAs: Type.Optional(Type.Enum([...RECEIVED_AS], { description: 'How it came in' })),
    }),
    answer: Done,
  }),
  giveUpRefund: endpoint({
    method: 'POST',
    path: '/payment/give-up-refund/:orderId',
    access: 'admin',
    summary: 'Gives up a refund of an order that the provider has refused: it is not tried again',
    params: Type.Object({ orderId: Id }),
    answer: Done,
  }),
} satisfies Contract
