/** Cache keys of the answers about products. */
import { LRUCache } from 'lru-cache'
import { idsAmong, isId } from '#app/shared/contract/fields.ts'
import type { CacheKeyRule, Query } from '#app/shared/server/domain-module.ts'
import { bestFormat } from '#app/shared/server/pictures/format.ts'
import { productCalls } from '../contract.ts'
import { MAX_CATEGORIES, MAX_SEARCHED_CATEGORIES } from '../model.ts'
import { searchCalls } from '../search-contract.ts'
import { photoWidth } from './photos.ts'

/** A width as clients usually write it; any other is left to the call. */
const WIDTH = /^\d{1,5}(\.\d{1,5})?$/

/** There are few different Accept headers, because there are few browsers. */
const photoTypes = new LRUCache<string, string>({
  max: 200,
  memoMethod: (accept) => `image/${bestFormat(accept)}`,
})

/** Photos differ by the stored width and by the format that the client prefers. */
const photos: CacheKeyRule = {
  path: productCalls.productPhoto.path,
  canonicalQuery(query) {
    const { w, v } = Object.fromEntries(query)
    if (w !== undefined && !WIDTH.test(w)) return null
    const width = String(photoWidth(w === undefined ? w : Number(w)))
    const version: Query = v === undefined ? [] : [['v', v]]
    return [['w', width], ...version]
  },
  typeFor: (accept = '') => photoTypes.memo(accept),
}

/** The order of categories in a filter does not matter. Null for ids that the call refuses. */
const inOrder = (max: number) => (query: Query) => {
  const canonical = query.flatMap(([name, value]): Query => {
    if (name !== 'category') return [[name, value]]
    const ids = value.split(',')
    return ids.length <= max && ids.every(isId) ? [[name, idsAmong(ids).join()]] : []
  })
  return canonical.length === query.length ? canonical : null
}

export const productCacheKeys: CacheKeyRule[] = [
  photos,
  { path: productCalls.browseProducts.path, canonicalQuery: inOrder(MAX_CATEGORIES) },
  { path: searchCalls.searchProducts.path, canonicalQuery: inOrder(MAX_SEARCHED_CATEGORIES) },
  { path: searchCalls.searchShop.path, canonicalQuery: inOrder(MAX_SEARCHED_CATEGORIES) },
]
