import { toMajor } from '#app/shared/model/minor-units.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import {
  type DetailedProduct,
  type ListedProduct,
  type Product,
  type ProductCard,
  SUMMARY_LENGTH,
} from '../contract.ts'
import type { ShownAttribute } from '../shown-attribute-contract.ts'
import { formattedText, plainText } from './description.ts'
import { detailsOf } from './fields.ts'
import { type Photographed, presentPhotographed } from './photos/shown.ts'
import type { DetailedRow, ProductRow, ShownRow } from './store.ts'
import { presentChoices, presentChoosable } from './variants/shown.ts'
import type { Choosable } from './variants/shown-store.ts'

/** A product with its category as an id, without its text. */
const presentFacts = (row: ShownRow) => ({
  _id: row.id,
  name: row.name,
  slug: row.slug,
  price: toMajor(row.price_minor, row.currency),
  ...(row.before_minor !== null && { compareAt: toMajor(row.before_minor, row.currency) }),
  quantity: row.quantity,
  category: row.category_id,
  shipping: row.shipping ? (1 as const) : (0 as const),
  photo: row.photo_version,
  ...(row.second_photo && { secondPhoto: row.second_photo }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** A product in a list, with its description as it is stored. */
export const presentListed = (row: ShownRow): ListedProduct => ({
  ...presentFacts(row),
  description: row.description,
})

/** A product on a card: without its text, of which it has the beginning. */
export const presentCard = (row: ShownRow): ProductCard => ({
  ...presentFacts(row),
  summary: firstCharacters(plainText(row.description), SUMMARY_LENGTH),
  ...(row.choices && { choices: presentChoices(row.choices) }),
})

/** A product with its category. */
export const presentProduct = (row: ProductRow): Product => ({
  ...presentListed(row),
  category: { _id: row.category_id, name: row.category_name, slug: row.category_slug },
})

type PageRow = DetailedRow & Choosable & Photographed & { attributes: ShownAttribute[] | null }

/** A product as its own page has it: with its description as it was typed, and formatted. */
export async function presentDetailed(row: PageRow): Promise<DetailedProduct> {
  const choosable = presentChoosable(row)
  const formatted = await formattedText(row.description)
  return {
    ...presentProduct(row),
    ...detailsOf(row),
    ...choosable,
    ...presentPhotographed(row, choosable),
    ...(row.attributes && { attributes: row.attributes }),
    ...(formatted && { formatted }),
  }
}
