import { PAGE_SIZE } from '#app/products/contract.ts'
import type { SearchOrder } from '#app/products/model.ts'
import { SIMILAR_LIMITS, type searchCalls } from '#app/products/search-contract.ts'
import { priceBandsOf } from '#app/settings/server/service.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { type Limiter, limiterOf } from '#app/shared/server/limits/limits.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { refuseCachingPastEnd, setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { readFacets } from '../facets/facets.ts'
import { filterOf } from '../list-filter.ts'
import { presentCard, presentListed } from '../presenter.ts'
import type { SearchContext } from './correct.ts'
import { openDictionary } from './dictionary.ts'
import { search, searchShop } from './search.ts'
import { suggest } from './suggest.ts'

type Sent = Parameters<typeof filterOf>[0] & { page?: number; sort?: SearchOrder; facets?: string }

type Dependencies = { db: Database; counters: CounterStore }

async function optionsOf(
  dependencies: Dependencies,
  request: { ip: string },
  { page, sort = 'relevance', facets: sentFacets, ...sent }: Sent,
) {
  const [bands, { facets, isKept }] = await Promise.all([
    priceBandsOf(dependencies.db),
    readFacets(dependencies, request, sentFacets),
  ])
  const filter = { ...filterOf(sent, bands), facets }
  const slice = sliceOf(page, PAGE_SIZE)
  return { isKept, wanted: { filter, order: sort, slice, bands, groups: facets ?? [] } }
}

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
      const { isKept, wanted } = await optionsOf({ db, counters }, request, query)
      const { groups, ...uncounted } = wanted
      const { rows, total } = await search(contextOf(request), params.keyword, uncounted)
      setPagingHeaders(request, reply, { page: query.page, size: PAGE_SIZE, total })
      refuseCachingPastEnd(reply, query.page, rows)
      if (!isKept) reply.header('cache-control', 'no-store')
      return rows.map(presentListed)
    },
    async searchShop({ query: { keyword, ...query }, request, reply }) {
      const { isKept, wanted } = await optionsOf({ db, counters }, request, query)
      const { rows, ...found } = await searchShop(contextOf(request), keyword, wanted)
      refuseCachingPastEnd(reply, query.page, rows)
      if (!isKept) reply.header('cache-control', 'no-store')
      return { success: true, products: rows.map(presentCard), ...found }
    },
    async suggest({ query, request }) {
      return { success: true, ...(await suggest(contextOf(request), query.q)) }
    },
  }
}
