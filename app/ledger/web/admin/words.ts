import type {
  Action,
  ActorKind,
  Change,
  Entry,
  ObjectKind,
  UserEvent,
  Value,
} from '#app/ledger/admin-contract.ts'
import { USER_EVENTS } from '#app/ledger/admin-contract.ts'

/** The kinds of things in the merchant's words. */
export const OBJECT_NAMES: Record<ObjectKind, string> = {
  order: 'Orders',
  payment: 'Payments',
  hold: 'Held stock',
  money: 'Money and refunds',
  product: 'Products',
  category: 'Categories',
  user: 'Users',
}

/** The kinds of actors, as a list is narrowed by them. */
export const ACTOR_NAMES: Record<ActorKind, string> = {
  user: 'Customers',
  admin: 'Admins',
  provider: 'The payment provider',
  shop: 'The shop itself',
  owner: 'The owner',
}

/** Who did it, where nobody in particular did. */
export const NAMELESS: Record<ActorKind, string> = {
  user: 'a customer',
  admin: 'an admin',
  provider: 'the payment provider',
  shop: 'the shop itself',
  owner: 'the owner, at the command line',
}

const NOUNS: Record<ObjectKind, string> = {
  order: 'The order of',
  payment: 'The payment of',
  hold: 'The hold for the payment of',
  money: 'Money for the payment of',
  product: 'The product',
  category: 'The category',
  user: 'The role of',
}

const VERBS: Record<ObjectKind, Record<Action, string>> = {
  order: { create: 'was placed', update: 'was changed', delete: 'was removed' },
  payment: { create: 'was started', update: 'was changed', delete: 'was removed' },
  hold: { create: 'was begun', update: 'was changed', delete: 'was ended' },
  money: { create: 'was reported', update: 'was decided on', delete: 'was removed' },
  product: { create: 'was created', update: 'was changed', delete: 'was deleted' },
  category: { create: 'was created', update: 'was changed', delete: 'was deleted' },
  user: { create: 'was given', update: 'was changed', delete: 'was taken' },
}

/** The parts of an entry's sentence: before the thing's name, after it, and before the actor's name. */
type Words = { noun: string; verb: string; by?: string }

/** What became of the stock of a product, where it was no edit. */
function ofStock({ cause, actor }: Entry) {
  const noun = 'Pieces of'
  // who pays is whom they are sold to; the provider, or the shop that asks it, sells for nobody
  if (cause?.kind === 'order')
    return { noun, verb: 'were sold', by: actor.kind === 'user' ? 'to' : 'on the word of' }
  return {
    noun,
    verb: cause?.action === 'delete' ? 'were given back' : 'were held for a payment',
    by: 'by',
  }
}

/** What became of money, by the first of these that changed, and what it is now. */
const MONEY_VERBS: [field: string, verb: string, value?: Value][] = [
  ['seenNote', 'was seen to'],
  ['state', 'was made an order', 'kept'],
  ['state', 'was found due to go back', 'refund_due'],
  ['state', 'was set on its way back', 'refunding'],
  ['state', 'was given back', 'refunded'],
  ['state', 'was found never to come in', 'never_came'],
  ['refundTries', 'was refused to go back'],
  ['givenBack', 'was given back'],
  ['doubt', 'was put in doubt', 'uncaptured'],
  ['capturedAt', 'was confirmed'],
  ['doubt', 'was cleared of doubt', null],
  ['doubt', 'was put in doubt'],
]

function ofMoney(changes: Change[]): string {
  const found = MONEY_VERBS.find(([name, , value]) =>
    changes.some(
      ({ field, before, after }) =>
        field === name && before !== after && (value === undefined || value === after),
    ),
  )
  return found?.[1] ?? 'was decided on'
}

/** The sentence parts of an account's events; without `by` where the actor is unknown or the user. */
const USER_EVENT_WORDS: Record<UserEvent, Words> = {
  signed_in: { noun: 'The admin', verb: 'signed in from a new network' },
  password_changed: { noun: 'The password of', verb: 'was changed', by: 'by' },
  password_reset: { noun: 'The password and security answer of', verb: 'were reset', by: 'by' },
  password_reset_by_answer: {
    noun: 'The password of',
    verb: 'was reset with the security answer',
  },
  answer_changed: { noun: 'The security answer of', verb: 'was changed', by: 'by' },
  answer_replaced: { noun: 'The security answer of', verb: 'was deleted', by: 'by' },
  sessions_ended: { noun: 'All sessions of', verb: 'were ended', by: 'by' },
}

/** The event of a user's entry; undefined where it is about the role. */
const eventOf = ({ changes }: Entry): UserEvent | undefined => {
  const told = changes.find(({ field }) => field === 'event')?.after
  return USER_EVENTS.find((event) => event === told)
}

/** What happened, around the name of what it happened to. */
export function wordsOf(entry: Entry): Words {
  const { action, object, cause, changes } = entry
  if (cause) return ofStock(entry)
  const event = eventOf(entry)
  if (event) return USER_EVENT_WORDS[event]
  const { kind, name } = object
  if (kind === 'order' && changes.some(({ field }) => field === 'lines'))
    return { noun: 'The pieces of the order of', verb: 'were ordered', by: 'by' }
  const noun = NOUNS[kind]
  if (kind === 'user' && changes.some(({ field }) => field === 'closedAt'))
    return { noun: 'The account of', verb: 'was closed', by: 'by' }
  if (kind !== 'money') return { noun, verb: VERBS[kind][action], by: 'by' }
  // money for an order that is not here is called by its own id
  const isUnknown = changes.some(
    ({ field, after, before }) => field === 'id' && name === (after ?? before),
  )
  const verb = action === 'update' ? ofMoney(changes) : VERBS.money[action]
  return { noun: isUnknown ? 'The payment' : noun, verb, by: 'by' }
}

/** Whose history it is, as a title. */
export const ofWhat = ({ kind, name }: Entry['object']): string => {
  if (kind === 'order') return `the order of ${name}`
  if (kind === 'user') return `the account of ${name}`
  return kind === 'product' || kind === 'category' ? `${name}` : `the payment of ${name}`
}

/**
 * The fields in the merchant's words, in the order in which they are told; one without a word here
 * is not for people.
 */
export const FIELD_NAMES: Record<string, string> = {
  name: 'Name',
  price: 'Price',
  quantity: 'Stock',
  category: 'Category',
  shipping: 'Shipping',
  photo: 'Photo',
  slug: 'Address',
  description: 'Description',
  status: 'Status',
  total: 'Total',
  lines: 'Pieces',
  amount: 'Amount',
  provider: 'Provider',
  providerOrderId: 'Order at the provider',
  settledAt: 'Settled',
  cancelledAt: 'Cancelled by the buyer',
  closedAt: 'Closed',
  capturedAt: 'Captured',
  doubt: 'In doubt',
  failure: 'Failed try',
  expiresAt: 'Held until',
  id: 'Payment id',
  state: 'State',
  refusal: 'The buyer is told',
  refundTries: 'Tries to refund',
  refundError: 'The provider says',
  refundId: 'Refund id',
  givenBack: 'Given back',
  receipt: 'Receipt',
  paidAt: 'Paid',
  seenToAt: 'Seen to',
  seenNote: 'Note',
  admin: 'Admin',
}

/** The states and doubts of money in the merchant's words. */
export const VALUE_NAMES: Record<string, string> = {
  unclaimed: 'Unclaimed',
  kept: 'Kept for an order',
  refund_due: 'Refund due',
  refunding: 'Refund under way',
  refunded: 'Refunded',
  never_came: 'Never came in',
  uncaptured: 'Not captured yet',
  lapsed: 'Never captured',
  other_amount: 'Another amount',
  paid_cancelled: 'Paid, order cancelled',
}
