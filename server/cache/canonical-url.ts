import type { FastifyInstance } from 'fastify'
import FindMyWay from 'find-my-way'
import { LRUCache } from 'lru-cache'
import type { ServerBuild } from 'react-router'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { isId } from '#app/shared/contract/fields.ts'
import { canonicalParamsOf } from '#app/shared/model/canonical-params.ts'
import type { CacheKeyRule, Query } from '#app/shared/server/domain-module.ts'
import { isDecodable } from '../connections/client-errors.ts'

/** A canonical URL, without parameters that do not change the answer: the key of the page cache. */
export type CanonicalUrl = {
  url: string
  /** The declared pattern, such as `/category/:slug`. */
  route: string
  /** The media type for an Accept header, where the answer depends on it. */
  typeFor?: ((accept: string | undefined) => string) | undefined
}

/** The URLs of one route. */
export type Route = {
  route: string
  /** The canonical query; null when it is ambiguous or invalid, or the answer is not kept. */
  canonicalQuery: (query: Query) => Query | null
  typeFor?: CanonicalUrl['typeFor']
}

/** Longer URLs are rare and not worth their memory. */
const MAX_LENGTH = 2048
const REMEMBERED = { max: 10_000, maxSize: 4 * 2 ** 20 }
const OVERHEAD = 300

/** The path of a route with its parameters encoded in one way; null for one that leads elsewhere. */
function canonicalPath(route: string, params: Record<string, string | undefined>): string | null {
  if (Object.values(params).some((value = '') => ['', '.', '..'].includes(value))) return null
  return route.replace(/:(\w+)/g, (_, name) => {
    const value = params[name] ?? ''
    // capitals in an id make no other answer
    return encodeURIComponent(name === 'id' && isId(value) ? value.toLowerCase() : value)
  })
}

type Router = ReturnType<typeof FindMyWay>

function canonicalize(router: Router, given: string): CanonicalUrl | undefined {
  if (given.length > MAX_LENGTH || given.includes('#')) return undefined
  const [path = '', ...rest] = given.split('?')
  const search = rest.join('?')
  if (!path.startsWith('/') || !isDecodable(search)) return undefined
  const found = router.find('GET', path)
  if (!found) return undefined
  const { route, canonicalQuery, typeFor }: Route = found.store
  const canonical = canonicalPath(route, found.params)
  // of two question marks, the second one belongs to a name
  const query = canonicalQuery([...new URLSearchParams(`?${search}`)])
  // React Router's own requests for a page's data
  if (canonical === null || canonical.endsWith('.data') || !query) return undefined
  return {
    url: query.length > 0 ? `${canonical}?${new URLSearchParams(query)}` : canonical,
    route,
    typeFor,
  }
}

export type CanonicalUrls = {
  declare: (routes: Route[]) => void
  /** The canonical URL; undefined for an undeclared route or an ambiguous URL. */
  find: (url: string) => CanonicalUrl | undefined
}

/** Finds the canonical URL of a request among the declared routes. */
export function openCanonicalUrls(): CanonicalUrls {
  const router = FindMyWay({ maxParamLength: MAX_LENGTH })
  const remembered = new LRUCache<string, CanonicalUrl>({
    ...REMEMBERED,
    sizeCalculation: (_, url) => OVERHEAD + 4 * url.length,
  })
  return {
    declare(routes) {
      for (const route of routes) router.on('GET', route.route, () => {}, route)
      remembered.clear()
    },
    find(url) {
      const known = remembered.get(url)
      if (known) return known
      const found = canonicalize(router, url)
      if (found) remembered.set(url, found)
      return found
    },
  }
}

type PageRoute = NonNullable<ServerBuild['routes'][string]>

/**
 * Whether a page is kept at these parameters: `export const handle = { isKept: (params) => … }`. Without it, at all
 * of them. A page that is not kept is rendered with all its parameters.
 */
function isKept(handle: unknown, params: URLSearchParams): boolean {
  const { isKept = () => true } = Object(handle)
  return isKept(params)
}

/** The pages of the site map. Their canonical query is that of `handle.canonicalParams`. */
export function pageRoutes({ routes }: Pick<ServerBuild, 'routes'>): Route[] {
  const all = Object.values(routes).filter((route): route is PageRoute => route !== undefined)
  const pathOf = ({ path, parentId }: PageRoute): string => {
    const parent = all.find(({ id }) => id === parentId)
    return (parent ? pathOf(parent) : '') + (path ? `/${path}` : '')
  }
  return all
    .filter(({ id, path }) => path !== '*' && !all.some(({ parentId }) => parentId === id))
    .map((page) => ({
      route: pathOf(page) || '/',
      canonicalQuery(query) {
        const params = new URLSearchParams(query)
        const { handle } = page.module
        return isKept(handle, params) ? [...canonicalParamsOf(handle)(params)] : null
      },
    }))
}

type Field = { type?: string; default?: unknown }

const fieldsOf = (schema: unknown) =>
  Object.entries<Field>(Object(Object(Object(schema).querystring).properties))

/** A whole number in its canonical form; any other is left to the call. */
const WHOLE = /^[1-9]\d{0,14}$/

/**
 * The declared parameters in a fixed order, without those that have their default; null when one is
 * repeated or not canonical.
 */
function canonicalQueryBy(fields: [string, Field][], query: Query): Query | null {
  const canonical: Query = []
  for (const [name, { type, default: defaultValue }] of fields) {
    const [given, ...others] = query.filter(([key]) => key === name)
    if (others.length > 0) return null
    if (!given) continue
    const [, value] = given
    if (type === 'integer' && !WHOLE.test(value)) return null
    if (value !== String(defaultValue)) canonical.push([name, value])
  }
  return canonical
}

/**
 * Declares the canonical URLs of every cacheable call when it is mounted, with the modules' rules.
 */
export function declareCalls(app: FastifyInstance, urls: CanonicalUrls, rules: CacheKeyRule[]) {
  const byRoute = new Map(rules.map((rule) => [API_PREFIX + rule.path, rule]))
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (!config?.isCached || method !== 'GET') return
    const fields = fieldsOf(schema)
    const { canonicalQuery: refine = (query: Query) => query, typeFor } = byRoute.get(url) ?? {}
    const canonicalQuery = (query: Query) => {
      const canonical = canonicalQueryBy(fields, query)
      return canonical && refine(canonical)
    }
    urls.declare([{ route: url, canonicalQuery, typeFor }])
  })
}
