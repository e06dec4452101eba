/** The query plans of lists in a shop with many products, of which some are drafts. */
import { type CompiledQuery, type LogEvent, CompiledQuery as Query, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyDueSchedules } from '#app/products/server/publication/publication.ts'
import type { OpenDatabase } from '#db/connect.ts'
import type { Row } from '#db/schema.ts'
import { addCategory } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'
import { shopOn, type TestShop } from '../support/shop.ts'

const PRODUCTS = 20_000

let shop: TestShop & OpenDatabase
let category: Row<'categories'>
const executed: CompiledQuery[] = []

beforeAll(async () => {
  const opened = await openTestDatabase(({ query }: LogEvent) => executed.push(query))
  shop = {
    ...opened,
    ...(await shopOn(opened.db, { CACHE_MB: '0', SHOP_URL: 'https://shop.example.com' })),
  }
  category = await addCategory(shop.db, 'Kitchen')
  const other = await addCategory(shop.db, 'Garden')
  await sql`
    with rows as materialized (
      select n, gen_random_uuid() as id, gen_random_uuid() as variant, n % 9000 as price, n % 40 as quantity
      from generate_series(1, ${PRODUCTS}::integer) as n
    ),
    added as (
      insert into products
        (id, name, slug, description, category_id, status, listed_variant_id, list_price_minor, in_stock)
      select id, 'Cup ' || n, 'cup-' || n, repeat('Holds tea. ', 30),
        (array[${category.id}, ${other.id}]::uuid[])[1 + n % 2],
        (case when n % 10 = 0 then 'draft' else 'published' end)::product_status, variant, price, quantity > 0
      from rows
    )
    insert into variants (id, product_id, price_minor, quantity) select variant, id, price, quantity from rows`.execute(
    shop.db,
  )
  await sql`vacuum analyze products, variants`.execute(shop.db)
})
afterAll(async () => {
  await shop.app.close().finally(shop.close)
})

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** How the statements during some work that ask for the status or the plans of products scan them. */
async function scansOf(work: () => Promise<unknown>): Promise<string[]> {
  executed.length = 0
  await work()
  const statements = executed.filter(({ sql: text }) => /products.status|publish_at/.test(text))
  const scans: string[] = []
  for (const { sql: text, parameters } of statements) {
    const asked = Query.raw(`explain (format json) ${text}`, [...parameters])
    const { rows } = await shop.db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(asked)
    const nodes = rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => nodesOf(Plan))
    for (const node of nodes)
      if (node['Relation Name'] === 'products' || node['Node Type'] === 'Bitmap Index Scan')
        scans.push(`${node['Node Type']}: ${node['Index Name'] ?? ''}`)
  }
  return scans
}

it.each([
  '/api/v1/product/product-list/50',
  '/api/v1/product/products?order=price-up&price=20-39&page=5',
  '/api/v1/product/products?category=CATEGORY&page=50',
  '/api/v1/product/products?category=CATEGORY&order=price-down&stock=in&page=50',
  '/api/v1/product/product-category/SLUG?page=50',
  '/sitemap.xml',
])('%s reads the rows that it skips and counts in the index only', async (path) => {
  const url = path.replace('CATEGORY', category.id).replace('SLUG', category.slug)
  const scans = await scansOf(async () =>
    expect((await shop.app.inject({ url })).statusCode).toBe(200),
  )
  expect(scans.length).toBeGreaterThan(0)
  expect(scans.filter((scan) => !scan.startsWith('Index Only Scan'))).toEqual([])
})

it('what is due is looked for by its time, however many products have plans', async () => {
  await sql`
    update products set list_price_until = now() + interval '1 hour' + interval '1 day' * (list_price_minor % 40)`.execute(
    shop.db,
  )
  await sql`vacuum analyze products`.execute(shop.db)
  executed.length = 0
  await applyDueSchedules(shop.db)
  const [asked, ...others] = executed
  if (!asked) throw new Error('Nothing was asked.')
  expect(others).toEqual([])
  const explain = 'explain (analyze, costs off, timing off, summary off, buffers off)'
  const explained = Query.raw(`${explain} ${asked.sql}`, [...asked.parameters])
  const { rows } = await shop.db.executeQuery<{ 'QUERY PLAN': string }>(explained)
  const nodes = rows.map((row) => row['QUERY PLAN'].trim()).filter((line) => line.includes('rows='))
  expect(nodes).toEqual([
    expect.stringMatching(/^Subquery Scan on next .*rows=0/),
    expect.stringMatching(/^-> {2}Limit .*rows=1/),
    expect.stringMatching(/^-> {2}Index Scan using products_with_plans on products .*rows=1/),
  ])
})
