/** Every statement that the catalogue's calls send, as the database runs it in a large shop. */
import { CompiledQuery, type LogEvent, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { categoryCalls } from '#app/categories/contract.ts'
import { PAGE_SIZE, productCalls } from '#app/products/contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import { MOST_FOUND } from '#app/shared/contract/fields.ts'
import type { OpenDatabase } from '#db/connect.ts'
import type { Database } from '#db/schema.ts'
import { onServer, openTestDatabase } from '../support/database.ts'
import { shopOn, type TestShop } from '../support/shop.ts'
import { fillCatalogue } from './large-catalogue.ts'
import { faultsIn, type Plan } from './read-plan.ts'

/** The embedded database plans as the server does, and takes longer to be filled. */
const PRODUCTS = onServer ? 200_000 : 50_000
const LAST_PAGE = Math.ceil(PRODUCTS / PAGE_SIZE)
/** A place has 512 numbers at most, a block of prices 1000 products; it is read with the next. */
const BOUNDS = { read: 5000, sorted: 1000 }
/**
 * What is ranked is read as a whole. Where very much is found, that is as many slices as promise a
 * thousand; where not even half of all slices hold so many, all of them, which is four thousand at
 * most, and what of it is sold out. Only words are sorted: results are put in order by the shop.
 */
const SEARCHED = { read: 5 * MOST_FOUND, sorted: 300 }

let shop: TestShop & OpenDatabase
let listening = false
const heard: CompiledQuery[] = []
const hear = ({ query }: LogEvent) => listening && heard.push(query)
let shelves: Awaited<ReturnType<typeof fillCatalogue>>

beforeAll(async () => {
  const opened = await openTestDatabase(hear)
  shop = { ...opened, ...(await shopOn(opened.db)) }
  shelves = await fillCatalogue(shop.db, PRODUCTS)
})
afterAll(async () => {
  await shop.app.close().finally(shop.close)
})

const filter = (body: object) => shop.post('/product/product-filters', { body })
const ofCategory = ({ slug }: { slug: string }, query: string) =>
  shop.get(`/product/product-category/${slug}?${query}`)

/** Each call as it is asked for, at its first pages and far behind; a new call needs its own. */
const ASKED: Record<
  keyof typeof productCalls | keyof typeof categoryCalls | keyof typeof searchCalls,
  () => Promise<unknown>
> = {
  getCategories: () => shop.get('/category/get-category'),
  countProducts: () => shop.get('/product/product-count'),
  async listProducts() {
    for (const page of [1, 2, Math.floor(LAST_PAGE / 2), LAST_PAGE])
      await shop.get(`/product/product-list/${page}`)
  },
  async filterProducts() {
    const all = [shelves.large, shelves.rare, ...shelves.small].map(({ id }) => id)
    for (const checked of [[], all, all.slice(0, 2), all.slice(1, 2), all.slice(5, 9)])
      for (const radio of [[], [20, 39], [100, 9999], [60, 99]])
        for (const page of [1, 3, 40, 300, 1500]) await filter({ checked, radio, page })
  },
  async getProducts() {
    for (const page of [1, 2, Math.floor(LAST_PAGE / 4)])
      await shop.get(`/product/get-product?page=${page}`)
  },
  async getProduct() {
    for (const slug of ['cup-1', 'cup-40000', 'no-cup'])
      await shop.get(`/product/get-product/${slug}`)
  },
  async relatedProducts() {
    for (const { _id, category } of await someProducts())
      await shop.get(`/product/related-product/${_id}/${category}`)
  },
  async productsOfCategory() {
    for (const category of [shelves.large, shelves.rare, ...shelves.small.slice(0, 1)])
      for (const narrowed of ['', 'price=0-19&', 'price=40-59&stock=in&', 'stock=in&'])
        for (const sort of ['newest', 'price-up', 'price-down'])
          for (const page of [1, 2, 90, 800, 7000])
            await ofCategory(category, `${narrowed}sort=${sort}&page=${page}`)
  },
  async searchProducts() {
    for (const keyword of KEYWORDS)
      for (const query of ['', '?page=50&sort=price-up'])
        await shop.get(`/product/search/${keyword}${query}`)
  },
  async searchShop() {
    const category = [shelves.rare, ...shelves.small]
      .map(({ id }) => id)
      .slice(0, 2)
      .join()
    for (const keyword of KEYWORDS)
      for (const also of ['', '&stock=in', `&price=20-39&stock=in&category=${category}`])
        await shop.get(`/product/search-results?keyword=${keyword}${also}`)
  },
  async suggest() {
    for (const keyword of [...KEYWORDS, 'c', 'go', 'even o'])
      await shop.get(`/product/suggest?q=${keyword}`)
  },
  async productPhoto() {
    for (const { _id } of await someProducts()) await shop.get(`/product/product-photo/${_id}`)
  },
}

/** Words that all products have, half of them, few, one and none; two that meet, and two that do not. */
const KEYWORDS = [
  ...['cup', 'even', 'scarce', 'golden', 'nothing', 'even odd', 'golden scarce', 'cup tea'],
  ...['cupp', 'scar', 'evne', 'scarce nothing golden', 'even odd scarce golden few cup tea holds'],
]

/** One of a large category, and one of a rare one. */
async function someProducts() {
  type Listed = { products: { _id: string; category: string }[] }
  const pages = await Promise.all(
    [1, LAST_PAGE].map((page) => shop.get<Listed>(`/product/product-list/${page}`)),
  )
  return pages.flatMap(({ body }) => body.products.slice(-1))
}

type Scans = { table: string; scans: number }

/** How often each table was read from end to end until now, within functions, too. */
async function scansIn(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<Scans>`
    select relname as "table", seq_scan::integer as scans from pg_stat_xact_user_tables`.execute(db)
  return new Map(rows.map(({ table, scans }) => [table, scans]))
}

/** What PostgreSQL did for a statement, and what tables it read from end to end. */
async function explain({ sql: text, parameters }: CompiledQuery, db: Database) {
  const before = await scansIn(db)
  const asked = CompiledQuery.raw(`explain (analyze, timing off, format json) ${text}`, [
    ...parameters,
  ])
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(asked)
  const [explained] = rows[0]?.['QUERY PLAN'] ?? []
  if (!explained) throw new Error('Nothing was explained.')
  const after = [...(await scansIn(db))]
  const scanned = after.filter(([table, scans]) => scans > (before.get(table) ?? 0))
  return { plan: explained.Plan, scanned: scanned.map(([table]) => table) }
}

describe(`in a shop of ${PRODUCTS} products`, () => {
  it.each(Object.keys({ ...productCalls, ...categoryCalls, ...searchCalls }))(
    '%s reads as little as in a small one',
    async (name) => {
      heard.length = 0
      listening = true
      await ASKED[name as keyof typeof ASKED]()
      listening = false
      expect(heard.length).toBeGreaterThan(0)
      const faults = new Map<string, string>()
      for (const query of heard) {
        const { plan, scanned } = await shop.db.transaction().execute((tx) => explain(query, tx))
        const found = faultsIn(plan, scanned, name in searchCalls ? SEARCHED : BOUNDS)
        if (found.length > 0)
          faults.set(found.join(', '), `${query.sql} ${JSON.stringify(query.parameters)}`)
      }
      expect([...faults]).toEqual([])
    },
  )
})
