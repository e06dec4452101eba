/** Products: lists, filters, search and product pages. */

import { type Static, Type } from 'typebox'
import { href } from '#app/shared/model/href.ts'
import { CATEGORIES_TAG, Category } from '../categories/contract.ts'
import { SETTINGS_TAG, TextNodes } from '../settings/contract.ts'
import { API_PREFIX, type Contract, cachedEndpoint, endpoint } from '../shared/contract/endpoint.ts'
import {
  Done,
  Id,
  Nullable,
  Page,
  PageQuery,
  Price,
  SearchText,
  Slug,
  Text,
  Timestamp,
} from '../shared/contract/fields.ts'
import type { PHOTO_WIDTHS } from '../shared/model/photo.ts'
import { DeliveryDays, SHIPPING_TAG } from '../shipping/contract.ts'
import { FacetCounts, FacetsQuery } from './facet-contract.ts'
import { BAND_KEY, LIST_ORDERS, MAX_CATEGORIES } from './model.ts'
import { ATTRIBUTES_TAG, ShownAttribute } from './shown-attribute-contract.ts'
import { LowestPrice, SoldOption, SoldVariant } from './sold-variant-contract.ts'

export const PAGE_SIZE = 12
/** Page size of get-product, the admin grid's call. */
export const GRID_PAGE_SIZE = 24
export const MAX_RELATED = 4
/** The characters of a summary: the longest text that a card or a row shows. */
export const SUMMARY_LENGTH = 80

const ID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** Category ids, separated by commas. */
export const CategoryIds = (maxItems: number) =>
  Type.String({
    pattern: `^${ID}(?:,${ID}){0,${maxItems - 1}}$`,
    description: 'Category ids, separated by commas',
  })

/** Filters of a list. */
export const Narrowing = {
  price: Type.Optional(Type.String({ pattern: BAND_KEY, description: 'A price band: 20-39' })),
  stock: Type.Optional(Type.Enum(['in'], { description: 'Only what is in stock' })),
}

/** The number of products in each price band. */
export const PriceFacets = Type.Array(Type.Object({ price: Type.String(), count: Type.Integer() }))

/** The path of a product's page. */
export const productPath = ({ slug }: { slug: string }) => href('/product/:slug', { slug })

/** The id of the part of a product's page where a variant is chosen. */
export const CHOICE_ID = 'choose'

/** The path of a product's edit page. */
export const editPath = ({ slug }: { slug: string }) =>
  href('/dashboard/admin/product/:slug', { slug })

/** The URL of a product's photo; with its version, browsers may cache it forever. */
export const photoUrl = (
  { _id, photo }: { _id: string; photo?: string | null },
  width: (typeof PHOTO_WIDTHS)[number],
) => `${API_PREFIX}/product/product-photo/${_id}?w=${width}${photo ? `&v=${photo}` : ''}`

/** A photo of a product. */
export const ShownPhoto = Type.Object({
  _id: { ...Id, description: 'product-photo takes it, too' },
  photo: Type.String({ description: "The photo's version" }),
  alt: Type.Optional(Type.String({ description: 'Its alternative text, where it has one' })),
})
export type ShownPhoto = Static<typeof ShownPhoto>

const facts = {
  _id: Id,
  name: Type.String(),
  slug: Type.String(),
  price: { ...Price, description: 'With options that of its listed variant' },
  compareAt: Type.Optional({ ...Price, description: 'The price before a reduction' }),
  quantity: Type.Integer({ description: 'May lag a sale by up to two seconds' }),
  shipping: Type.Union([Type.Literal(0), Type.Literal(1)]),
  photo: Nullable(Type.String({ description: "The photo's version" })),
  secondPhoto: Type.Optional(Type.Object({ _id: Id, photo: Type.String() })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

const whole = {
  ...facts,
  description: Type.String({ description: 'As it is stored: Markdown' }),
}

/** A product on a card of the shop's own pages. */
export const ProductCard = Type.Object({
  ...facts,
  summary: Type.String({
    description: `The first ${SUMMARY_LENGTH} characters of the description as plain text`,
  }),
  category: Id,
  choices: Type.Optional(
    Type.Object(
      {
        text: Type.String({ description: 'In words: in 3 sizes and 2 colours' }),
        from: Type.Optional(
          Type.Literal('from', { description: 'Before the price, where others cost more' }),
        ),
        inStock: Type.Boolean({ description: 'Whether any of its variants is' }),
      },
      { description: 'What there is to choose, with options' },
    ),
  ),
})
export type ProductCard = Static<typeof ProductCard>

/** A product in a list. */
export const ListedProduct = Type.Object({ ...whole, category: Id })
export type ListedProduct = Static<typeof ListedProduct>

/** A product with its category. */
export const Product = Type.Object({ ...whole, category: Category })
export type Product = Static<typeof Product>

/** Fields that only a product's own page, its edit form, feeds and CSV have. Each may be empty. */
export const ProductDetails = Type.Object({
  weightGrams: Type.Optional(Type.Integer({ description: 'Of one piece, when it is known' })),
  taxClass: Type.Optional({ ...Id, description: 'Its tax class; absent for Standard' }),
})
export type ProductDetails = Static<typeof ProductDetails>

/** A product as its own page has it. */
export const DetailedProduct = Type.Object({
  ...Product.properties,
  ...ProductDetails.properties,
  lowestPrice: LowestPrice,
  attributes: Type.Optional(
    Type.Array(ShownAttribute, { description: 'Facts about it, by name, where it has any' }),
  ),
  photos: Type.Optional(
    Type.Array(ShownPhoto, { description: 'In their order, where it has any' }),
  ),
  delivery: Type.Optional(
    Type.Object(
      {
        country: Type.String(),
        price: { ...Price, description: 'The least for one piece, as carts have it; 0: free' },
        days: Type.Optional(DeliveryDays),
        text: Type.String({ description: 'In words, as the page of the product has it' }),
      },
      { description: "To the shop's country, where it is shipped and a zone has the country" },
    ),
  ),
  options: Type.Optional(Type.Array(SoldOption, { description: 'Absent without any' })),
  variants: Type.Optional(Type.Array(SoldVariant, { description: 'With options: all of them' })),
  formatted: Type.Optional(
    Type.Object(
      { nodes: TextNodes, plain: Type.String() },
      { description: 'The description where it has Markdown: its elements, and without its marks' },
    ),
  ),
})
export type DetailedProduct = Static<typeof DetailedProduct>

/** Cache tag of the set of products and their order: lists, counts and searches. */
export const PRODUCTS_TAG = 'products'

/** Cache tag of availability: lists filtered or counted by stock. */
export const AVAILABILITY_TAG = 'availability'

/** Cache tag of one product, including its quantity. */
export const productTag = (id: string) => `product:${id}`

/** Cache tag of the photo of one product. */
export const photoTag = (id: string) => `photo:${id}`

type Named = readonly { _id: string }[]

/** Tags of an answer that lists products: their prices are in the currency of the settings. */
export const listTags = (products: Named) => [
  SETTINGS_TAG,
  PRODUCTS_TAG,
  ...products.map(({ _id }) => productTag(_id)),
]

/** Tags of an answer that lists products with their category names. */
export const namedListTags = (products: Named) => [CATEGORIES_TAG, ...listTags(products)]

const listing = {
  success: Type.Literal(true),
  products: Type.Array(ListedProduct),
  total: Type.Integer(),
}

const cards = { success: Type.Literal(true), products: Type.Array(ProductCard) }

const relatives = Type.Object({ productId: Id, categoryId: Id })

const categoryQuery = Type.Object({
  ...PageQuery.properties,
  ...Narrowing,
  ...FacetsQuery,
  sort: Type.Optional(Type.Enum([...LIST_ORDERS])),
})

const ofCategory = {
  category: Category,
  total: Type.Integer(),
  facets: Type.Object({
    prices: PriceFacets,
    inStock: Type.Integer({ description: 'How many are in stock' }),
    options: FacetCounts,
    areCut: Type.Boolean({
      description: 'Whether more products have options than were counted',
    }),
  }),
}

const categoryTags = ({ products }: { products: Named }) => [
  AVAILABILITY_TAG,
  ...namedListTags(products),
]

export const productCalls = {
  countProducts: cachedEndpoint(() => [PRODUCTS_TAG], {
    method: 'GET',
    path: '/product/product-count',
    access: 'public',
    summary: 'How many products there are',
    answer: Type.Object({ success: Type.Literal(true), total: Type.Integer() }),
  }),
  listProducts: cachedEndpoint(({ products }) => listTags(products), {
    method: 'GET',
    path: '/product/product-list/:page',
    access: 'public',
    summary: 'A page of twelve products, newest first',
    params: Type.Object({ page: Page }),
    answer: Type.Object(listing),
  }),
  browseProducts: cachedEndpoint(
    ({ products }, { query: { stock } }) => [
      ...(stock === undefined ? [] : [AVAILABILITY_TAG]),
      ...listTags(products),
    ],
    {
      method: 'GET',
      path: '/product/products',
      access: 'public',
      summary: 'A page of twelve products by categories, price band and stock, in an order',
      query: Type.Object({
        category: Type.Optional(CategoryIds(MAX_CATEGORIES)),
        ...Narrowing,
        order: Type.Optional(Type.Enum([...LIST_ORDERS])),
        ...PageQuery.properties,
      }),
      answer: Type.Object({ ...cards, total: Type.Integer() }),
    },
  ),
  filterProducts: endpoint({
    method: 'POST',
    path: '/product/product-filters',
    access: 'public',
    cost: 'read',
    summary: 'The same list by categories and price range, newest first',
    body: Type.Object({
      checked: Type.Optional(Type.Array(Id, { maxItems: 1000, description: 'Category ids' })),
      radio: Type.Optional(
        Type.Array(Type.Number({ minimum: 0, maximum: 1e9 }), {
          maxItems: 2,
          description: 'Empty, or lowest and highest price',
        }),
      ),
      page: Type.Optional(Page),
    }),
    answer: Type.Object(listing),
  }),
  getProducts: cachedEndpoint(({ products }) => namedListTags(products), {
    method: 'GET',
    path: '/product/get-product',
    access: 'public',
    summary: 'A page of 24 products, newest first',
    query: Type.Object({
      page: Type.Optional(Page),
      q: SearchText('Part of the name; finds the newest thousand'),
    }),
    answer: Type.Object({
      ...Done.properties,
      products: Type.Array(Product),
      total: Type.Integer(),
    }),
  }),
  getProduct: cachedEndpoint(
    ({ product }) => [
      CATEGORIES_TAG,
      SETTINGS_TAG,
      ...(product.attributes ? [ATTRIBUTES_TAG] : []),
      productTag(product._id),
      ...(product.shipping === 1 ? [SHIPPING_TAG] : []),
    ],
    {
      method: 'GET',
      path: '/product/get-product/:slug',
      access: 'public',
      summary: 'A product by its present or a former slug',
      params: Type.Object({ slug: Slug }),
      answer: Type.Object({ ...Done.properties, product: DetailedProduct }),
    },
  ),
  relatedProducts: cachedEndpoint(({ products }) => namedListTags(products), {
    method: 'GET',
    path: '/product/related-product/:productId/:categoryId',
    access: 'public',
    summary: 'Up to four other products of the category',
    params: relatives,
    answer: Type.Object({ success: Type.Literal(true), products: Type.Array(Product) }),
  }),
  similarProducts: cachedEndpoint(({ products }) => namedListTags(products), {
    method: 'GET',
    path: '/product/similar-products/:productId/:categoryId',
    access: 'public',
    summary: 'The same products as cards',
    params: relatives,
    answer: Type.Object(cards),
  }),
  productsOfCategory: cachedEndpoint(categoryTags, {
    method: 'GET',
    path: '/product/product-category/:slug',
    access: 'public',
    summary: "A page of a category's products",
    params: Type.Object({ slug: Slug }),
    query: categoryQuery,
    answer: Type.Object({
      success: Type.Literal(true),
      products: Type.Array(Product),
      ...ofCategory,
    }),
  }),
  browseCategory: cachedEndpoint(categoryTags, {
    method: 'GET',
    path: '/product/category-products/:slug',
    access: 'public',
    summary: 'The same page as cards',
    params: Type.Object({ slug: Slug }),
    query: categoryQuery,
    answer: Type.Object({ ...cards, ...ofCategory }),
  }),
  productPhoto: cachedEndpoint((_photo, { params }) => [photoTag(params.id.toLowerCase())], {
    method: 'GET',
    path: '/product/product-photo/:id',
    access: 'public',
    cost: 'photo',
    summary: "A product's photo as AVIF, WebP or JPEG",
    params: Type.Object({ id: Id }),
    query: Type.Object({
      w: Type.Optional(Type.Number({ description: 'Least width in pixels' })),
      v: Type.Optional(Text({ maxLength: 200, description: 'Version of the photo' })),
    }),
    answer: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
  }),
} satisfies Contract
