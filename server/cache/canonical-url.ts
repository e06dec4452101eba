import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ServerBuild } from 'react-router'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { isId } from '#app/shared/contract/fields.ts'
import { canonicalParamsOf } from '#app/shared/model/canonical-params.ts'
import type { CacheKeyRule, Query } from '#app/shared/server/domain-module.ts'

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
  /** The canonical query; null when it is ambiguous or invalid. */
  canonicalQuery: (query: Query) => Query | null
  typeFor?: CanonicalUrl['typeFor']
}

type Pattern = Route & { parts: string[] }

/** Longer URLs are rare and not worth their memory. */
const MAX_LENGTH = 2048
const REMEMBERED = { max: 10_000, maxSize: 4 * 2 ** 20 }
const OVERHEAD = 300

const partsOf = (path: string) => (path === '/' ? [] : path.slice(1).split('/'))
const isParameter = (part: string) => part.startsWith(':')

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function canonicalPart(declared: string, given: string): string | null {
  if (!isParameter(declared)) return declared === given ? given : null
  const value = decoded(given)
  if (value === null || ['', '.', '..'].includes(value)) return null
  // capitals in an id make no other answer
  return encodeURIComponent(declared === ':id' && isId(value) ? value.toLowerCase() : value)
}

function canonicalPath({ parts }: Pattern, given: string[]): string | null {
  if (parts.length !== given.length) return null
  const canonical = parts.map((part, at) => canonicalPart(part, given[at] ?? ''))
  return canonical.includes(null) ? null : `/${canonical.join('/')}`
}

/** The decoded parameters of a query; null when one cannot be decoded. */
function parseQuery(text: string): Query | null {
  const query: Query = []
  for (const pair of text.split('&')) {
    const [name = '', ...rest] = pair.replaceAll('+', ' ').split('=')
    const key = decoded(name)
    const value = decoded(rest.join('='))
    if (key === null || value === null) return null
    query.push([key, value])
  }
  return query
}

function canonicalize(patterns: Pattern[], given: string): CanonicalUrl | undefined {
  if (given.length > MAX_LENGTH || given.includes('#')) return undefined
  const [path = '', ...rest] = given.split('?')
  // React Router's own requests for a page's data
  if (!path.startsWith('/') || path.endsWith('.data')) return undefined
  const parts = partsOf(path)
  for (const pattern of patterns) {
    const canonical = canonicalPath(pattern, parts)
    if (canonical === null) continue
    const parsed = parseQuery(rest.join('?'))
    const query = parsed && pattern.canonicalQuery(parsed)
    if (!query) return undefined
    const search = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
    return { url: canonical + search, route: pattern.route, typeFor: pattern.typeFor }
  }
  return undefined
}

export type CanonicalUrls = {
  declare: (routes: Route[]) => void
  /** The canonical URL; undefined for an undeclared route or an ambiguous URL. */
  find: (url: string) => CanonicalUrl | undefined
}

/** Finds the canonical URL of a request among the declared routes. */
export function openCanonicalUrls(): CanonicalUrls {
  const patterns: Pattern[] = []
  const remembered = new LRUCache<string, CanonicalUrl>({
    ...REMEMBERED,
    sizeCalculation: (_, url) => OVERHEAD + 4 * url.length,
  })
  return {
    declare(routes) {
      const parameters = ({ parts }: Pattern) => parts.filter(isParameter).length
      patterns.push(...routes.map((route) => ({ ...route, parts: partsOf(route.route) })))
      patterns.sort((a, b) => parameters(a) - parameters(b))
      remembered.clear()
    },
    find(url) {
      const known = remembered.get(url)
      if (known) return known
      const found = canonicalize(patterns, url)
      if (found) remembered.set(url, found)
      return found
    },
  }
}

type PageRoute = NonNullable<ServerBuild['routes'][string]>

/** The pages of the site map. Their canonical query is that of `handle.canonicalParams`. */
export function pageRoutes({ routes }: Pick<ServerBuild, 'routes'>): Route[] {
  const all = Object.values(routes).filter((route): route is PageRoute => route !== undefined)
  const ancestry = (route: PageRoute): PageRoute[] => {
    const parent = all.find(({ id }) => id === route.parentId)
    return parent ? [...ancestry(parent), route] : [route]
  }
  const pathOf = (page: PageRoute) =>
    `/${ancestry(page)
      .flatMap(({ path }) => path || [])
      .join('/')}`
  return all
    .filter(({ id, path }) => path !== '*' && !all.some(({ parentId }) => parentId === id))
    .map((page) => ({
      route: pathOf(page),
      canonicalQuery: (query) => [
        ...canonicalParamsOf(page.module.handle)(new URLSearchParams(query)),
      ],
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
