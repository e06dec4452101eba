/** A cached answer has a tag of each table that it reads: without it, a change would never be seen. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyRequest } from 'fastify'
import type { LogEvent } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { cacheTagsOf } from '#app/shared/server/cache/cache-tags.ts'
import { checkOf } from '#app/shared/server/input/validation.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { OTHER_ROUTES } from './attacks/route-table.ts'
import { propertiesOf } from './attacks/support/requests.ts'
import { addFixtures, knownBy } from './fuzz/fixtures.ts'
import type { Known } from './fuzz/values.ts'
import { isTagOf } from './support/cache-tags.ts'
import { addPhoto } from './support/catalogue.ts'
import { openTestDatabase } from './support/database.ts'
import { declared } from './support/declared.ts'
import { plain } from './support/pictures.ts'
import { shopOn, type TestShop } from './support/shop.ts'

const HANDLED = 'tracing:fastify.request.handler:asyncEnd'

let opened: OpenDatabase
let shop: TestShop
let tables: string[]
let fixtures: Awaited<ReturnType<typeof addFixtures>>
let statements: string[] = []
let tags: ReadonlySet<string> | undefined

const onHandled = (message: unknown) => {
  tags = cacheTagsOf((message as { request: FastifyRequest }).request.raw)
}

beforeAll(async () => {
  opened = await openTestDatabase(({ query }: LogEvent) => statements.push(query.sql))
  shop = await shopOn(opened.db, { CACHE_MB: '0', SHOP_URL: 'https://shop.example.com' })
  tables = (await opened.db.introspection.getTables()).map(({ name }) => name)
  fixtures = await addFixtures(shop)
  for (const id of fixtures.ids['/product/'] ?? []) await addPhoto(opened.db, { id })
  const bytes = await plain(40, 30).jpeg().toBuffer()
  await opened.db.updateTable('pictures').set({ bytes }).execute()
  subscribe(HANDLED, onHandled)
})
afterAll(async () => {
  unsubscribe(HANDLED, onHandled)
  await shop?.app.close().finally(opened.close)
})

/** The tables that the statements read. */
function tablesIn(texts: string[]): string[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:from|join)\s+"?(\w+)/g)].map(([, name]) => name),
  )
  return tables.filter((table) => names.includes(table))
}

/** The tables that an answer reads and has no tag of; null when there is no answer. */
async function untaggedIn(url: string): Promise<string[] | null> {
  statements = []
  tags = undefined
  const { statusCode } = await shop.app.inject({ url })
  if (statusCode !== 200) return null
  const own = [...(tags ?? [])]
  return tablesIn(statements).filter((table) => !own.some((tag) => isTagOf(table, tag)))
}

/** URLs of a call, with one known value after the other. */
function urlsOf(endpoint: Endpoint, known: Known): string[] {
  const { params, query } = endpoint
  const valuesOf = (name: string, schema: object) =>
    (known[name] ?? []).filter((value) => checkOf(schema)(value) === null)
  return Array.from({ length: 6 }, (_, n) => {
    const given = [params, query].flatMap(propertiesOf).map(([name, schema]) => {
      const values = schema.enum ?? valuesOf(name, schema)
      return [name, String(values[n % values.length] ?? '')] as const
    })
    const values = Object.fromEntries(given)
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '')
    const search = propertiesOf(query)
      .map(([name]) => `${name}=${encodeURIComponent(values[name] ?? '')}`)
      .filter((pair) => !pair.endsWith('='))
    return `${API_PREFIX}${path}?${search.join('&')}`
  })
}

/** A preview is declared as cached, and never is (tests/cache/launches.test.ts). */
const CACHED = declared.filter(([name, { cache }]) => cache && name !== 'previewProduct')

describe.each(CACHED)('%s', (_, endpoint) => {
  it('has a tag of each table that it reads', async () => {
    const found = []
    for (const url of urlsOf(endpoint, knownBy(endpoint, fixtures)))
      found.push(await untaggedIn(url))
    const answers = found.filter((untagged) => untagged !== null)
    expect(answers.length).toBeGreaterThan(0)
    expect([...new Set(answers.flat())]).toEqual([])
  })
})

it.each(OTHER_ROUTES)('%s has a tag of each table that it reads, if it is cached', async (url) => {
  const untagged = await untaggedIn(url)
  if (tags) expect(untagged).toEqual([])
})

it('sees the tables of a statement', () => {
  const text = 'select 1 from "coupons" as c join lateral (select 1 from products) p on true'
  expect(tablesIn([text]).sort()).toEqual(['coupons', 'products'])
})
