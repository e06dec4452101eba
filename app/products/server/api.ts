import { priceBandsOf } from '#app/settings/server/service.ts'
import { sorterOf } from '#app/settings/server/sorter.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Keep } from '#app/shared/server/domain-module.ts'
import { gone, notFound } from '#app/shared/server/failure.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Handlers, ReplyHead } from '#app/shared/server/mount.ts'
import { refuseCachingPastEnd, sliceOf } from '#app/shared/server/pagination.ts'
import { processPicture } from '#app/shared/server/pictures/process-picture.ts'
import type { Database } from '#db/schema.ts'
import type { productAdminCalls } from '../admin-contract.ts'
import {
  AVAILABILITY_TAG,
  GRID_PAGE_SIZE,
  MAX_RELATED,
  PAGE_SIZE,
  PRODUCTS_TAG,
  type productCalls,
} from '../contract.ts'
import { bandKey, type ListOrder, priceBandsFrom } from '../model.ts'
import { withDelivery } from './delivery/delivery.ts'
import { addProduct, changeProduct, removeProduct, requireEditable } from './editing.ts'
import { readFacets } from './facets/facets.ts'
import { filterOf, type ListFilter, priceRangeOf } from './list-filter.ts'
import {
  type BandCount,
  countProducts,
  countSoldOut,
  selectBandCounts,
  selectFacetCounts,
  selectListPage,
} from './list-store.ts'
import { photoHandlers } from './photos.ts'
import { presentCard, presentDetailed, presentListed, presentProduct } from './presenter.ts'
import {
  isSlugOfDeleted,
  selectCategoryBySlug,
  selectIdsByName,
  selectProductBySlug,
  selectProducts,
  selectProductsWithCategory,
  selectRelatedProducts,
} from './store.ts'
import { withLowestPrice } from './variants/shown-lowest-price.ts'

type Calls = Partial<Handlers<typeof productCalls>>

/** The database, totals that are kept until a product changes, and the counters of limits. */
type Lists = { db: Database; keep: Keep; counters: CounterStore }

/**
 * The number of products in a list: counting them costs most of a list, so it is kept. Those sold out are
 * counted anew, because a sale does not change the kept number.
 */
async function totalOf({ db, keep }: Lists, { inStock, ...filter }: ListFilter = {}) {
  const [all, soldOut] = await Promise.all([
    keep(`total ${JSON.stringify(filter)}`, [PRODUCTS_TAG], () => countProducts(db, filter)),
    inStock ? countSoldOut(db, filter) : 0,
  ])
  return Math.max(0, all - soldOut)
}

type ListRequest = { filter?: ListFilter; order?: ListOrder | undefined; page?: number | undefined }

/** The rows of a page of a list, newest first by default, and its total. */
async function selectPage(
  lists: Lists,
  { filter = {}, order = 'newest', page }: ListRequest,
  reply: ReplyHead,
) {
  const { db } = lists
  const [ids, total] = await Promise.all([
    selectListPage(db, filter, order, sliceOf(page, PAGE_SIZE)),
    totalOf(lists, filter),
  ])
  const rows = await selectProducts(db, ids)
  refuseCachingPastEnd(reply, page, rows)
  return { rows, total }
}

/** A page of whole products. */
async function listProducts(lists: Lists, wanted: ListRequest, reply: ReplyHead) {
  const { rows, total } = await selectPage(lists, wanted, reply)
  return { success: true as const, products: rows.map(presentListed), total }
}

/** A page of the admin grid, optionally of products whose names contain a text. */
async function gridPage(lists: Lists, text: string | undefined, page?: number) {
  const { db } = lists
  const slice = sliceOf(page, GRID_PAGE_SIZE)
  if (text) return selectIdsByName(db, text, slice)
  const [ids, total] = await Promise.all([selectListPage(db, {}, 'newest', slice), totalOf(lists)])
  return { ids, total }
}

const listHandlers = (lists: Lists) =>
  ({
    async countProducts() {
      return { success: true, total: await totalOf(lists) }
    },
    listProducts: ({ params, reply }) => listProducts(lists, params, reply),
    async browseProducts({ query: { page, order, ...sent }, reply }) {
      const bands =
        sent.price === undefined ? { lows: [], currency: '' } : await priceBandsOf(lists.db)
      const filter = filterOf(sent, bands)
      const { rows, total } = await selectPage(lists, { filter, order, page }, reply)
      return { success: true, products: rows.map(presentCard), total }
    },
    async filterProducts({ body: { checked = [], radio, page }, reply }) {
      const categories = checked.length > 0 ? checked : undefined
      const prices = priceRangeOf('radio', radio, await priceBandsOf(lists.db))
      return listProducts(lists, { filter: { categories, prices }, page }, reply)
    },
    async getProducts({ query: { q, page }, reply }) {
      const { ids, total } = await gridPage(lists, q?.trim(), page)
      const products = (await selectProductsWithCategory(lists.db, ids)).map(presentProduct)
      refuseCachingPastEnd(reply, page, products)
      return { success: true, message: 'All products', products, total }
    },
  }) satisfies Calls

type Bands = Parameters<typeof selectBandCounts>[1]

/** The counts of all bands, kept as totals are, and of what is sold out. Combinations of facets are not kept. */
const countBands = ({ db, keep }: Lists, bands: Bands): Promise<[BandCount[], BandCount[]]> =>
  Promise.all([
    bands.facets
      ? selectBandCounts(db, bands, 'all')
      : keep(`bands ${JSON.stringify(bands)}`, [PRODUCTS_TAG], () =>
          selectBandCounts(db, bands, 'all'),
        ),
    // a chosen facet means a variant that is in stock
    bands.facets ? [] : selectBandCounts(db, bands, 'sold out'),
  ])

/** The number of a category's products, and in each band, by its key, and in stock. */
async function summarize(lists: Lists, bands: Bands, inStock: boolean | undefined) {
  const [all, soldOut] = await countBands(lists, bands)
  const soldOutIn = new Map(soldOut.map((count) => [count.band, count]))
  const available = all.map(({ band, products, chosen }) => {
    const { products: less = 0, chosen: lessChosen = 0 } = soldOutIn.get(band) ?? {}
    return {
      band,
      products: Math.max(0, products - less),
      chosen: Math.max(0, chosen - lessChosen),
    }
  })
  const counts = inStock ? available : all
  const chosenIn = (bands: BandCount[]) => bands.reduce((total, { chosen }) => total + chosen, 0)
  const keys = priceBandsFrom(bands.lows).map(bandKey)
  const prices = counts
    .map(({ band, products }) => ({ price: keys[band] ?? '', count: products }))
    .filter(({ count }) => count > 0)
  return { total: chosenIn(counts), facets: { prices, inStock: chosenIn(available) } }
}

/** The counted facets of a list; those without a chosen one are kept until a product changes or is sold out. */
const countFacets = ({ db, keep }: Lists, others: ListFilter, facets: ListFilter['facets']) =>
  facets
    ? selectFacetCounts(db, others, facets)
    : keep(`facets ${JSON.stringify(others)}`, [PRODUCTS_TAG, AVAILABILITY_TAG], () =>
        selectFacetCounts(db, others),
      )

const selectRelatives = ({ db }: Lists, ids: { productId: string; categoryId: string }) =>
  selectRelatedProducts(db, { ...ids, limit: MAX_RELATED })

type CategoryRequest = Parameters<Handlers<typeof productCalls>['productsOfCategory']>[0]

/** The rows of a page of a category, its total and its facets. Throws `not_found`. */
async function selectCategoryPage(
  lists: Lists,
  { params, query, request, reply }: CategoryRequest,
) {
  const { db } = lists
  const category = await selectCategoryBySlug(db, params.slug)
  if (!category) throw notFound('There is no such category.')
  const { sort = 'newest', page, facets: sentFacets, ...sent } = query
  const [priceBands, { facets, isKept }, byName] = await Promise.all([
    priceBandsOf(db),
    readFacets(lists, request, sentFacets),
    sorterOf(db),
  ])
  const others = filterOf({ ...sent, category: category._id }, priceBands)
  const filter = { ...others, facets }
  const bands = { category: category._id, ...priceBands, prices: filter.prices, facets }
  const [ids, { total, facets: counts }, counted] = await Promise.all([
    selectListPage(db, filter, sort, sliceOf(page, PAGE_SIZE)),
    summarize(lists, bands, filter.inStock),
    countFacets(lists, others, facets),
  ])
  const rows = await selectProductsWithCategory(db, ids)
  refuseCachingPastEnd(reply, page, rows)
  if (!isKept) reply.header('cache-control', 'no-store')
  const shown = { ...counts, ...counted, options: byName(counted.options) }
  return { rows, category, total, facets: shown }
}

const detailHandlers = (lists: Lists) =>
  ({
    async getProduct({ params }) {
      const { db } = lists
      const product = await selectProductBySlug(db, params.slug)
      if (!product && (await isSlugOfDeleted(db, params.slug)))
        throw gone('This product is no longer sold.')
      if (!product) throw notFound('There is no such product.')
      const attributes = product.attributes && (await sorterOf(db))(product.attributes)
      const detailed = await presentDetailed({ ...product, attributes })
      const priced = await withLowestPrice(db, detailed, product.currency)
      const shown = await withDelivery(db, priced)
      return { success: true, message: 'The product', product: shown }
    },
    async relatedProducts({ params }) {
      return { success: true, products: (await selectRelatives(lists, params)).map(presentProduct) }
    },
    async similarProducts({ params }) {
      return { success: true, products: (await selectRelatives(lists, params)).map(presentCard) }
    },
    async productsOfCategory(input) {
      const { rows, ...found } = await selectCategoryPage(lists, input)
      return { success: true, products: rows.map(presentProduct), ...found }
    },
    async browseCategory(input) {
      const { rows, ...found } = await selectCategoryPage(lists, input)
      return { success: true, products: rows.map(presentCard), ...found }
    },
  }) satisfies Calls

export const productHandlers = (lists: Lists): Handlers<typeof productCalls> => ({
  ...listHandlers(lists),
  ...detailHandlers(lists),
  ...photoHandlers(lists.db),
})

/**
 * A photo is processed before the transaction opens, so that no other transaction waits for it.
 * That may take seconds, so the caller is checked again afterwards. Messages as in spec §8,
 * spelling included.
 */
export function productAdminHandlers({ db }: { db: Database }): Handlers<typeof productAdminCalls> {
  return {
    async createProduct({ body, photo: upload, clientLeft, caller, recheckCaller }) {
      const photo = upload && (await processPicture(upload, { signal: clientLeft }))
      if (photo) await recheckCaller()
      const product = await addProduct(db, admin(caller), body, photo)
      const message = 'Product Created Successfully'
      return { success: true, message, products: presentListed(product) }
    },
    async updateProduct({
      params: { id },
      body,
      photo: upload,
      clientLeft,
      caller,
      recheckCaller,
    }) {
      const { updatedAt, quantityRead, reason, ...changes } = body
      const seen = { updatedAt, quantityRead }
      await requireEditable(db, id, seen)
      const photo = upload && (await processPicture(upload, { signal: clientLeft }))
      if (photo) await recheckCaller()
      const product = await changeProduct(db, admin(caller), { id, changes, seen, reason, photo })
      const message = 'Product Updated Successfully'
      return { success: true, message, products: presentListed(product) }
    },
    async deleteProduct({ params, caller }) {
      await removeProduct(db, admin(caller), params.id)
      return { success: true, message: 'Product DEleted Succfully' }
    },
  }
}
