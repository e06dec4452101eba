/** The query plans of a purchase, in a shop with many unconfirmed payments. */
import type { CompiledQuery, LogEvent } from 'kysely'
import { CompiledQuery as Query, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'
import { cartOf, purchases, signedPayment } from '../support/payments.ts'
import { shopOn, type TestShop } from '../support/shop.ts'

const UNCONFIRMED = 5000
const MONEY = ['payments', 'captures', 'refunds']
/** A purchase reads its own payment, and perhaps a former one of its buyer. */
const MAX_ROWS = 10

let shop: TestShop & OpenDatabase
const executed: CompiledQuery[] = []

beforeAll(async () => {
  const opened = await openTestDatabase(({ query }: LogEvent) => executed.push(query))
  shop = { ...opened, ...(await shopOn(opened.db)) }
  const other = await addPerson(shop.db)
  await sql`
    with paid as (
      insert into payments (id, user_id, provider, provider_order_id, amount_minor, currency, state,
        next_attempt_at)
      select gen_random_uuid(), ${other.id}, 'sandbox', 'order_' || n, 1000, 'INR', 'paid',
        now() + interval '1 hour'
      from generate_series(1, ${UNCONFIRMED}::integer) as n
      returning *
    ), captured as (
      insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency, purpose)
      select gen_random_uuid(), id, provider, 'pay_' || provider_order_id, amount_minor, currency, 'order'
      from paid
      returning *
    )
    insert into refunds (id, capture_id, amount_minor, reason, state, next_attempt_at)
    select gen_random_uuid(), id, amount_minor, 'As asked', 'pending', now() + interval '1 hour'
    from captured`.execute(shop.db)
  await sql`vacuum analyze`.execute(shop.db)
})
afterAll(async () => {
  await shop.app.close().finally(shop.close)
})

type Plan = { 'Relation Name'?: string; 'Plan Rows': number; Plans?: Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The number of rows of payments and their money that the planner expects to read. */
async function moneyReadBy({ sql: text, parameters }: CompiledQuery) {
  const asked = Query.raw(`explain (format json) ${text}`, [...parameters])
  const { rows } = await shop.db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(asked)
  const plans = rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => nodesOf(Plan))
  const ofMoney = plans.filter((node) => MONEY.includes(node['Relation Name'] ?? ''))
  return Math.max(0, ...ofMoney.map((node) => node['Plan Rows']))
}

it('a purchase reads the money of no other payment', async () => {
  const { start, verify } = purchases(shop)
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category: await addCategory(shop.db, 'Kitchen') })
  executed.length = 0
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
  const statements = executed.filter(({ sql: text }) => MONEY.some((name) => text.includes(name)))
  expect(statements.length).toBeGreaterThanOrEqual(2)
  const read = new Map<string, number>()
  for (const statement of statements) read.set(statement.sql, await moneyReadBy(statement))
  expect([...read].filter(([, rows]) => rows > MAX_ROWS)).toEqual([])
})
