import type { Action, ActorKind, AuditedTable } from '#app/audit/admin-contract.ts'

/** The kinds of objects in the filter. */
export const TABLE_NAMES: Record<AuditedTable, string> = {
  orders: 'Orders',
  products: 'Products',
  categories: 'Categories',
  users: 'Users',
  provider_payments: 'Refunds',
}

/** The noun before an object's name. */
export const OBJECT_NOUNS: Record<AuditedTable, string> = {
  orders: 'Order of',
  products: 'Product',
  categories: 'Category',
  users: 'User',
  provider_payments: 'Payment of',
}

export const ACTION_NAMES: Record<Action, string> = {
  insert: 'created',
  update: 'changed',
  delete: 'deleted',
  signed_in: 'signed in from a new network',
  password_reset_by_answer: 'password reset with the security answer',
  sessions_ended: 'all sessions ended',
}

/** The kinds of actors in the filter. */
export const ACTOR_NAMES: Record<ActorKind, string> = {
  user: 'Customers',
  admin: 'Admins',
  provider: 'The payment provider',
  shop: 'The shop itself',
  owner: 'The owner',
}

/** Labels of actors without a name. */
export const UNNAMED_ACTORS: Record<ActorKind, string> = {
  user: 'a customer',
  admin: 'an admin',
  provider: 'the payment provider',
  shop: 'the shop itself',
  owner: 'the owner, at the command line',
}

/** Labels of fields whose column name is unclear. */
const FIELD_LABELS: Record<string, string> = {
  quantity: 'Stock',
  category_id: 'Category',
  slug: 'Address',
  photo_version: 'Photo',
  is_admin: 'Admin',
  answer: 'Security answer',
  email: 'E-mail',
  resolution_note: 'Note',
}

/** The label of a field; by default the column's name: `photo_version` is "Photo version". */
export const labelOf = (field: string): string =>
  FIELD_LABELS[field] ??
  field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ').replace(/ at$/, '')
