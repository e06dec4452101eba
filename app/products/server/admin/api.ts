import {
  type BulkResult,
  type catalogueCalls,
  LISTED_DESCRIPTION,
  type ProductFilter,
  type StockLevel,
} from '#app/products/catalogue-contract.ts'
import { PRODUCTS_TAG } from '#app/products/contract.ts'
import type { ProductStatus } from '#app/products/publication-contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Keep } from '#app/shared/server/domain-module.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { plainText } from '../description.ts'
import { presentProduct } from '../presenter.ts'
import { type ProductRow, selectEdition } from '../store.ts'
import { changeMany, previewChange, undoMany } from './bulk.ts'
import { countMatching, selectCatalogue } from './list-store.ts'
import { countStockHistory, selectStockHistory } from './stock-history-store.ts'

type Lists = { db: Database; keep: Keep }

/** `stock` is the level of the variant that has the least. */
type Listed = ProductRow & {
  status: ProductStatus
  has_options: boolean
  regular_price_minor: number
  stock: StockLevel
  stock_of_listed: StockLevel
  quantity_of_all: number
  highest_price_minor: number
}

function presentEntry(row: Listed) {
  const { shipping: _, ...product } = presentProduct(row)
  return {
    ...product,
    description: firstCharacters(plainText(product.description), LISTED_DESCRIPTION),
    ...(row.regular_price_minor !== row.price_minor && {
      regularPrice: toMajor(row.regular_price_minor, row.currency),
    }),
    ...(row.has_options && {
      quantityOfAll: row.quantity_of_all,
      highestPrice: toMajor(row.highest_price_minor, row.currency),
    }),
    stock: row.stock,
    isStockOfVariant: row.stock !== row.stock_of_listed,
    status: row.status,
  }
}

/**
 * The number of products of a list. Of a category, and of all, it is kept until a product is edited; those sold
 * out are few, and are counted anew.
 */
async function totalOf({ db, keep }: Lists, { q, ...filter }: ProductFilter): Promise<number> {
  if (q || filter.stock === 'low' || filter.stock === 'out')
    return countMatching(db, { q, ...filter })
  const { stock, ...all } = filter
  const [total, soldOut] = await Promise.all([
    keep(`catalogue ${all.category ?? ''} ${all.status ?? ''}`, [PRODUCTS_TAG], () =>
      countMatching(db, all),
    ),
    stock ? countMatching(db, { ...all, stock: 'out' }) : 0,
  ])
  return Math.max(0, total - soldOut)
}

const counted = (count: number) =>
  count === 1 ? '1 product' : `${count.toLocaleString('en-US')} products`

const leftOut = (count: number, [one, many]: [string, string]) =>
  count === 0
    ? ''
    : ` ${counted(count)} ${count === 1 ? `is left out: ${one}` : `are left out: ${many}`}.`

/** The sentences about a change, or about what it would do. */
function describe({ changed, refused }: Pick<BulkResult, 'changed' | 'refused'>, done: string) {
  const what = changed === 0 ? `No product ${done}.` : `${counted(changed)} ${done}.`
  return (
    what +
    leftOut(refused, ['its value would be out of range', 'their values would be out of range'])
  )
}

/** The products that a sentence names. */
const NAMED = 5

const listOf = new Intl.ListFormat('en-GB')

function describeUndo(undone: number, left: { name: string | null }[]): string {
  if (undone + left.length === 0) return 'There is nothing to undo.'
  const back = `${undone === 0 ? 'No product' : counted(undone)} changed back.`
  if (left.length === 0) return back
  const names = left.slice(0, NAMED).map(({ name }) => name ?? 'a deleted product')
  const more = left.length - names.length
  const named = listOf.format([...names, ...(more > 0 ? [`${more} more`] : [])])
  return left.length === 1
    ? `${back} 1 product was changed since, and stays as it is: ${named}.`
    : `${back} ${counted(left.length)} were changed since, and stay as they are: ${named}.`
}

export const catalogueHandlers = ({ db, keep }: Lists): Handlers<typeof catalogueCalls> => ({
  async listCatalogue({ query: { page, sort = '-created', ...filter }, request, reply }) {
    const { products, matches } = await selectCatalogue(db, filter, sort, sliceOf(page))
    const total = matches ?? (await totalOf({ db, keep }, filter))
    setPagingHeaders(request, reply, { page, total })
    return products.map(presentEntry)
  },
  async changeProducts({ body: { dryRun, ...many }, caller }) {
    if (dryRun) {
      const effects = await previewChange(db, many)
      const message = describe(effects, many.change.isDeleted ? 'would be deleted' : 'would change')
      return { success: true, message, ...effects }
    }
    const effects = await changeMany(db, admin(caller), many)
    const message = describe(effects, many.change.isDeleted ? 'deleted' : 'changed')
    return { success: true, message, ...effects }
  },
  async undoChange({ body: { changeId }, caller }) {
    const { undone, left } = await undoMany(db, admin(caller), changeId)
    return { success: true, message: describeUndo(undone, left), undone, kept: left.length }
  },
  async getStockHistory({ params: { id }, query: { page }, request, reply }) {
    const [entries, total, product] = await Promise.all([
      selectStockHistory(db, id, sliceOf(page)),
      countStockHistory(db, id),
      selectEdition(db, id),
    ])
    if (!product) throw notFound('There is no such product.')
    setPagingHeaders(request, reply, { page, total })
    return entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }))
  },
})
