/** The columns of the products' CSV, as they are exported. */
export const COLUMNS = [
  'slug',
  'name',
  'description',
  'price',
  'quantity',
  'category',
  'shipping',
] as const
export type Column = (typeof COLUMNS)[number]
