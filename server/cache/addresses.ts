import { LRUCache } from 'lru-cache'
import type { ServerBuild } from 'react-router'
import { spellOf } from '#app/shared/web/navigation/spelling.ts'

/** What an address means to the shop. */
export type Address = {
  /** In its one spelling, without what changes nothing: whatever is kept is kept under it. */
  url: string
  /** As it is declared, such as `/category/:slug`. */
  route: string
  /** Where the answer also depends on what a client accepts: the media type that this client gets. */
  typeFor?: ((accept: string | undefined) => string) | undefined
}

export type Query = [name: string, value: string][]

/** Addresses of one declaration. */
export type Declared = {
  route: string
  /** Spells the query as few ways as it has meanings; null for one that is refused, or odd. */
  spell: (query: Query) => Query | null
  typeFor?: Address['typeFor']
}

type Pattern = Declared & { parts: string[] }

/** Longer ones are rare, and not worth their memory. */
const LONGEST = 2048
const MOST_FOUND = { max: 10_000, maxSize: 4 * 2 ** 20 }
const OVERHEAD = 300

const partsOf = (path: string) => (path === '/' ? [] : path.slice(1).split('/'))
const isParameter = (part: string) => part.startsWith(':')

/** Strictly: what cannot be decoded, or means a way through folders, is nobody's address. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function spellPart(declared: string, given: string): string | null {
  if (!isParameter(declared)) return declared === given ? given : null
  const value = decoded(given)
  return value === null || ['', '.', '..'].includes(value) ? null : encodeURIComponent(value)
}

function spellPath({ parts }: Pattern, given: string[]): string | null {
  const spelt = parts.map((part, at) => spellPart(part, given[at] ?? ''))
  return spelt.includes(null) ? null : `/${spelt.join('/')}`
}

/** The parameters as they were meant; null where one cannot be decoded. */
function readQuery(text: string): Query | null {
  const found: Query = []
  for (const pair of text.split('&')) {
    const [name, ...rest] = pair.split('=')
    const [key, value] = [name, rest.join('=')].map((part = '') =>
      decoded(part.replaceAll('+', ' ')),
    )
    if (key == null || value == null) return null
    found.push([key, value])
  }
  return found
}

/** What an address means; undefined where it is none of these, or written in an odd way. */
function search(patterns: Pattern[], given: string): Address | undefined {
  if (given.length > LONGEST || given.includes('#')) return undefined
  const [path = '', ...queries] = given.split('?')
  // React Router's own requests for a page's data
  if (!path.startsWith('/') || path.endsWith('.data')) return undefined
  const parts = partsOf(path)
  for (const pattern of patterns) {
    const spelt = pattern.parts.length === parts.length ? spellPath(pattern, parts) : null
    if (spelt === null) continue
    const read = readQuery(queries.join('?'))
    const query = read && pattern.spell(read)
    if (!query) return undefined
    const search = new URLSearchParams(query)
    const url = search.size > 0 ? `${spelt}?${search}` : spelt
    return { url, route: pattern.route, typeFor: pattern.typeFor }
  }
  return undefined
}

export type Addresses = {
  declare: (declared: Declared[]) => void
  /** What a request asks for; undefined where no declared address is asked for, or in an odd way. */
  find: (url: string) => Address | undefined
}

/** Knows every address whose answer may be kept, and the one spelling of each. */
export function openAddresses(): Addresses {
  const patterns: Pattern[] = []
  const found = new LRUCache<string, Address>({
    ...MOST_FOUND,
    sizeCalculation: (_, url) => OVERHEAD + 4 * url.length,
  })
  return {
    declare(declared) {
      const parameters = ({ parts }: Pattern) => parts.filter(isParameter).length
      patterns.push(...declared.map((one) => ({ ...one, parts: partsOf(one.route) })))
      patterns.sort((a, b) => parameters(a) - parameters(b))
      found.clear()
    },
    find(url) {
      const known = found.get(url)
      if (known) return known
      const address = search(patterns, url)
      if (address) found.set(url, address)
      return address
    },
  }
}

type Route = NonNullable<ServerBuild['routes'][string]>

/** The pages of the site map that have an address of their own. */
export function pagesOf({ routes }: Pick<ServerBuild, 'routes'>): Declared[] {
  const all = Object.values(routes).filter((route): route is Route => route !== undefined)
  const wayTo = (route: Route): Route[] => {
    const parent = all.find(({ id }) => id === route.parentId)
    return parent ? [...wayTo(parent), route] : [route]
  }
  return all
    .filter(({ id, path }) => path !== '*' && !all.some(({ parentId }) => parentId === id))
    .map((page) => ({
      route: `/${wayTo(page)
        .flatMap(({ path }) => path || [])
        .join('/')}`,
      spell: (query) => [...spellOf(page.module.handle)(new URLSearchParams(query))],
    }))
}
