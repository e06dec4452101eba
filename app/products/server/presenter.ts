import { toMajor } from '#app/shared/server/minor-units.ts'
import type { DetailedProduct, ListedProduct, Product } from '../contract.ts'
import { formattedText, plainText } from './description.ts'
import { detailsOf } from './fields.ts'
import type { DetailedRow, ListedRow, ProductRow } from './store.ts'

/** A product in a list, with its category as an id, and its description as plain text. */
export const presentListed = (row: ListedRow): ListedProduct => ({
  _id: row.id,
  name: row.name,
  slug: row.slug,
  description: plainText(row.description),
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

/** A product as its own page has it: with its description as it was typed, and formatted. */
export async function presentDetailed(row: DetailedRow): Promise<DetailedProduct> {
  const formatted = await formattedText(row.description)
  return {
    ...presentProduct(row),
    description: row.description,
    ...detailsOf(row),
    ...(formatted && { formatted }),
  }
}
