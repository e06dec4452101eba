import { toMajor } from '#app/shared/server/minor-units.ts'
import type { DetailedProduct, ListedProduct, Product } from '../contract.ts'
import { detailsOf } from './fields.ts'
import type { DetailedRow, ListedRow, ProductRow } from './store.ts'

/** A product in a list, with its category as an id. */
export const presentListed = (row: ListedRow): ListedProduct => ({
  _id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  price: toMajor(row.price_minor),
  quantity: row.quantity,
  category: row.category_id,
  shipping: row.shipping ? 1 : 0,
  photo: row.photo_version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** A product with its category. */
export const presentProduct = (row: ProductRow): Product => ({
  ...presentListed(row),
  category: { _id: row.category_id, name: row.category_name, slug: row.category_slug },
})

/** A product as its own page has it. */
export const presentDetailed = (row: DetailedRow): DetailedProduct => ({
  ...presentProduct(row),
  ...detailsOf(row),
})
