/** What the statements of long lists of the back office read, where few rows are shown or found. */
import { CompiledQuery, type LogEvent, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { addCategory } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'
import { shopOn, type TestShop } from '../support/shop.ts'

const ROWS = 20_000
const PRODUCTS = 2000
const PAGE = 50
/** The captures whose money was refunded: those of one state, and none of other exceptions. */
const REFUNDED = 200

let shop: TestShop & OpenDatabase
let admin: Person
const executed: CompiledQuery[] = []

const products = (category: string) => sql`
  with rows as materialized (
    select n, gen_random_uuid() as id, gen_random_uuid() as variant from generate_series(1, ${sql.lit(PRODUCTS)}) as n
  ),
  added as (
    insert into products
      (id, name, slug, description, category_id, listed_variant_id, list_price_minor, in_stock)
    select id, 'Cup ' || n, 'cup-' || n, 'Holds tea.', ${category}::uuid, variant, 100, true from rows
  )
  insert into variants (id, product_id, price_minor, quantity) select variant, id, 100, 1 + n % 50 from rows`

const payments = (buyer: string) => sql`
  with paid as (
    insert into payments (id, user_id, provider, provider_order_id, amount_minor, currency, state)
    select gen_random_uuid(), ${buyer}::uuid, 'sandbox', 'order_' || n, n, 'INR', 'paid'
    from generate_series(1, ${sql.lit(ROWS)}) as n
    returning *
  ),
  captured as (
    insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency, confirmed_at, purpose)
    select id, id, provider, 'pay_' || provider_order_id, amount_minor, currency, now(), 'order' from paid
    returning *
  )
  insert into refunds (id, capture_id, amount_minor, reason, state, done_at)
  select gen_random_uuid(), id, amount_minor, 'As asked', 'done', now()
  from captured where amount_minor <= ${sql.lit(REFUNDED)}`

const history = sql`
  insert into audit_log (table_name, row_id, action, after, actor_kind)
  select case when n <= ${sql.lit(ROWS / 2)} then 'products' else 'users' end, gen_random_uuid(), 'update', '{}'::jsonb, 'shop'
  from generate_series(1, ${sql.lit(ROWS)}) as n`

beforeAll(async () => {
  const opened = await openTestDatabase(({ query }: LogEvent) => executed.push(query))
  shop = { ...opened, ...(await shopOn(opened.db)) }
  admin = await addPerson(shop.db, { admin: true })
  const { id: category } = await addCategory(shop.db, 'Kitchen')
  await products(category).execute(shop.db)
  await payments(admin.id).execute(shop.db)
  await history.execute(shop.db)
  await sql`
    insert into coupons (id, code, percent)
    select gen_random_uuid(), 'CODE-' || n, 10 from generate_series(1, ${sql.lit(ROWS)}) as n`.execute(
    shop.db,
  )
  await sql`vacuum analyze`.execute(shop.db)
})
afterAll(async () => {
  await shop.app.close().finally(shop.close)
})

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The nodes that read a table while a list is made, and how many rows each reads. */
async function readsOf(path: string, table: string) {
  executed.length = 0
  const { status } = await shop.get(path, { token: admin.token })
  expect(status).toBe(200)
  const reads: { by: string; rows: number }[] = []
  for (const { sql: text, parameters } of executed.filter(({ sql: text }) =>
    text.includes(table),
  )) {
    const asked = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
    const { rows } = await shop.db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(asked)
    const nodes = rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => nodesOf(Plan))
    for (const node of nodes.filter((one) => one['Relation Name'] === table))
      reads.push({
        by: node['Index Name'] ?? node['Node Type'],
        rows: (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      })
  }
  expect(reads).not.toEqual([])
  return reads
}

it.each([
  ['refunded', 0],
  ['refunding', 0],
  ['voided', 0],
  ['resolved', 0],
  ['order_refunded', REFUNDED],
])('the payments that are %s are found without those that are paid', async (state, most) => {
  const reads = await readsOf(`/payment/payments?state=${state}`, 'captures')
  expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(most)
})

it('a page of the history of a kind does not read newer entries of others', async () => {
  const reads = await readsOf('/audit-log?kind=products', 'audit_log')
  const read = reads.filter(({ by }) => by !== 'audit_log_of_kind').map(({ rows }) => rows)
  expect(Math.max(...read)).toBeLessThanOrEqual(PAGE)
})

it.each(['used_up', 'unusable'])(
  'the discounts that are %s are not searched for one by one in their order',
  async (state) => {
    const reads = await readsOf(`/coupon/coupons?state=${state}`, 'coupons')
    expect(reads.filter(({ rows }) => rows > PAGE).map(({ by }) => by)).toEqual([
      'Seq Scan',
      'Seq Scan',
    ])
  },
)

it('the variants are read through for no single product where little stock is left', async () => {
  const reads = await readsOf('/product/all-products?stock=low', 'variants')
  // by the filter, because no index has the stock, and for the rows of the page
  expect(reads.length).toBeLessThanOrEqual(5)
  for (const { rows } of reads) expect(rows).toBeLessThanOrEqual(PRODUCTS)
})
