/** The query plans of the list of orders, in a shop with many orders that are sent. */
import { CompiledQuery, type LogEvent, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { openTestDatabase } from '../support/database.ts'
import { addOrder } from '../support/orders.ts'
import { shopOn, type TestShop } from '../support/shop.ts'

const SENT = 20_000
/** One order of so many is refunded. */
const REFUNDED = 100
const PAGE = 50
/** A page, and the refunds: for each the refund and its money. */
const MAX_ROWS = PAGE + (2 * SENT) / REFUNDED + 10

let shop: TestShop & OpenDatabase
let admin: Person
const executed: CompiledQuery[] = []

beforeAll(async () => {
  const opened = await openTestDatabase(({ query }: LogEvent) => executed.push(query))
  shop = { ...opened, ...(await shopOn(opened.db)) }
  admin = await addPerson(shop.db, { admin: true })
  const buyer = await addPerson(shop.db)
  await sql`
    with paid as (
      insert into payments (id, user_id, provider, provider_order_id, amount_minor, currency, state)
      select gen_random_uuid(), ${buyer.id}, 'sandbox', 'order_' || n, 1000 + n, 'INR', 'paid'
      from generate_series(1, ${SENT}::integer) as n
      returning *
    ),
    captured as (
      insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency,
        confirmed_at, purpose)
      select id, id, provider, 'pay_' || provider_order_id, amount_minor, currency, now(), 'order'
      from paid
      returning *
    ),
    refunded as (
      insert into refunds (id, capture_id, amount_minor, reason, state, done_at)
      select gen_random_uuid(), id, amount_minor, 'As asked', 'done', now()
      from captured
      where (amount_minor - 1000) % ${sql.lit(REFUNDED)} = 0
    )
    insert into orders (id, payment_id, user_id, total_minor, currency, status,
      buyer_name, buyer_email, buyer_phone, buyer_address)
    select gen_random_uuid(), id, user_id, amount_minor, currency, 'deliverd', md5(id::text), '', '', ''
    from paid`.execute(shop.db)
  await addOrder(shop.db, buyer)
  await sql`vacuum analyze`.execute(shop.db)
})
afterAll(async () => {
  await shop.app.close().finally(shop.close)
})

type Plan = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The most rows that a node of the plan reads of a table. */
async function mostReadBy({ sql: text, parameters }: CompiledQuery) {
  const asked = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
  const { rows } = await shop.db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(asked)
  const nodes = rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => nodesOf(Plan))
  const read = nodes
    .filter((node) => node['Relation Name'])
    .map(
      (node) =>
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    )
  return Math.max(0, ...read)
}

it.each(['-date', 'number', '-total', 'total', 'customer', '-customer'])(
  'a page of all orders, sorted by %s, reads its own orders only',
  async (sort) => {
    executed.length = 0
    const { status } = await shop.get(`/auth/all-orders?sort=${sort}`, { token: admin.token })
    expect(status).toBe(200)
    const ids = executed.filter(({ sql: text }) =>
      /^select "id" from "orders" .*order by/.test(text),
    )
    expect(ids).toHaveLength(1)
    for (const statement of ids) expect(await mostReadBy(statement)).toBeLessThanOrEqual(PAGE + 1)
  },
)

it('the orders to be sent are found without reading those that are sent', async () => {
  executed.length = 0
  const path = '/auth/all-orders?view=to_send&sort=-total'
  const { headers } = await shop.get(path, { token: admin.token })
  expect(headers['x-total-count']).toBe('1')
  const statements = executed.filter(({ sql: text }) => text.includes('stock_returned_at is null'))
  expect(statements.length).toBeGreaterThanOrEqual(2)
  for (const statement of statements)
    expect(await mostReadBy(statement), statement.sql).toBeLessThanOrEqual(MAX_ROWS)
})
