/** The statements of a purchase, counted through HTTP, so that they cannot grow unseen. */
import { type LogEvent, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { addCoupon } from '../support/coupons.ts'
import { onServer, openTestDatabase } from '../support/database.ts'
import { cartOf, purchases, signedPayment } from '../support/payments.ts'
import { shopOn, type TestShop } from '../support/shop.ts'

const MAX_ROUND_TRIPS = 5
const MAX_WRITING_COMMITS = 2

let shop: TestShop & OpenDatabase
const executed: string[] = []

beforeAll(async () => {
  const opened = await openTestDatabase(({ query }: LogEvent) => executed.push(query.sql.trim()))
  shop = { ...opened, ...(await shopOn(opened.db)) }
})
afterAll(async () => {
  await shop.app.close().finally(shop.close)
})

const isWrite = (text: string) =>
  /\b(insert into|delete from|update "?(products|payments|orders|users|coupons))\b/.test(text)

/** The first statement of a transaction. The listener does not hear its begin and its commit. */
const isBeginning = (text: string) => text.includes("set_config('haat.actor'")

/** The round trips, and the most writing commits that there can be: one per statement that writes. */
function costOf(statements: string[]) {
  const transactions = statements.filter(isBeginning).length
  return {
    roundTrips: statements.length + 2 * transactions,
    writingCommits: statements.filter(isWrite).length,
  }
}

it('counts what a statement and a transaction cost', () => {
  const begin = "select set_config('haat.actor', $1, true)"
  const insert = 'with a as (insert into "orders" (id) values ($1)) select 1'
  expect(costOf(['select 1', insert])).toEqual({ roundTrips: 2, writingCommits: 1 })
  expect(costOf([begin, insert])).toEqual({ roundTrips: 4, writingCommits: 1 })
  expect(costOf(['select 1 for update', 'select 1 for no key update of payments'])).toMatchObject({
    writingCommits: 0,
  })
})

it('a purchase takes few round trips, and few commits that write', async () => {
  const { start, verify } = purchases(shop)
  const category = await addCategory(shop.db, 'Kitchen')
  const cart = cartOf(
    await addProduct(shop.db, { category }),
    await addProduct(shop.db, { category }),
  )
  const buyers = [await addPerson(shop.db), await addPerson(shop.db)]
  // the first purchase of a process may read more
  for (const buyer of buyers) {
    executed.length = 0
    const { body } = await start(buyer, { amount: 2500, cart })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
  }
  // but for the customer, who pays in the sandbox
  const { roundTrips, writingCommits } = costOf(
    executed.filter((statement) => !statement.includes('provider_records')),
  )
  expect(roundTrips, executed.join('\n')).toBeLessThanOrEqual(MAX_ROUND_TRIPS)
  expect(writingCommits, executed.join('\n')).toBeLessThanOrEqual(MAX_WRITING_COMMITS)
  // the two sessions, the prices, the payment and its order
  expect(executed.length).toBeGreaterThanOrEqual(5)
  expect(writingCommits).toBeGreaterThanOrEqual(2)
})

/** PostgreSQL plans a prepared statement so often before it compares a plan for all parameters. */
const CUSTOM_PLANS = 5

it.runIf(onServer)('the statements of a purchase are planned once, not for each cart', async () => {
  const { start, verify } = purchases(shop)
  const category = await addCategory(shop.db, 'Bath')
  const products = [
    await addProduct(shop.db, { category, quantity: 100 }),
    await addProduct(shop.db, { category, quantity: 100 }),
    await addProduct(shop.db, { category, quantity: 100 }),
  ]
  const buyer = await addPerson(shop.db)
  // one after the other, so that all are sent on one connection
  for (let turn = 0; turn < 3 * CUSTOM_PLANS; turn += 1) {
    const cart = cartOf(...products.slice(turn % products.length))
    const { body } = await start(buyer, { amount: 1250 * cart.length, cart })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
  }
  const { rows } = await sql<{ custom: number; generic: number; statement: string }>`
    select custom_plans::integer as custom, generic_plans::integer as generic, statement
    from pg_prepared_statements where custom_plans + generic_plans > ${CUSTOM_PLANS}`.execute(
    shop.db,
  )
  expect(rows).toHaveLength(4)
  for (const { custom, generic, statement } of rows) {
    expect(custom, statement).toBeLessThanOrEqual(CUSTOM_PLANS)
    expect(generic, statement).toBeGreaterThan(0)
  }
})

it('a coupon costs a purchase one statement, and no commit', async () => {
  const { start, verify } = purchases(shop)
  const category = await addCategory(shop.db, 'Garden')
  const cart = cartOf(await addProduct(shop.db, { category }))
  await addCoupon(shop.db, { code: 'TEN', max_uses: 10, max_uses_each: 1 })
  const costs = []
  for (const couponCodes of [undefined, ['TEN']]) {
    const buyer = await addPerson(shop.db, { isConfirmed: true })
    executed.length = 0
    const { body } = await start(buyer, { amount: couponCodes ? 1125 : 1250, cart, couponCodes })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    costs.push(costOf(executed))
  }
  const [without, withCoupon] = costs
  expect(withCoupon).toEqual({ ...without, roundTrips: (without?.roundTrips ?? 0) + 1 })
})

it('an automatic discount costs a purchase no statement', async () => {
  const { start, verify } = purchases(shop)
  const category = await addCategory(shop.db, 'Sale')
  const cart = cartOf(await addProduct(shop.db, { category }))
  const costs = []
  for (const amount of [1250, 1125]) {
    const buyer = await addPerson(shop.db)
    executed.length = 0
    const { body } = await start(buyer, { amount, cart, automaticDiscounts: true })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    costs.push(costOf(executed))
    const id = crypto.randomUUID()
    await addCoupon(shop.db, { id, code: id, title: 'Sale' })
  }
  const [without, withDiscount] = costs
  expect(withDiscount).toEqual(without)
})

it('a discount for a first order is reserved with the buyer locked, and not tried before', async () => {
  const { start } = purchases(shop)
  const cart = cartOf(await addProduct(shop.db, { category: await addCategory(shop.db, 'New') }))
  await addCoupon(shop.db, { code: 'FIRST', audience: 'first_order' })
  const buyer = await addPerson(shop.db)
  executed.length = 0
  const started = await start(buyer, { amount: 1125, cart, couponCodes: ['FIRST'] })
  expect(started.status).toBe(200)
  expect(executed.filter((text) => text.includes('usable_coupons'))).toHaveLength(1)
})
