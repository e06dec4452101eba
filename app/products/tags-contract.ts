/** Cache tags of products: what answers and pages show, by the names under which it changes. */
import { CATEGORIES_TAG } from '../categories/contract.ts'

/** Which products there are, and in which order: every list, count and search. */
export const PRODUCTS_TAG = 'products'

/** Which products are in stock: every list that is narrowed or counted by stock. */
export const AVAILABILITY_TAG = 'availability'

/** One product, its quantity included. */
export const productTag = (id: string) => `product:${id}`

/** The photo of one product. */
export const photoTag = (id: string) => `photo:${id}`

type Named = readonly { _id: string }[]

/** Tags of an answer that lists products. */
export const listTags = (products: Named) => [
  PRODUCTS_TAG,
  ...products.map(({ _id }) => productTag(_id)),
]

/** Tags of an answer that lists products with the names of their categories. */
export const namedListTags = (products: Named) => [CATEGORIES_TAG, ...listTags(products)]
