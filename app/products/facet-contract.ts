/** Facets: the options of variants by which lists are narrowed. */
import { type Static, Type } from 'typebox'
import { Text } from '../shared/contract/fields.ts'

/** The facets that lists are narrowed by. */
export const FacetsQuery = {
  facets: Type.Optional(
    Text({
      maxLength: 24_000,
      description:
        'Keys of facets, each percent-encoded, separated by commas; unknown ones are ignored. One variant in stock has one of each group',
    }),
  ),
}

/** The number of products with each option's value, with the chosen facets of the other options. */
export const FacetCounts = Type.Array(
  Type.Object({
    key: Type.String(),
    name: Type.String(),
    value: Type.String(),
    swatch: Type.Union([Type.String(), Type.Null()]),
    count: Type.Integer(),
  }),
)
export type FacetCounts = Static<typeof FacetCounts>
