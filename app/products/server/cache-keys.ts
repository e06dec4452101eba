/** Cache keys of the answers about products. */
import { idsAmong, isId } from '#app/shared/contract/fields.ts'
import type { CacheKeyRule, Query } from '#app/shared/server/domain-module.ts'
import { pictureKey } from '#app/shared/server/pictures/format.ts'
import { productCalls } from '../contract.ts'
import { MAX_CATEGORIES, MAX_SEARCHED_CATEGORIES } from '../model.ts'
import { searchCalls } from '../search-contract.ts'
import { photoWidth } from './photos.ts'

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
  pictureKey(productCalls.productPhoto.path, photoWidth),
  { path: productCalls.browseProducts.path, canonicalQuery: inOrder(MAX_CATEGORIES) },
  { path: searchCalls.searchProducts.path, canonicalQuery: inOrder(MAX_SEARCHED_CATEGORIES) },
  { path: searchCalls.searchShop.path, canonicalQuery: inOrder(MAX_SEARCHED_CATEGORIES) },
]
