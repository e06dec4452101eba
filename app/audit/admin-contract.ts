/** The audit log: who changed what, and when. Database triggers write it; entries never change. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { GivenDay, Id, Nullable, Page, Timestamp } from '../shared/contract/fields.ts'

/** The kinds of actors; `shop` is a background job, `owner` the command line. */
export const ACTOR_KINDS = ['user', 'admin', 'provider', 'shop', 'owner'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/**
 * The audited tables. Entries of `captures` are notes of admins; those of `user_notes` have the id of the user,
 * those of `order_notes` that of the order, those of `shipping_places` that of their zone, those of
 * `product_options` that of their product. `payments` and
 * `unknown_payments` have entries of before 0.4.0: refunds, by the id of the capture, and notes.
 */
export const AUDITED_TABLES = [
  'orders',
  'order_notes',
  'products',
  'variants',
  'product_options',
  'product_photos',
  'option_values',
  'attributes',
  'attribute_choices',
  'product_attributes',
  'categories',
  'users',
  'user_notes',
  'returned_lines',
  'refunds',
  'refund_lines',
  'captures',
  'payments',
  'unknown_payments',
  'coupons',
  'shipping_zones',
  'shipping_places',
  'shipping_rates',
  'tax_classes',
  'tax_rates',
  'tax_settings',
  'settings',
  'stored_settings',
] as const
export type AuditedTable = (typeof AUDITED_TABLES)[number]

/**
 * Account events without a changed row. `signed_in`: an admin logged in from a network that was not
 * used for thirty days.
 */
export const ACCOUNT_ACTIONS = [
  'signed_in',
  'password_reset_by_answer',
  'password_reset_by_link',
  'sessions_ended',
] as const
export type AccountAction = (typeof ACCOUNT_ACTIONS)[number]

export const ACTIONS = ['insert', 'update', 'delete', ...ACCOUNT_ACTIONS] as const
export type Action = (typeof ACTIONS)[number]

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
export type Value = Static<typeof Value>

const Change = Type.Object({
  field: Type.String({ description: 'The column, without `_minor`' }),
  before: Value,
  after: Value,
})
export type Change = Static<typeof Change>

export const AuditEntry = Type.Object({
  _id: Type.String({ description: 'Increases with each entry' }),
  at: Timestamp,
  actor: Type.Object({
    kind: Type.Enum([...ACTOR_KINDS]),
    _id: Nullable(Id),
    name: Nullable(Type.String()),
  }),
  action: Type.Enum([...ACTIONS]),
  object: Type.Object({
    kind: Type.Enum([...AUDITED_TABLES]),
    _id: Id,
    name: Nullable(
      Type.String({ description: 'Its name now, or its last one; the buyer of an order' }),
    ),
    slug: Nullable(Type.String({ description: 'Of a product that still exists' })),
    currency: Nullable(
      Type.String({ description: 'Of an order or a payment: that of its amounts, ISO 4217' }),
    ),
  }),
  reason: Nullable(Type.String({ description: 'Of a correction of stock' })),
  changeId: Type.Optional({
    ...Id,
    description: 'Of a change of many products, which undo-change takes back',
  }),
  changes: Type.Array(Change, {
    description:
      'Columns that differ; all of them after insert and delete. Money in major units. Of a password, an answer and an e-mail only that they changed.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

/** Filters of the log; both days are inclusive. */
export const AuditFilter = Type.Object({
  page: Type.Optional(Page),
  object: Type.Optional({ ...Id, description: 'Of an order the refunds of its payment, too' }),
  kind: Type.Optional(Type.Enum([...AUDITED_TABLES])),
  actor: Type.Optional(
    Type.Union([Type.Enum([...ACTOR_KINDS]), Id], { description: 'A kind of actor, or a user id' }),
  ),
  from: Type.Optional(GivenDay),
  to: Type.Optional(GivenDay),
})
export type AuditFilter = Static<typeof AuditFilter>

export const auditCalls = {
  getAuditLog: endpoint({
    method: 'GET',
    path: '/audit-log',
    access: 'admin',
    summary: 'A page of fifty entries, newest first; the total is in X-Total-Count',
    query: AuditFilter,
    answer: Type.Array(AuditEntry),
  }),
} satisfies Contract
