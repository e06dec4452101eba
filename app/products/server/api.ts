import { priceBandsOf } from '#app/settings/server/service.ts'
import { gone, notFound } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, refuseCachingPastEnd } from '#app/shared/server/pagination.ts'
import { bestFormat } from '#app/shared/server/photos/best-format.ts'
import type { Database } from '#db/schema.ts'
import {
  bandKey,
  GRID_PAGE_SIZE,
  MOST_RELATED,
  PAGE_SIZE,
  priceBandsFrom,
  type productCalls,
} from '../contract.ts'
import {
  type BandCount,
  countProducts,
  type ListFilter,
  selectBandCounts,
  selectListPage,
} from './list-store.ts'
import { photosOf, storedWidth } from './photos/photos.ts'
import { presentDetailed, presentListed, presentProduct } from './presenter.ts'
import { priceRangeOf, rangeOfKey } from './price-range.ts'
import {
  isSlugOfDeleted,
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
    const filter = { categories, prices: priceRangeOf(radio, await priceBandsOf(db)) }
    const { rows, total } = await newestProducts(db, filter, page)
    return { success: true, products: rows.map(presentListed), total }
  },
  async getProducts({ query: { q, page }, reply }) {
    const { rows, total } = await gridProducts(db, q?.trim(), page)
    refuseCachingPastEnd(reply, page, rows)
    return { success: true, message: 'All products', products: rows.map(presentProduct), total }
  },
})

type Summarized = { filter: ListFilter; price: string | undefined; counts: BandCount[] }

/**
 * The number of a category's products in a band, or in all bands; the number in each band, and in
 * stock. `keys` are those of the bands. A band that is not one of them is counted by itself.
 */
async function summarize(db: Database, keys: string[], { filter, price, counts }: Summarized) {
  const membersOf = ({ products, inStock }: BandCount) => (filter.inStock ? inStock : products)
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
  const chosen = counts.filter(({ band }) => price === undefined || keys[band] === price)
  const isKnown = price === undefined || keys.includes(price)
  const [total, inStock] = isKnown
    ? [sum(chosen.map(membersOf)), sum(chosen.map(({ inStock }) => inStock))]
    : await Promise.all([
        countProducts(db, filter),
        countProducts(db, { ...filter, inStock: true }),
      ])
  const prices = counts
    .map((count) => ({ price: keys[count.band] ?? '', count: membersOf(count) }))
    .filter(({ count }) => count > 0)
  return { total, facets: { prices, inStock } }
}

const detailHandlers = (
  db: Database,
): Calls<'getProduct' | 'relatedProducts' | 'productsOfCategory'> => ({
  async getProduct({ params }) {
    const product = await selectProductBySlug(db, params.slug)
    if (!product && (await isSlugOfDeleted(db, params.slug)))
      throw gone('This product is no longer sold.')
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
    const lows = await priceBandsOf(db)
    const filter = { categories: [id], prices: rangeOfKey(price, lows), inStock: stock === 'in' }
    const [rows, counts] = await Promise.all([
      selectListPage(db, filter, sort, sliceOf(page)),
      selectBandCounts(db, id, lows),
    ])
    const keys = priceBandsFrom(lows).map(bandKey)
    refuseCachingPastEnd(reply, page, rows)
    return {
      success: true,
      products: rows.map(presentProduct),
      category: { _id: id, name, slug },
      ...(await summarize(db, keys, { filter, price, counts })),
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
