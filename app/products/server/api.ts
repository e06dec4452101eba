import { notFound } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { GRID_PAGE_SIZE, MOST_RELATED, PAGE_SIZE, type productCalls } from '../contract.ts'
import type { Darkroom } from './photos/darkroom.ts'
import { bestFormat, type CountLook, keptWidth, photosOf } from './photos/photos.ts'
import { presentListed, presentProduct } from './present-product.ts'
import { priceRangeOf } from './price-range.ts'
import {
  countProducts,
  type Filter,
  selectCategoryBySlug,
  selectProductBySlug,
  selectProductIds,
  selectProducts,
  selectProductsWithCategory,
  selectRelatedProducts,
} from './store.ts'

type Select<Row> = (db: Database, ids: string[]) => Promise<Row[]>

/** A page of a list and its total. */
async function pageOf<Row>(
  db: Database,
  select: Select<Row>,
  { filter = {}, page = 1, size = PAGE_SIZE }: { filter?: Filter; page?: number; size?: number },
) {
  const slice = { limit: size, offset: offsetOf(page, size) }
  const { ids, total } = await selectProductIds(db, filter, slice)
  return { rows: await select(db, ids), total }
}

type Calls<Name extends keyof typeof productCalls> = Pick<Handlers<typeof productCalls>, Name>

const listHandlers = (
  db: Database,
): Calls<'countProducts' | 'listProducts' | 'filterProducts' | 'getProducts'> => ({
  async countProducts() {
    return { success: true, total: await countProducts(db) }
  },
  async listProducts({ params }) {
    const { rows, total } = await pageOf(db, selectProducts, params)
    return { success: true, products: rows.map(presentListed), total }
  },
  async filterProducts({ body: { checked, radio, page } }) {
    const filter = {
      ...(checked?.length && { categories: checked }),
      prices: priceRangeOf(radio),
    }
    const { rows, total } = await pageOf(db, selectProducts, { filter, page })
    return { success: true, products: rows.map(presentListed), total }
  },
  async getProducts({ query }) {
    const list = { filter: { nameHas: query.q?.trim() }, page: query.page, size: GRID_PAGE_SIZE }
    const { rows, total } = await pageOf(db, selectProductsWithCategory, list)
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
  async productsOfCategory({ params, query }) {
    const found = await selectCategoryBySlug(db, params.slug)
    if (!found) throw notFound('There is no such category.')
    const { id, name, slug } = found
    const list = { filter: { categories: [id] }, page: query.page }
    const { rows, total } = await pageOf(db, selectProductsWithCategory, list)
    const category = { _id: id, name, slug }
    return { success: true, products: rows.map(presentProduct), category, total }
  },
})

type Dependencies = {
  db: Database
  darkroom: Darkroom
  /** Hears how often a picture that is kept in memory is wanted. */
  looked?: CountLook | undefined
}

const YEAR = 365 * 24 * 60 * 60
/** How long a photo may be kept by who did not say which version it wants, in seconds. */
const SHORT = 60

/** Whether the caller has it already, as its If-None-Match says. */
const isKept = (header: string | undefined, etag: string) =>
  header?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false

const photoHandlers = ({ db, darkroom, looked }: Dependencies): Calls<'productPhoto'> => {
  const findPhoto = photosOf(db, darkroom, looked)
  return {
    async productPhoto({ params, query, request, reply }) {
      const { accept, 'if-none-match': known } = request.headers
      const format = bestFormat(accept)
      const photo = await findPhoto({ id: params.id, width: keptWidth(query.w), format })
      if (!photo) throw notFound('There is no such product.')
      const forever = photo.version !== null && query.v === photo.version
      const vary = [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ')
      reply.type(`image/${format}`).headers({
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

export const productHandlers = ({ db, ...rest }: Dependencies): Handlers<typeof productCalls> => ({
  ...listHandlers(db),
  ...detailHandlers(db),
  ...photoHandlers({ db, ...rest }),
})
