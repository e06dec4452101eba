import { PAGE_SIZE } from '#app/products/contract.ts'
import { bandKey, priceBandsFrom, type SearchOrder } from '#app/products/model.ts'
import { SIMILAR_LIMITS, type searchCalls } from '#app/products/search-contract.ts'
import { priceBandsOf } from '#app/settings/server/service.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { type Limiter, limiterOf } from '#app/shared/server/limits/limits.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { refuseCachingPastEnd, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { filterOf } from '../list-filter.ts'
import { presentListed } from '../presenter.ts'
import type { SearchContext } from './correct.ts'
import { openDictionary } from './dictionary.ts'
import { type SearchRequest, search, searchShop } from './search.ts'
import { suggest } from './suggest.ts'

type Sent = Parameters<typeof filterOf>[0] & { page?: number; sort?: SearchOrder }

const requestOf = (
  keyword: string,
  { page = 1, sort = 'relevance', ...sent }: Sent,
  lows: number[],
): SearchRequest => ({ keyword, page, order: sort, filter: filterOf(sent, lows), lows })

type Dependencies = { db: Database; counters: CounterStore }

/** The dependencies of the search of a request, whose address is counted. */
function contextsOf({ db, counters }: Dependencies) {
  const dictionary = openDictionary(db)
  const similar = limiterOf(counters, {
    method: 'GET',
    path: '/product/search/*',
    limits: SIMILAR_LIMITS,
  })
  return (request: Parameters<Limiter['byAddress']>[0]): SearchContext => ({
    db,
    dictionary,
    countSimilar: () => similar.byAddress(request),
  })
}

export function searchHandlers(dependencies: Dependencies): Handlers<typeof searchCalls> {
  const { db } = dependencies
  const contextOf = contextsOf(dependencies)
  return {
    async searchProducts({ params, query, request, reply }) {
      const lows = await priceBandsOf(db)
      const wanted = requestOf(params.keyword, query, lows)
      const { rows, total } = await search(contextOf(request), wanted)
      setPagingHeaders(request, reply, { page: query.page ?? 1, size: PAGE_SIZE, total })
      refuseCachingPastEnd(reply, query.page, rows)
      return rows.map(presentListed)
    },
    async searchShop({ query: { keyword, ...query }, request, reply }) {
      const lows = await priceBandsOf(db)
      const wanted = requestOf(keyword, query, lows)
      const { rows, facets, ...found } = await searchShop(contextOf(request), wanted)
      refuseCachingPastEnd(reply, query.page, rows)
      const keys = priceBandsFrom(lows).map(bandKey)
      const prices = facets.bands.map(({ band, count }) => ({ price: keys[band] ?? '', count }))
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
    async suggest({ query, request }) {
      const { phrases, products, categories } = await suggest(contextOf(request), query.q)
      return {
        success: true,
        phrases,
        products: products.map(({ name, slug, price_minor }) => ({
          name,
          slug,
          price: toMajor(price_minor),
        })),
        categories: categories.map(({ id, name, slug }) => ({ _id: id, name, slug })),
      }
    },
  }
}
