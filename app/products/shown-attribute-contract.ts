/** Attributes as public pages show them. */
import { type Static, Type } from 'typebox'

/** An attribute of a product as its page shows it. */
export const ShownAttribute = Type.Object({
  name: Type.String(),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  unit: Type.Optional(Type.String({ description: 'Of a number' })),
})
export type ShownAttribute = Static<typeof ShownAttribute>

/** Cache tag of the names and choices of attributes. */
export const ATTRIBUTES_TAG = 'attributes'
