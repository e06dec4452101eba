/** The ledger: who changed what, and when. It is only ever added to, by the database itself. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { GivenDay, Id, Nullable, Page, Timestamp } from '../shared/contract/fields.ts'

export const LEDGER_PAGE_SIZE = 50

/** More entries than that are not counted; the days lead further back than the pages. */
export const MOST_COUNTED = 10_000

/** A customer, an admin in the back office, the payment provider, the shop by itself, its owner. */
export const ACTOR_KINDS = ['user', 'admin', 'provider', 'shop', 'owner'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** A hold, and money that came in, stand under the id of their payment. */
export const OBJECT_KINDS = [
  'order',
  'payment',
  'hold',
  'money',
  'product',
  'category',
  'user',
] as const
export type ObjectKind = (typeof OBJECT_KINDS)[number]

/**
 * What happens to an account besides its role, as the value of the field `event` of a user's entry.
 * `signed_in` is an admin's, from a network where the account was not seen for thirty days.
 */
export const USER_EVENTS = [
  'signed_in',
  'password_changed',
  'password_reset',
  'password_reset_by_answer',
  'answer_changed',
  'answer_replaced',
  'sessions_ended',
] as const
export type UserEvent = (typeof USER_EVENTS)[number]

export const ACTIONS = ['create', 'update', 'delete'] as const
export type Action = (typeof ACTIONS)[number]

const Piece = Type.Object({
  _id: Id,
  name: Nullable(
    Type.String({ description: 'As it was sold; of what was held, what it is called now' }),
  ),
  quantity: Type.Integer(),
  price: Type.Number({ description: 'Of one' }),
})
export type Piece = Static<typeof Piece>

/** Money in major units, moments in ISO 8601; pieces are those that were sold or held. */
const Value = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Piece),
  Type.Null(),
])
export type Value = Static<typeof Value>

const Change = Type.Object({ field: Type.String(), before: Value, after: Value })
export type Change = Static<typeof Change>

export const Entry = Type.Object({
  _id: Type.String({ description: 'Grows from entry to entry' }),
  at: Timestamp,
  actor: Type.Object({
    kind: Type.Enum([...ACTOR_KINDS]),
    _id: Nullable(Id),
    name: Nullable(Type.String()),
  }),
  action: Type.Enum([...ACTIONS]),
  object: Type.Object({
    kind: Type.Enum([...OBJECT_KINDS]),
    _id: Id,
    name: Nullable(Type.String({ description: "What it is called now, or was last; the buyer's" })),
    slug: Nullable(Type.String({ description: 'Of a product that is still there' })),
  }),
  changes: Type.Array(Change, {
    description: 'What differs; of what was created or deleted, all of it',
  }),
  /** Why the stock of a product changed, where it was no edit: a hold began or ended, or an order. */
  cause: Nullable(
    Type.Object({
      kind: Type.Enum(['hold', 'order']),
      _id: Id,
      action: Type.Enum([...ACTIONS]),
    }),
  ),
})
export type Entry = Static<typeof Entry>

/** Narrows the ledger; the days are included, and of an order its payment, too. */
export const LedgerFilter = Type.Object({
  page: Type.Optional(Page),
  object: Type.Optional(Id),
  kind: Type.Optional(Type.Enum([...OBJECT_KINDS])),
  actor: Type.Optional(
    Type.Union([Type.Enum([...ACTOR_KINDS]), Id], { description: 'A kind of actor, or whose id' }),
  ),
  from: Type.Optional(GivenDay),
  to: Type.Optional(GivenDay),
})
export type LedgerFilter = Static<typeof LedgerFilter>

export const ledgerCalls = {
  getLedger: endpoint({
    method: 'GET',
    path: '/ledger',
    access: 'admin',
    summary:
      'A page of fifty entries, newest first; the total, as far as it is counted, is in X-Total-Count',
    query: LedgerFilter,
    answer: Type.Array(Entry),
  }),
} satisfies Contract
