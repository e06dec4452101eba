/** Search: results with filters and sorting, and suggestions while typing. */
import { type Static, Type } from 'typebox'
import { CATEGORIES_TAG, Category } from '../categories/contract.ts'
import { SETTINGS_TAG } from '../settings/contract.ts'
import { type Contract, cachedEndpoint, type Limit } from '../shared/contract/endpoint.ts'
import { Nullable, PageQuery, Price, Slug, stripped, Text } from '../shared/contract/fields.ts'
import {
  AVAILABILITY_TAG,
  CategoryIds,
  ListedProduct,
  listTags,
  Narrowing,
  PRODUCTS_TAG,
  PriceFacets,
  ProductCard,
} from './contract.ts'
import { FacetCounts, FacetsQuery } from './facet-contract.ts'
import { MAX_SEARCHED_CATEGORIES, SEARCH_ORDERS } from './model.ts'

/** Filters and sorting of a search. */
const SearchNarrowing = {
  category: Type.Optional(CategoryIds(MAX_SEARCHED_CATEGORIES)),
  ...Narrowing,
  ...FacetsQuery,
  sort: Type.Optional(Type.Enum([...SEARCH_ORDERS])),
}

const Keyword = stripped('words', Text({ maxLength: 20_000 }))

const FoundShop = Type.Object({
  success: Type.Literal(true),
  products: Type.Array(ProductCard),
  total: Type.Integer({ description: 'The number of results, a thousand at most' }),
  isCut: Type.Boolean({ description: 'Whether there are more results than the total' }),
  facets: Type.Object({
    categories: Type.Array(Type.Object({ ...Category.properties, count: Type.Integer() })),
    prices: PriceFacets,
    options: FacetCounts,
    areCut: Type.Boolean({ description: 'Whether there are more results than were counted' }),
  }),
  corrections: Type.Array(
    Type.Object(
      { typed: Type.String(), meant: Type.String() },
      { description: 'Misspelled words with their corrections' },
    ),
  ),
  corrected: Nullable(Type.String({ description: 'The keyword with these corrections' })),
})
export type FoundShop = Static<typeof FoundShop>

const Suggestions = Type.Object({
  success: Type.Literal(true),
  phrases: Type.Array(Type.String()),
  products: Type.Array(Type.Object({ name: Type.String(), slug: Slug, price: Price })),
  categories: Type.Array(Category),
})
export type Suggestions = Static<typeof Suggestions>

/** The number of characters of a typed text that are read. */
export const MAX_SUGGESTED = 200

/** Only a search filtered by stock changes when a product sells out. */
const searchTags = (
  products: readonly { _id: string }[],
  { query: { stock, facets } }: { query: { stock?: 'in'; facets?: string } },
) => [
  // products are found by the name of their category
  CATEGORIES_TAG,
  ...(stock === 'in' || facets ? [AVAILABILITY_TAG] : []),
  ...listTags(products),
]

const shopTags = ({ products }: FoundShop, input: Parameters<typeof searchTags>[1]) => [
  AVAILABILITY_TAG,
  ...searchTags(products, input),
]

/**
 * The limit of searches of which no word is known, so that names are compared: of all calls of a search
 * together, besides their own limits.
 */
export const SIMILAR_LIMITS: readonly Limit[] = [{ by: 'address', max: 60, seconds: 60 }]

export const searchCalls = {
  searchProducts: cachedEndpoint(searchTags, {
    method: 'GET',
    path: '/product/search/:keyword',
    access: 'public',
    cost: 'search',
    summary: 'A page of twelve products that match, best first; the total is in X-Total-Count',
    limits: [{ by: 'address', max: 300, seconds: 60 }],
    params: Type.Object({ keyword: Keyword }),
    query: Type.Object({ ...PageQuery.properties, ...SearchNarrowing }),
    answer: Type.Array(ListedProduct),
  }),
  searchShop: cachedEndpoint(shopTags, {
    method: 'GET',
    path: '/product/search-results',
    access: 'public',
    cost: 'search',
    summary: 'The same page with its total, counts by category and price, and corrections',
    limits: [{ by: 'address', max: 300, seconds: 60 }],
    query: Type.Object({ keyword: Keyword, ...PageQuery.properties, ...SearchNarrowing }),
    answer: FoundShop,
  }),
  suggest: cachedEndpoint(() => [PRODUCTS_TAG, CATEGORIES_TAG, SETTINGS_TAG], {
    method: 'GET',
    path: '/product/suggest',
    access: 'public',
    cost: 'search',
    summary: 'Phrases, products and categories that a text may become while it is typed',
    limits: [{ by: 'address', max: 600, seconds: 60 }],
    query: Type.Object({ q: stripped('words', Text({ maxLength: MAX_SUGGESTED })) }),
    answer: Suggestions,
  }),
} satisfies Contract
