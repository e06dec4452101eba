import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { productCalls } from '#app/products/contract.ts'
import { searchCalls, spellCategory } from '#app/products/search-contract.ts'
import { bestFormat, keptWidth } from '#app/products/server/photos/photos.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { CanonicalUrls, Query, Route } from './canonical-url.ts'

/** What a call knows better than its schema. */
type Refinement = Partial<Pick<Route, 'canonicalQuery' | 'typeFor'>>

/** A width as clients write it; the call itself refuses or reads any other. */
const WIDTH = /^\d{1,5}(\.\d{1,5})?$/

/** Browsers send the same header with every request, and there are few browsers. */
const photoTypes = new LRUCache<string, string>({
  max: 200,
  memoMethod: (accept) => `image/${bestFormat(accept)}`,
})

/** Photos differ by the kept width and by the format that the client prefers. */
const PHOTOS: Refinement = {
  canonicalQuery(query) {
    const { w, v } = Object.fromEntries(query)
    if (w !== undefined && !WIDTH.test(w)) return null
    const width = String(keptWidth(w === undefined ? w : Number(w)))
    return v === undefined
      ? [['w', width]]
      : [
          ['w', width],
          ['v', v],
        ]
  },
  typeFor: (accept = '') => photoTypes.memo(accept),
}

/** A choice of categories is the same in any order. */
const SEARCHES: Refinement = {
  canonicalQuery(query) {
    const canonical = query.flatMap(([name, value]): Query => {
      const spelt = name === 'category' ? spellCategory(value) : value
      return spelt === null ? [] : [[name, spelt]]
    })
    return canonical.length === query.length ? canonical : null
  },
}

const REFINEMENTS = new Map<string, Refinement>([
  [productCalls.productPhoto.path, PHOTOS],
  [searchCalls.searchProducts.path, SEARCHES],
  [searchCalls.searchShop.path, SEARCHES],
])

type Field = { type?: string; default?: unknown }

const fieldsOf = (schema: unknown) =>
  Object.entries<Field>(Object(Object(Object(schema).querystring).properties))

/** A whole number has one spelling; the call itself refuses any other. */
const WHOLE = /^[1-9]\d{0,14}$/

/** The declared parameters in one order, without those that have their default; null where one is
 * repeated or has another spelling. */
function canonicalQueryBy(fields: [string, Field][], query: Query): Query | null {
  const canonical: Query = []
  for (const [name, { type, default: usual }] of fields) {
    const [given, ...others] = query.filter(([key]) => key === name)
    if (others.length > 0) return null
    if (!given) continue
    const [, value] = given
    if (type === 'integer' && !WHOLE.test(value)) return null
    if (value !== String(usual)) canonical.push([name, value])
  }
  return canonical
}

/** Declares the URLs of every call whose answers may be kept, as it is mounted. */
export function declareCalls(app: FastifyInstance, urls: CanonicalUrls) {
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (!config?.isCached || method !== 'GET') return
    const fields = fieldsOf(schema)
    const { canonicalQuery: refine = (query: Query) => query, typeFor } =
      REFINEMENTS.get(url.slice(API_PREFIX.length)) ?? {}
    const canonicalQuery = (query: Query) => {
      const canonical = canonicalQueryBy(fields, query)
      return canonical && refine(canonical)
    }
    urls.declare([{ route: url, canonicalQuery, typeFor }])
  })
}
