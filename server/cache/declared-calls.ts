import type { FastifyInstance } from 'fastify'
import { productCalls } from '#app/products/contract.ts'
import { searchCalls, spellCategory } from '#app/products/search-contract.ts'
import { bestFormat, keptWidth } from '#app/products/server/photos/photos.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Addresses, Declared, Query } from './addresses.ts'

/** What a call knows better than its schema. */
type Refined = Partial<Pick<Declared, 'spell' | 'typeFor'>>

/** A width as clients write it; what is odd is refused, or read, by the call itself. */
const WIDTH = /^\d{1,5}(\.\d{1,5})?$/

/** A client's browser sends the same header with every request, and there are few browsers. */
const MOST_REMEMBERED = 200
const types = new Map<string, string>()

function typeOfPhoto(accept = ''): string {
  const known = types.get(accept)
  if (known !== undefined) return known
  if (types.size >= MOST_REMEMBERED) types.clear()
  const type = `image/${bestFormat(accept)}`
  types.set(accept, type)
  return type
}

/** Photos differ by the width that is taken and the format that the client likes best. */
const PHOTOS: Refined = {
  spell(query) {
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
  typeFor: typeOfPhoto,
}

/** A choice of categories is the same in any order. */
const SEARCHES: Refined = {
  spell(query) {
    const found = query.flatMap(([name, value]): Query => {
      const spelt = name === 'category' ? spellCategory(value) : value
      return spelt === null ? [] : [[name, spelt]]
    })
    return found.length === query.length ? found : null
  },
}

const REFINED = new Map<string, Refined>([
  [productCalls.productPhoto.path, PHOTOS],
  [searchCalls.searchProducts.path, SEARCHES],
  [searchCalls.searchShop.path, SEARCHES],
])

type Field = { type?: string; default?: unknown }

const fieldsOf = (schema: unknown) =>
  Object.entries<Field>(Object(Object(Object(schema).querystring).properties))

/** A whole number has one spelling; the call itself refuses what is another. */
const WHOLE = /^[1-9]\d{0,14}$/

/**
 * The declared parameters in one order, those left out that say what goes without saying; null
 * where one comes twice, or is odd.
 */
function spellBy(fields: [string, Field][], query: Query): Query | null {
  const spelt: Query = []
  for (const [name, { type, default: usual }] of fields) {
    const [given, ...others] = query.filter(([key]) => key === name)
    if (others.length > 0) return null
    if (!given) continue
    const [, value] = given
    if (type === 'integer' && !WHOLE.test(value)) return null
    if (value !== String(usual)) spelt.push([name, value])
  }
  return spelt
}

/** Declares the addresses of every call that anybody may make and that only reads, as it is mounted. */
export function declareCalls(app: FastifyInstance, addresses: Addresses) {
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (config?.access !== 'public' || method !== 'GET') return
    const fields = fieldsOf(schema)
    const { spell: refine = (query: Query) => query, ...refined } =
      REFINED.get(url.slice(API_PREFIX.length)) ?? {}
    const spell = (query: Query) => {
      const spelt = spellBy(fields, query)
      return spelt && refine(spelt)
    }
    addresses.declare([{ route: url, spell, ...refined }])
  })
}
