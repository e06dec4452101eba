import { bandKey, PAGE_SIZE, PRICE_BANDS } from '#app/products/contract.ts'
import { categoriesOf, type SearchOrder, type searchCalls } from '#app/products/search-contract.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { keepNoneBeyond, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { presentListed } from '../present-product.ts'
import { type Asked, search, searchShop } from './search.ts'
import { suggest } from './suggest.ts'

type Sent = {
  page?: number
  category?: string
  price?: string
  stock?: 'in'
  sort?: SearchOrder
}

const askedBy = (keyword: string, { page, category, price, stock, sort }: Sent): Asked => ({
  keyword,
  ...(page !== undefined && { page }),
  ...(category !== undefined && { categories: categoriesOf(category) }),
  ...(price !== undefined && { bands: [PRICE_BANDS.findIndex((_, at) => bandKey(at) === price)] }),
  ...(stock === 'in' && { inStock: true }),
  ...(sort !== undefined && { order: sort }),
})

export const searchHandlers = ({ db }: { db: Database }): Handlers<typeof searchCalls> => ({
  async searchProducts({ params, query, request, reply }) {
    const { rows, total } = await search(db, askedBy(params.keyword, query))
    setPagingHeaders(request, reply, { page: query.page ?? 1, size: PAGE_SIZE, total })
    keepNoneBeyond(reply, query.page, rows)
    return rows.map(presentListed)
  },
  async searchShop({ query: { keyword, ...query }, reply }) {
    const { rows, facets, ...found } = await searchShop(db, askedBy(keyword, query))
    keepNoneBeyond(reply, query.page, rows)
    const prices = [...facets.bands].map(([band, count]) => ({ price: bandKey(band), count }))
    const { categories, areCut } = facets
    return {
      success: true,
      products: rows.map(presentListed),
      ...found,
      facets: {
        categories: categories.map(({ id, ...category }) => ({ _id: id, ...category })),
        prices,
        areCut,
      },
    }
  },
  async suggest({ query }) {
    const { phrases, products, categories } = await suggest(db, query.q)
    return {
      success: true,
      phrases,
      products: products.map(({ name, slug, price_minor }) => ({
        ...{ name, slug, price: toMajor(price_minor) },
      })),
      categories: categories.map(({ id, name, slug }) => ({ _id: id, name, slug })),
    }
  },
})
