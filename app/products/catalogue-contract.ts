/** The back office's list of products: filters, changes of many products, and the history of stock. */
import { type Static, Type } from 'typebox'
import { Category } from '../categories/contract.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import type { FieldProblem } from '../shared/contract/failure.ts'
import {
  Done,
  Id,
  Nullable,
  Page,
  Price,
  SearchText,
  SelectionOf,
  Slug,
  Text,
  Timestamp,
} from '../shared/contract/fields.ts'
import { MAX_QUANTITY, REASON_LENGTH } from './form-contract.ts'
import { PRODUCT_STATUSES } from './publication-contract.ts'

/** The characters of a description that the list has (spec §9), and one more, so that it is seen to be cut. */
export const LISTED_DESCRIPTION = 81

/** Low: from 1 up to the low stock of the settings. */
export const STOCK_LEVELS = ['in', 'low', 'out'] as const
export type StockLevel = (typeof STOCK_LEVELS)[number]

const ProductFilter = Type.Object({
  q: SearchText('Part of the name; finds the newest thousand'),
  category: Type.Optional(Id),
  stock: Type.Optional(Type.Enum([...STOCK_LEVELS])),
  status: Type.Optional(Type.Enum([...PRODUCT_STATUSES])),
})
export type ProductFilter = Static<typeof ProductFilter>

export const PRODUCT_SORTS = ['created', 'name', 'price', 'quantity', 'category'] as const
export type ProductSort = (typeof PRODUCT_SORTS)[number] | `-${(typeof PRODUCT_SORTS)[number]}`
const SORTS = PRODUCT_SORTS.flatMap((sort): ProductSort[] => [sort, `-${sort}`])

export const CatalogueEntry = Type.Object({
  _id: Id,
  name: Type.String(),
  slug: Slug,
  description: Type.String({ description: 'Its beginning' }),
  price: { ...Price, description: 'With options that of its listed variant' },
  regularPrice: Type.Optional({ ...Price, description: 'While a sale runs: the price after it' }),
  highestPrice: Type.Optional({
    ...Price,
    description: 'That of its dearest variant, with options',
  }),
  quantity: Type.Integer(),
  quantityOfAll: Type.Optional(
    Type.Integer({ description: 'The stock of all variants, where it has options' }),
  ),
  stock: Type.Enum([...STOCK_LEVELS], { description: 'That of the variant that has the least' }),
  isStockOfVariant: Type.Boolean({ description: 'The listed variant, with `quantity`, has more' }),
  status: Type.Enum([...PRODUCT_STATUSES]),
  category: Category,
  photo: Nullable(Type.String({ description: "The photo's version" })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type CatalogueEntry = Static<typeof CatalogueEntry>

/** The ids that a selection may list. A filter may select more. */
const MAX_LISTED = 1000
/** The products that one call changes. */
export const MAX_CHANGED = 10_000

const Selection = SelectionOf(ProductFilter, MAX_LISTED)
export type Selection = Static<typeof Selection>

/** The endings to which changed prices are rounded. */
export const PRICE_ENDINGS = ['.00', '.90', '.99'] as const

/** A change of many products: one of these, a change of prices with an ending. */
const BulkChange = Type.Object(
  {
    pricePercent: Type.Optional(Type.Number({ minimum: -100, maximum: 1000, maxDecimals: 2 })),
    priceAmount: Type.Optional(Type.Number()),
    priceEnding: Type.Optional(
      Type.Enum([...PRICE_ENDINGS], {
        description: 'Changed prices are rounded to the nearest one that ends so',
      }),
    ),
    category: Type.Optional(Id),
    quantity: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_QUANTITY })),
    quantityAdded: Type.Optional(Type.Integer({ minimum: -MAX_QUANTITY, maximum: MAX_QUANTITY })),
    status: Type.Optional(Type.Enum([...PRODUCT_STATUSES])),
    isDeleted: Type.Optional(Type.Literal(true)),
  },
  { minProperties: 1, maxProperties: 2, additionalProperties: false },
)
export type BulkChange = Static<typeof BulkChange>

/** An ending goes with a change of prices, and nothing else goes with another. */
function changeProblems({ change }: { change?: unknown }): FieldProblem[] {
  const { priceEnding, ...changes }: BulkChange = Object(change)
  const isOfPrices = changes.pricePercent !== undefined || changes.priceAmount !== undefined
  if (Object.keys(changes).length === 1 && (isOfPrices || priceEnding === undefined)) return []
  return [{ field: 'change', message: 'Send one change; an ending goes with a change of prices.' }]
}

/** A price in major units, a quantity, or the name of a category; null where there is none any more. */
const BulkValue = Type.Union([Type.Number(), Type.String(), Type.Null()])

const BulkResult = Type.Object({
  ...Done.properties,
  changed: Type.Integer({
    description: 'The products that are changed, also before it was sent again, or would be',
  }),
  refused: Type.Integer({
    description: 'The products left out, because their value would be out of range',
  }),
  preview: Type.Array(
    Type.Object({
      _id: Id,
      name: Type.String(),
      before: BulkValue,
      after: BulkValue,
      isRefused: Type.Boolean(),
    }),
    { description: 'Of a dry run the first twenty, those left out first' },
  ),
})
export type BulkResult = Static<typeof BulkResult>

const ChangeId = { ...Id, description: 'Of a change of many products; the client makes it' }

export const StockEntry = Type.Object({
  _id: Type.String(),
  at: Timestamp,
  kind: Type.Enum(['created', 'edit', 'removed', 'sale', 'return']),
  variant: Nullable(
    Type.String({
      description: "Its values; null without options, and of an edit of the product's own stock",
    }),
  ),
  change: Type.Integer({ description: 'Pieces that came in; negative for those that went out' }),
  quantity: Nullable(Type.Integer({ description: 'After an edit' })),
  reason: Nullable(Type.String()),
  author: Nullable(Type.String({ description: 'Of an edit: the name of the admin' })),
  order: Nullable(Type.Object({ _id: Id, number: Type.Integer() })),
})
export type StockEntry = Static<typeof StockEntry>

export const catalogueCalls = {
  listCatalogue: endpoint({
    method: 'GET',
    path: '/product/all-products',
    access: 'admin',
    summary: 'A page of fifty products, newest first; the total is in X-Total-Count',
    query: Type.Object({
      page: Type.Optional(Page),
      ...ProductFilter.properties,
      sort: Type.Optional(Type.Enum(SORTS)),
    }),
    answer: Type.Array(CatalogueEntry),
  }),
  changeProducts: endpoint({
    method: 'POST',
    path: '/product/change-products',
    access: 'admin',
    summary: 'Changes a selection of products, or with dryRun says what would change',
    body: Type.Object({
      changeId: ChangeId,
      selection: Selection,
      change: BulkChange,
      reason: Type.Optional(Text({ maxLength: REASON_LENGTH })),
      dryRun: Type.Optional(Type.Boolean()),
    }),
    rules: changeProblems,
    answer: BulkResult,
  }),
  undoChange: endpoint({
    method: 'POST',
    path: '/product/undo-change',
    access: 'admin',
    summary: 'Undoes a change of many products where nobody has changed the same since',
    body: Type.Object({ changeId: ChangeId }),
    answer: Type.Object({
      ...Done.properties,
      undone: Type.Integer(),
      kept: Type.Integer({ description: 'The products that were changed or deleted since' }),
    }),
  }),
  getStockHistory: endpoint({
    method: 'GET',
    path: '/product/stock-history/:id',
    access: 'admin',
    summary: 'Edits, sales and returns of a product, newest first; the total is in X-Total-Count',
    params: Type.Object({ id: Id }),
    query: Type.Object({ page: Type.Optional(Page) }),
    answer: Type.Array(StockEntry),
  }),
} satisfies Contract
