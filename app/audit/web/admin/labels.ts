import type { Action, ActorKind, AuditedTable } from '#app/audit/admin-contract.ts'
import { asLabel } from '#app/back-office/kit/list-query.ts'
import { CELL_NAMES, isMoneyCell } from '#app/products/variant-contract.ts'

const TABLE_LABELS: Partial<Record<AuditedTable, string>> = {
  captures: 'Notes on payments',
  payments: 'Refunds before 0.4.0',
  unknown_payments: 'Notes on payments before 0.4.0',
  stored_settings: 'Connections',
}

/** The objects of a table, in the filter. */
export const tableLabelOf = (table: AuditedTable): string => TABLE_LABELS[table] ?? asLabel(table)

const OBJECT_NOUNS: Partial<Record<AuditedTable, string>> = {
  categories: 'Category',
  user_notes: 'Note on',
  order_notes: 'Note on order',
  returned_lines: 'Returned stock of',
  refunds: 'Refund of',
  refund_lines: 'Refunded line of',
  captures: 'Payment of',
  payments: 'Payment of',
  shipping_places: 'Places of the shipping zone',
  tax_classes: 'Tax class',
  tax_settings: 'Tax settings',
  attribute_choices: 'Choice',
  product_attributes: 'Attribute of',
  settings: 'Settings',
  stored_settings: 'Connection',
}

/** The noun before an object's name; by default the table's name: `products` is "Product". */
export const nounOf = (table: AuditedTable): string =>
  OBJECT_NOUNS[table] ?? asLabel(table).replace(/s$/, '')

const STORED_SETTINGS: Record<string, string> = {
  SMTP_URL: 'SMTP server',
  MAIL_FROM: 'Sender of e-mails',
  SHOP_URL: 'Public address',
  PAYMENTS: 'Payment provider',
}

/** The name of a stored setting, in words: `STRIPE_SECRET_KEY` is "Stripe secret key". */
export const nameOfStored = (name: string): string =>
  STORED_SETTINGS[name] ?? asLabel(name.toLowerCase())

export const ACTION_NAMES: Record<Action, string> = {
  insert: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  signed_in: 'Signed in from a new network',
  password_reset_by_answer: 'Password reset with the security answer',
  password_reset_by_link: 'Password reset with a link in an e-mail',
  sessions_ended: 'All sessions ended',
}

/** Labels of actors without a name. */
export const UNNAMED_ACTORS: Record<ActorKind, string> = {
  user: 'A customer',
  admin: 'An admin',
  provider: 'The payment provider',
  shop: 'The shop itself',
  owner: 'The owner',
}

/** The kinds of actors in the filter. */
export const ACTOR_NAMES = { ...UNNAMED_ACTORS, user: 'Customers', admin: 'Admins' }

/** Labels of fields whose column name is unclear. */
const FIELD_LABELS: Record<string, string> = {
  quantity: 'Stock',
  category_id: 'Category',
  slug: 'Address',
  photo_version: 'Photo',
  version: 'Photo',
  alt: 'Alternative text',
  position: 'Place',
  is_admin: 'Admin',
  answer: 'Security answer',
  email: 'E-mail',
  resolution_note: 'Note',
  author_id: 'Author',
  customer_note: 'Note to the customer',
  is_default: 'Default',
  rate: 'Rate in percent',
  attribute_id: 'Attribute',
  choice_id: 'Value',
  is_filterable: 'Narrows lists',
  class_id: 'Tax class',
  tax_class_id: 'Tax class',
  shipping_class_id: 'Tax class of shipping and fees',
  product_ids: 'Products',
  category_ids: 'Categories',
  user_ids: 'Customers',
  audience: 'For whom',
  is_free_shipping: 'Free delivery',
  sku: 'SKU',
  value1: 'First value',
  value2: 'Second value',
  value3: 'Third value',
  compare_at: 'Compare at',
  sale_price: 'Price of the sale',
  sale_from: 'Beginning of the sale',
  sale_until: 'End of the sale',
  regular_price: 'Price after the sale',
  regular_compare_at: 'Compare at, after the sale',
  accent: 'Accent colour',
  scheme: 'Theme of the pages',
  locale: 'Format of prices',
  toll_free: 'Toll-free number',
  about: 'Text of About',
  contact: 'Text of Contact',
  policy: 'Text of Policy',
  currency_display: 'Currency',
  shows_lowest_price: 'Lowest price beside a sale price',
}

const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The fields that are amounts. */
const AMOUNTS = [
  ...CELL_NAMES.filter(isMoneyCell).map(inSnakeCase),
  'sale_price',
  'regular_price',
  'regular_compare_at',
  'free_from',
  'amount',
  'minimum',
  'total',
  'paid',
  'refund',
  'refunded',
]

/** The fields that are times, beside those that end in `_at`. */
const TIMES = ['sale_from', 'sale_until']

export const isTime = (field: string): boolean => field.endsWith('_at') || TIMES.includes(field)

export const isAmount = (field: string): boolean => AMOUNTS.includes(field)

/** The label of a field of a table; by default the column's name. */
export const labelOf = (field: string, table?: AuditedTable): string =>
  (table === 'settings' && field === 'name' && 'Shop name') ||
  FIELD_LABELS[field] ||
  asLabel(field).replace(/ at$/, '')
