import { EVERYTHING_TAG } from '#app/shared/server/cache/change-feed-store.ts'

/** Tables that admins write and no cached answer shows, so that their changes publish no tag. */
export const NOT_CACHED = [
  'captures',
  'coupons',
  'order_notes',
  'orders',
  'refund_lines',
  'refunds',
  // each process empties its cache when it uses new ones
  'stored_settings',
  'returned_lines',
  'tax_classes',
  'tax_rates',
  'tax_settings',
  'users',
  'user_notes',
]

/** Other tags that are published with what answers show of a table. */
const ALSO: Record<string, string[]> = {
  pictures: ['photo', 'product', 'settings'],
  products: ['photo'],
  product_photos: ['photo'],
  // the page of a product without attributes has no tag of theirs, until an edit of the product gives it one
  attributes: ['product'],
  attribute_choices: ['product'],
  option_values: ['product'],
  variants: ['photo', 'product'],
  // the product of a removed variant, whose photo is kept only by its version
  audit_log: ['photo'],
  // a save of variants publishes their product, and a sale of the last piece the availability
  facets: ['product', 'availability'],
  variant_facets: ['availability'],
  // whether there is an admin
  users: ['settings'],
}

/** How the tags of a table begin: those of `reviews` may be `reviews` and `review:ID`. */
const beginningOf = (table: string) => table.replace(/_.*/, '').replace(/(y|ies|s)$/, '')

/** Whether a tag is of a table. */
export const isTagOf = (table: string, tag: string): boolean =>
  tag === EVERYTHING_TAG ||
  [beginningOf(table), ...(ALSO[table] ?? [])].some((start) => tag.startsWith(start))
