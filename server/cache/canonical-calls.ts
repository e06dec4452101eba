import type { FastifyInstance } from 'fastify'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { CacheKeyRule, Query } from '#app/shared/server/domain-module.ts'
import type { CanonicalUrls } from './canonical-url.ts'

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
