/** Cache tags of products. */
import { CATEGORIES_TAG } from '../categories/contract.ts'

/** The set of products and their order: lists, counts and searches. */
export const PRODUCTS_TAG = 'products'

/** Availability: lists filtered or counted by stock. */
export const AVAILABILITY_TAG = 'availability'

/** One product, including its quantity. */
export const productTag = (id: string) => `product:${id}`

/** The photo of one product. */
export const photoTag = (id: string) => `photo:${id}`

type Named = readonly { _id: string }[]

/** Tags of an answer that lists products. */
export const listTags = (products: Named) => [
  PRODUCTS_TAG,
  ...products.map(({ _id }) => productTag(_id)),
]

/** Tags of an answer that lists products with their category names. */
export const namedListTags = (products: Named) => [CATEGORIES_TAG, ...listTags(products)]
