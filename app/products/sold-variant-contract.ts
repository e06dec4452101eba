/** Options and variants as the page of a product has them. */
import { type Static, Type } from 'typebox'
import { Id, Price } from '../shared/contract/fields.ts'

/** An option that a product is sold in. */
export const SoldOption = Type.Object({
  name: Type.String(),
  values: Type.Array(Type.Object({ name: Type.String(), swatch: Type.Optional(Type.String()) })),
})

export const LowestPrice = Type.Optional({
  ...Price,
  description: 'The lowest one of the thirty days before its sale, where the shop shows it',
})

/** A variant of a product with options. */
export const SoldVariant = Type.Object({
  _id: Id,
  values: Type.Array(Type.Integer(), {
    description: 'The places of its values among those of each option, from 0',
  }),
  price: Price,
  compareAt: Type.Optional({ ...Price, description: 'The price before a reduction' }),
  lowestPrice: LowestPrice,
  quantity: Type.Integer(),
  photo: Type.Optional(
    Type.Integer({ description: 'The place of its photo in photos, from 0; absent for the first' }),
  ),
  isListed: Type.Optional(
    Type.Boolean({ description: 'The id of the product buys it; otherwise absent' }),
  ),
})
export type SoldVariant = Static<typeof SoldVariant>
