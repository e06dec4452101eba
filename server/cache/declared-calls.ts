import type { FastifyInstance } from 'fastify'
import { productCalls } from '#app/products/contract.ts'
import { bestFormat, keptWidth } from '#app/products/server/photos/photos.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Addresses, Declared, Known } from './addresses.ts'

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
const PHOTOS: Pick<Declared, 'spell' | 'typeFor'> = {
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

const ROUTE_OF_PHOTOS = API_PREFIX + productCalls.productPhoto.path

function knownIn(schema: unknown): Known {
  const { querystring } = Object(schema)
  const fields = Object.entries<{ default?: unknown }>(Object(Object(querystring).properties))
  return Object.fromEntries(
    fields.map(([name, field]) => [name, field.default === undefined ? null : `${field.default}`]),
  )
}

/** Declares the addresses of every call that anybody may make and that only reads, as it is mounted. */
export function declareCalls(app: FastifyInstance, addresses: Addresses) {
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (config?.access !== 'public' || method !== 'GET') return
    const refined = url === ROUTE_OF_PHOTOS ? PHOTOS : {}
    addresses.declare([{ route: url, knows: knownIn(schema), once: true, ...refined }])
  })
}
