import { notFound } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, refuseCachingPastEnd } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { bandKey, GRID_PAGE_SIZE, MOST_RELATED, PAGE_SIZE, type productCalls } from '../contract.ts'
import {
  type BandCount,
  countProducts,
  type ListFilter,
  selectBandCounts,
  selectListPage,
} from './list-store.ts'
import { bestFormat, photosOf, storedWidth } from './photos/photos.ts'
import { presentDetailed, presentListed, presentProduct } from './presenter.ts'
import { bandOfKey, priceRangeOf, rangeOfBand } from './price-range.ts'
import {
  selectCategoryBySlug,
  selectIdsByName,
  selectProductBySlug,
  selectProductsWithCategory,
  selectRelatedProducts,
} from './store.ts'

const sliceOf = (page = 1, size = PAGE_SIZE) => ({ limit: size, offset: offsetOf(page, size) })

type Calls<Name extends keyof typeof productCalls> = Pick<Handlers<typeof productCalls>, Name>

/** A page of a list, newest first, and the total. */
async function newestProducts(db: Database, filter: ListFilter, page?: number, size = PAGE_SIZE) {
  const [rows, total] = await Promise.all([
    selectListPage(db, filter, 'newest', sliceOf(page, size)),
    countProducts(db, filter),
  ])
  return { rows, total }
}

/** A page of the admin grid, optionally of products whose names contain a text. */
async function gridProducts(db: Database, text: string | undefined, page?: number) {
  if (!text) return newestProducts(db, {}, page, GRID_PAGE_SIZE)
  const { ids, total } = await selectIdsByName(db, text, sliceOf(page, GRID_PAGE_SIZE))
  return { rows: await selectProductsWithCategory(db, ids), total }
}

const listHandlers = (
  db: Database,
): Calls<'countProducts' | 'listProducts' | 'filterProducts' | 'getProducts'> => ({
  async countProducts() {
    return { success: true, total: await countProducts(db) }
  },
  async listProducts({ params, reply }) {
    const { rows, total } = await newestProducts(db, {}, params.page)
    refuseCachingPastEnd(reply, params.page, rows)
    return { success: true, products: rows.map(presentListed), total }
  },
  async filterProducts({ body: { checked = [], radio, page } }) {
    const categories = checked.length > 0 ? checked : undefined
    const filter = { categories, prices: priceRangeOf(radio) }
    const { rows, total } = await newestProducts(db, filter, page)
    return { success: true, products: rows.map(presentListed), total }
  },
  async getProducts({ query: { q, page }, reply }) {
    const { rows, total } = await gridProducts(db, q?.trim(), page)
    refuseCachingPastEnd(reply, page, rows)
    return { success: true, message: 'All products', products: rows.map(presentProduct), total }
  },
})

/**
 * The number of a category's products in a band, or in all bands; the number in each band, and in
 * stock.
 */
function summarize(counts: BandCount[], band: number | undefined, onlyInStock: boolean) {
  const membersOf = ({ products, inStock }: BandCount) => (onlyInStock ? inStock : products)
  const chosen = counts.filter((count) => band === undefined || count.band === band)
  return {
    total: chosen.reduce((sum, count) => sum + membersOf(count), 0),
    facets: {
      prices: counts
        .map((count) => ({ price: bandKey(count.band), count: membersOf(count) }))
        .filter(({ count }) => count > 0),
      inStock: chosen.reduce((sum, { inStock }) => sum + inStock, 0),
    },
  }
}

const detailHandlers = (
  db: Database,
): Calls<'getProduct' | 'relatedProducts' | 'productsOfCategory'> => ({
  async getProduct({ params }) {
    const product = await selectProductBySlug(db, params.slug)
    if (!product) throw notFound('There is no such product.')
    return { success: true, message: 'The product', product: presentDetailed(product) }
  },
  async relatedProducts({ params }) {
    const rows = await selectRelatedProducts(db, { ...params, limit: MOST_RELATED })
    return { success: true, products: rows.map(presentProduct) }
  },
  async productsOfCategory({ params, query, reply }) {
    const found = await selectCategoryBySlug(db, params.slug)
    if (!found) throw notFound('There is no such category.')
    const { id, name, slug } = found
    const { price, stock, sort = 'newest', page } = query
    const band = bandOfKey(price)
    const inStock = stock === 'in'
    const filter = { categories: [id], prices: rangeOfBand(band), inStock }
    const [rows, counts] = await Promise.all([
      selectListPage(db, filter, sort, sliceOf(page)),
      selectBandCounts(db, id),
    ])
    refuseCachingPastEnd(reply, page, rows)
    return {
      success: true,
      products: rows.map(presentProduct),
      category: { _id: id, name, slug },
      ...summarize(counts, band, inStock),
    }
  },
})

const YEAR = 365 * 24 * 60 * 60
/** Cache lifetime of a photo requested without a version, in seconds. */
const SHORT = 60

/** Whether If-None-Match contains the ETag. */
const matchesEtag = (header: string | undefined, etag: string) =>
  header?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false

const photoHandlers = (db: Database): Calls<'productPhoto'> => {
  const findPhoto = photosOf(db)
  return {
    async productPhoto({ params, query, request, reply }) {
      const { accept, 'if-none-match': known } = request.headers
      const format = bestFormat(accept)
      const photo = await findPhoto({ id: params.id, width: storedWidth(query.w), format })
      if (!photo) throw notFound('There is no such product.')
      const forever = photo.version !== null && query.v === photo.version
      const vary = [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ')
      reply.type(`image/${photo.format}`).headers({
        etag: photo.etag,
        vary,
        'cache-control': `public, max-age=${forever ? `${YEAR}, immutable` : SHORT}`,
        // photos may be embedded by other origins
        'cross-origin-resource-policy': 'cross-origin',
      })
      if (!matchesEtag(known, photo.etag)) return photo.bytes
      reply.status(304)
      return Buffer.alloc(0)
    },
  }
}

export const productHandlers = ({ db }: { db: Database }): Handlers<typeof productCalls> => ({
  ...listHandlers(db),
  ...detailHandlers(db),
  ...photoHandlers(db),
})
