/** The query plans of the payments that need attention, in a shop with many payments. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { addPerson } from '../support/accounts.ts'
import { openTestDatabase } from '../support/database.ts'

const PAYMENTS = 60_000
/** One order of so many is cancelled, and its payment is refunded. */
const CANCELLED = 100
/** Two for each of them: one as a candidate, and one for its state. */
const MAX_ROWS = (2 * PAYMENTS) / CANCELLED + 100

let shop: OpenDatabase

beforeAll(async () => {
  shop = await openTestDatabase()
  const { id } = await addPerson(shop.db)
  await sql`
    with paid as (
      insert into payments (id, user_id, provider, provider_order_id, amount_minor, currency, state)
      select gen_random_uuid(), ${id}, 'sandbox', 'order_' || n, 1000, 'INR', 'paid'
      from generate_series(1, ${PAYMENTS}::integer) as n
      returning *
    ),
    captured as (
      insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency,
        confirmed_at, purpose)
      select id, id, provider, replace(provider_order_id, 'order', 'pay'), amount_minor, currency, now(),
        'order'
      from paid
      returning *
    ),
    refunded as (
      insert into refunds (id, capture_id, amount_minor, reason, state, done_at)
      select gen_random_uuid(), id, amount_minor, 'As asked', 'done', now()
      from captured
      where ltrim(provider_payment_id, 'pay_')::integer % ${sql.lit(CANCELLED)} = 0
      returning capture_id
    )
    insert into orders (id, payment_id, user_id, total_minor, currency, status,
      buyer_name, buyer_email, buyer_phone, buyer_address)
    select gen_random_uuid(), id, user_id, amount_minor, currency,
      case when capture_id is null then 'deliverd' else 'cancel' end, '', '', '', ''
    from paid left join refunded on capture_id = id`.execute(shop.db)
  await sql`update captures set issue = 'amount_mismatch' where provider_payment_id = 'pay_1'`.execute(
    shop.db,
  )
  await sql`vacuum analyze`.execute(shop.db)
})
afterAll(() => shop.close())

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const READ = ['payments', 'captures', 'refunds', 'orders']

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

it.each([
  'select count(*) from payments_needing_attention',
  'select state, count(*) from payments_needing_attention group by state',
])('%s reads the payments of partial indexes only', async (text) => {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }>`
    explain (analyze, format json) ${sql.raw(text)}`.execute(shop.db)
  const nodes = rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => nodesOf(Plan))
  const read = nodes.filter((node) => READ.includes(node['Relation Name'] ?? ''))
  // each refund is of a cancelled order here, so that its table has no other rows
  const others = read.filter((node) => node['Relation Name'] !== 'refunds')
  expect(others.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  const counts = read.map(
    (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  )
  expect(Math.max(...counts)).toBeLessThan(MAX_ROWS)
})
