import { notFound } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { keepNoneBeyond, offsetOf, type Slice } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { bandKey, GRID_PAGE_SIZE, MOST_RELATED, PAGE_SIZE, type productCalls } from '../contract.ts'
import { countProducts } from './lists/counts-store.ts'
import { pageOfCategory, pageOfList } from './lists/list.ts'
import { selectCutPage } from './lists/price-store.ts'
import { bestFormat, keptWidth, photosOf } from './photos/photos.ts'
import { presentListed, presentProduct } from './present-product.ts'
import { bandOfKey, priceRangeOf } from './price-range.ts'
import {
  selectCategoryBySlug,
  selectIdsByName,
  selectProductBySlug,
  selectProducts,
  selectProductsWithCategory,
  selectRelatedProducts,
} from './store.ts'

const sliceOf = (page = 1, size = PAGE_SIZE) => ({ limit: size, offset: offsetOf(page, size) })

type Calls<Name extends keyof typeof productCalls> = Pick<Handlers<typeof productCalls>, Name>

/** The page of a filter (spec §7); only prices that cut a band in two are looked for row by row. */
function filtered(db: Database, checked: string[] = [], radio: number[] = [], slice: Slice) {
  const categories = checked.length > 0 ? checked : undefined
  const prices = priceRangeOf(radio)
  return prices?.bands === null
    ? selectCutPage(db, { categories, prices }, slice)
    : pageOfList(db, { categories, bands: prices?.bands }, slice)
}

const listHandlers = (
  db: Database,
): Calls<'countProducts' | 'listProducts' | 'filterProducts' | 'getProducts'> => ({
  async countProducts() {
    return { success: true, total: await countProducts(db) }
  },
  async listProducts({ params, reply }) {
    const { ids, total } = await pageOfList(db, {}, sliceOf(params.page))
    keepNoneBeyond(reply, params.page, ids)
    const rows = await selectProducts(db, ids)
    return { success: true, products: rows.map(presentListed), total }
  },
  async filterProducts({ body: { checked, radio, page } }) {
    const { ids, total } = await filtered(db, checked, radio, sliceOf(page))
    const rows = await selectProducts(db, ids)
    return { success: true, products: rows.map(presentListed), total }
  },
  async getProducts({ query: { q, page }, reply }) {
    const [text, slice] = [q?.trim(), sliceOf(page, GRID_PAGE_SIZE)]
    const { ids, total } = text
      ? await selectIdsByName(db, text, slice)
      : await pageOfList(db, {}, slice)
    keepNoneBeyond(reply, page, ids)
    const rows = await selectProductsWithCategory(db, ids)
    return { success: true, message: 'All products', products: rows.map(presentProduct), total }
  },
})

const detailHandlers = (
  db: Database,
): Calls<'getProduct' | 'relatedProducts' | 'productsOfCategory'> => ({
  async getProduct({ params }) {
    const product = await selectProductBySlug(db, params.slug)
    if (!product) throw notFound('There is no such product.')
    return { success: true, message: 'The product', product: presentProduct(product) }
  },
  async relatedProducts({ params }) {
    const rows = await selectRelatedProducts(db, { ...params, limit: MOST_RELATED })
    return { success: true, products: rows.map(presentProduct) }
  },
  async productsOfCategory({ params, query, reply }) {
    const found = await selectCategoryBySlug(db, params.slug)
    if (!found) throw notFound('There is no such category.')
    const { id, name, slug } = found
    const { price, stock, sort: order = 'newest', page } = query
    const band = price === undefined ? undefined : bandOfKey(price)
    const list = { category: id, band, inStock: stock === 'in', order }
    const { ids, total, facets } = await pageOfCategory(db, list, sliceOf(page))
    keepNoneBeyond(reply, page, ids)
    const rows = await selectProductsWithCategory(db, ids)
    const prices = [...facets.bands].map(([at, count]) => ({ price: bandKey(at), count }))
    return {
      ...{ success: true, products: rows.map(presentProduct), total },
      category: { _id: id, name, slug },
      facets: { prices, inStock: facets.inStock },
    }
  },
})

const YEAR = 365 * 24 * 60 * 60
/** How long a photo may be kept by who did not say which version it wants, in seconds. */
const SHORT = 60

/** Whether the caller has it already, as its If-None-Match says. */
const isKept = (header: string | undefined, etag: string) =>
  header?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false

const photoHandlers = (db: Database): Calls<'productPhoto'> => {
  const findPhoto = photosOf(db)
  return {
    async productPhoto({ params, query, request, reply }) {
      const { accept, 'if-none-match': known } = request.headers
      const format = bestFormat(accept)
      const photo = await findPhoto({ id: params.id, width: keptWidth(query.w), format })
      if (!photo) throw notFound('There is no such product.')
      const forever = photo.version !== null && query.v === photo.version
      const vary = [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ')
      reply.type(`image/${photo.format}`).headers({
        etag: photo.etag,
        vary,
        'cache-control': `public, max-age=${forever ? `${YEAR}, immutable` : SHORT}`,
        // a picture may stand on any site, such as a shop window on another origin
        'cross-origin-resource-policy': 'cross-origin',
      })
      if (!isKept(known, photo.etag)) return photo.bytes
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
