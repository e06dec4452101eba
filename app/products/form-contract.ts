/** The fields of a product as a form sends them, and their limits. */
import { type Static, type TSchema, Type } from 'typebox'
import { FilledName, FilledText, GivenPrice, Id } from '../shared/contract/fields.ts'
import type { ProductDetails } from './contract.ts'

export const MAX_QUANTITY = 1_000_000
/** The characters of a reason for a change of stock. */
export const REASON_LENGTH = 200
/** The weight of the heaviest product in grams. */
export const MAX_WEIGHT_GRAMS = 10_000_000

/** The details of a product as they are sent; an empty text clears one. */
const details = {
  weightGrams: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: MAX_WEIGHT_GRAMS }), Type.Literal('')]),
  ),
  taxClass: Type.Optional(Type.Union([Id, Type.Enum([''])])),
} satisfies Record<keyof ProductDetails, TSchema>

/** The fields of the product form; `photo` is a file beside them. */
export const ProductForm = Type.Object({
  name: FilledName(200),
  description: FilledText(10_000),
  price: GivenPrice,
  quantity: Type.Integer({ minimum: 0, maximum: MAX_QUANTITY }),
  category: Id,
  /** 0 is No, 1 is Yes (spec §9). */
  shipping: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
  ...details,
})
export type ProductForm = Static<typeof ProductForm>
