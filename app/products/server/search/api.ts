import { PAGE_SIZE } from '#app/products/contract.ts'
import type { SearchOrder } from '#app/products/model.ts'
import { SIMILAR_LIMITS, type searchCalls } from '#app/products/search-contract.ts'
import { priceBandsOf } from '#app/settings/server/service.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { type Limiter, limiterOf } from '#app/shared/server/limits/limits.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { refuseCachingPastEnd, setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { filterOf } from '../list-filter.ts'
import { presentListed } from '../presenter.ts'
import type { SearchContext } from './correct.ts'
import { openDictionary } from './dictionary.ts'
import { search, searchShop } from './search.ts'
import { suggest } from './suggest.ts'

type Sent = Parameters<typeof filterOf>[0] & { page?: number; sort?: SearchOrder }

async function optionsOf(db: Database, { page, sort = 'relevance', ...sent }: Sent) {
  const lows = await priceBandsOf(db)
  return { filter: filterOf(sent, lows), order: sort, slice: sliceOf(page, PAGE_SIZE), lows }
}

type Dependencies = { db: Database; counters: CounterStore }

export function searchHandlers({ db, counters }: Dependencies): Handlers<typeof searchCalls> {
  const dictionary = openDictionary(db)
  const similar = limiterOf(counters, {
    method: 'GET',
    path: '/product/search/*',
    limits: SIMILAR_LIMITS,
  })
  const contextOf = (request: Parameters<Limiter['byAddress']>[0]): SearchContext => ({
    db,
    dictionary,
    countSimilar: () => similar.byAddress(request),
  })
  return {
    async searchProducts({ params, query, request, reply }) {
      const wanted = await optionsOf(db, query)
      const { rows, total } = await search(contextOf(request), params.keyword, wanted)
      setPagingHeaders(request, reply, { page: query.page, size: PAGE_SIZE, total })
      refuseCachingPastEnd(reply, query.page, rows)
      return rows.map(presentListed)
    },
    async searchShop({ query: { keyword, ...query }, request, reply }) {
      const wanted = await optionsOf(db, query)
      const { rows, ...found } = await searchShop(contextOf(request), keyword, wanted)
      refuseCachingPastEnd(reply, query.page, rows)
      return { success: true, products: rows.map(presentListed), ...found }
    },
    async suggest({ query, request }) {
      return { success: true, ...(await suggest(contextOf(request), query.q)) }
    },
  }
}
