import type { Action, ActorKind, Entry, ObjectKind } from '#app/ledger/admin-contract.ts'

/** The kinds of things in the merchant's words. */
export const OBJECT_NAMES: Record<ObjectKind, string> = {
  order: 'Orders',
  payment: 'Payments',
  hold: 'Held stock',
  money: 'Money that came in',
  product: 'Products',
  category: 'Categories',
  user: 'Roles of users',
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

/** What became of the stock of a product, where it was no edit. */
function ofStock(cause: NonNullable<Entry['cause']>): string {
  if (cause.kind === 'order') return 'were sold'
  return cause.action === 'delete' ? 'were given back' : 'were held for a payment'
}

/** What happened, around the name of what it happened to. */
export function wordsOf({ action, object: { kind }, cause, changes }: Entry) {
  if (cause) return { noun: 'Pieces of', verb: ofStock(cause) }
  const isFilled = kind === 'order' && changes.some(({ field }) => field === 'lines')
  return { noun: NOUNS[kind], verb: isFilled ? 'was filled' : VERBS[kind][action] }
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
  buyer: 'Buyer',
  total: 'Total',
  lines: 'Pieces',
  amount: 'Amount',
  provider: 'Provider',
  providerOrderId: 'Order at the provider',
  settledAt: 'Settled',
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
  admin: 'Admin',
}
