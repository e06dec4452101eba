import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import { atOnce } from '#tests/support/at-once.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { takeChance } from '#tests/support/chance.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'
import { cartOf, purchases, SECRET, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import type { Figures } from '../admin-contract.ts'
import { ORDER_STATUSES, type Order } from '../contract.ts'

const shop = testShop({ SANDBOX_SECRET: SECRET })
const { start, verify } = purchases(shop)

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const figures = async () => (await shop.get<Figures>('/order/figures', { token: admin.token })).body
const setStatus = ({ id }: { id: string }, status: string) =>
  shop.put(`/auth/order-status/${id}`, { token: admin.token, body: { status } })

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const midnight = () => new Date().setUTCHours(0, 0, 0, 0)
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

type Rows = Record<string, unknown>[]
const rows = async (query: string): Promise<Rows> =>
  (await sql<Rows[0]>`${sql.raw(query)}`.execute(shop.db)).rows

const DAY_OF_ORDER = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`
const LINES = `order_lines join orders on orders.id = order_id`

/** Each figure as it is kept, and as it is found by counting everything anew. */
const RECOUNTS: Record<string, [kept: string, recounted: string]> = {
  days: [
    `select day::text, status, test, sum(orders)::integer as n, sum(revenue_minor)::bigint as minor
      from daily_sales group by 1, 2, 3 having sum(orders) <> 0 or sum(revenue_minor) <> 0
      order by 1, 2, 3`,
    `select ${DAY_OF_ORDER} as day, status, test, count(*)::integer as n,
        sum(total_minor)::bigint as minor from orders group by 1, 2, 3 order by 1, 2, 3`,
  ],
  products: [
    `select day::text, product_id, pieces as n, revenue_minor as minor
      from daily_product_sales where pieces <> 0 or revenue_minor <> 0 order by 1, 2`,
    `select ${DAY_OF_ORDER} as day, product_id, sum(quantity)::integer as n,
        sum(quantity * price_minor)::bigint as minor
      from ${LINES} where status <> 'cancel' and not test group by 1, 2 order by 1, 2`,
  ],
  'products of late': [
    `select product_id, pieces as n, revenue_minor as minor
      from recent_product_sales where pieces <> 0 or revenue_minor <> 0 order by 1`,
    `select product_id, sum(quantity)::bigint as n, sum(quantity * price_minor)::bigint as minor
      from ${LINES} where status <> 'cancel' and not test
        and ${DAY_OF_ORDER} >= (select day::text from recent_product_sales_start)
      group by 1 order by 1`,
  ],
  buyers: [
    `select user_id, orders as n, spent_minor as minor
      from user_sales where orders <> 0 or spent_minor <> 0 order by 1`,
    `select user_id, count(*)::integer as n, sum(total_minor)::bigint as minor
      from orders where status <> 'cancel' and not test group by 1 order by 1`,
  ],
  statuses: [
    `select status, test, sum(orders)::integer as n from order_counts group by 1, 2
      having sum(orders) <> 0 order by 1, 2`,
    `select status, test, count(*)::integer as n from orders group by 1, 2 order by 1, 2`,
  ],
  stock: [
    `select product_id as id, quantity from running_low order by 1`,
    `select id, quantity from products where quantity <= 5 order by 1`,
  ],
}

async function expectExact(hint = '') {
  for (const [figure, [kept, recounted]] of Object.entries(RECOUNTS)) {
    expect(await rows(kept), `${figure} ${hint}`).toEqual(await rows(recounted))
  }
}

/** Lets the best sellers look back on so many days, today included, as if time went by. */
const lookBack = (days: number) =>
  rows(`select start_recent_product_sales(day_of(now()) - ${days - 1})`)

describe('the figures', () => {
  it(
    'are what a full recount finds after random traffic',
    async () => {
      const { seed, next, pick } = takeChance()
      const hint = `HAAT_SEED=${seed}`
      const category = await addCategory(shop.db, 'Cups')
      const products = await Promise.all(
        [3, 12, 400, 400, 400, 400].map((quantity) => addProduct(shop.db, { category, quantity })),
      )
      const buyers = await Promise.all([1, 2, 3].map(() => addPerson(shop.db)))
      const known: { id: string }[] = []
      const buy = async () => {
        const buyer = pick(buyers)
        const cart = cartOf(
          ...Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick(products)),
        )
        const { body, status } = await start(buyer, { amount: cart.length * 1250, cart })
        expect([200, 409], hint).toContain(status)
        if (status !== 200) return
        const sold = await verify(buyer, signedPayment(body.id))
        if (sold.status === 200) known.push({ id: sold.body.order._id })
      }
      const sell = async () => {
        const at = new Date(Date.now() - next() * 40 * DAY)
        const status = pick(ORDER_STATUSES)
        known.push(await addOrder(shop.db, pick(buyers), { at, status, test: next() < 0.2 }))
      }
      const change = async () => {
        if (known.length === 0) return
        const { status } = await setStatus(pick(known), pick(['cancel', ...ORDER_STATUSES]))
        expect(status, hint).toBe(200)
      }
      for (let round = 0; round < 25; round++) {
        const midnight = lookBack(25 + Math.floor(next() * 10))
        const traffic = [buy(), buy(), change(), change(), sell(), change(), buy(), change()]
        await Promise.all([midnight, ...traffic])
      }
      expect(known.length, hint).toBeGreaterThan(50)
      await expectExact(hint)
      // the same order again and again, into and out of cancel at once
      const [one, other] = [pick(known), pick(known)]
      const flips = Array.from(
        { length: 20 },
        (_, n) => () => setStatus(n % 3 ? one : other, pick(['cancel', 'Shipped'])),
      )
      const both = sql`select from orders where id in (${one.id}, ${other.id}) for update`
      await atOnce<unknown>(shop.db, both, [...flips, () => lookBack(20), () => lookBack(40)])
      await expectExact(hint)
      for (const days of [30, 29, 28, 10, 1, 0, 45]) {
        await lookBack(days)
        await expectExact(hint)
      }
      // much traffic takes its time on a busy machine
    },
    MINUTE,
  )
})

describe('GET /order/figures', () => {
  const lineOf = (product: { id: string; name: string }, quantity: number) => ({
    ...LINE,
    product_id: product.id,
    name: product.name,
    quantity,
  })

  beforeAll(async () => {
    await shop.db.deleteFrom('products').execute()
    await emptyTables(shop.db, [
      'orders',
      'order_lines',
      'daily_sales',
      'daily_product_sales',
      'recent_product_sales',
      'user_sales',
      'order_counts',
    ])
  })

  it('has thirty days of zeros before anything was sold', async () => {
    const { days, ...rest } = await figures()
    expect(days).toHaveLength(30)
    expect(days.at(-1)?.day).toBe(dayOf(midnight()))
    expect(days[0]?.day).toBe(dayOf(midnight() - 29 * DAY))
    expect(new Set(days.map(({ orders, revenue }) => orders + revenue))).toEqual(new Set([0]))
    expect(rest).toEqual({ bestSellers: [], runningLow: [], latestOrders: [], paymentsInNeed: 0 })
  })

  it('begins a day at midnight in UTC, and looks back on thirty', async () => {
    const buyer = await addPerson(shop.db)
    const today = midnight()
    const times = [today, today - 1, today - DAY, today - 29 * DAY, today - 29 * DAY - 1]
    const orders = []
    for (const time of times) orders.push(await addOrder(shop.db, buyer, { at: new Date(time) }))
    const { days, latestOrders } = await figures()
    const sold = days.filter(({ orders }) => orders > 0)
    expect(sold).toEqual([
      { day: dayOf(today - 29 * DAY), orders: 1, revenue: 39.98 },
      { day: dayOf(today - DAY), orders: 2, revenue: 79.96 },
      { day: dayOf(today), orders: 1, revenue: 39.98 },
    ])
    expect(latestOrders.map(({ _id }) => _id)).toEqual(orders.map(({ id }) => id))
    for (const order of orders) await setStatus(order, 'cancel')
    const { days: after, latestOrders: still } = await figures()
    expect(after.filter(({ orders, revenue }) => orders + revenue > 0)).toEqual([])
    expect(still).toHaveLength(5)
  })

  it('ranks what sold most in thirty days, under its present name or its last', async () => {
    const buyer = await addPerson(shop.db)
    const category = await addCategory(shop.db, 'Pots')
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
    const products = []
    for (const [at, name] of names.entries()) {
      const product = await addProduct(shop.db, { category, name, quantity: 100 })
      products.push(product)
      await addOrder(shop.db, buyer, { lines: [lineOf(product, at + 1)] })
    }
    const [one, , , , five, six] = products
    if (!one || !five || !six) throw new Error('Products are missing.')
    const long = new Date(midnight() - 30 * DAY)
    await addOrder(shop.db, buyer, { lines: [lineOf(one, 99)], at: long })
    await addOrder(shop.db, buyer, { lines: [lineOf(one, 99)], status: 'cancel' })
    await shop.db.updateTable('products').set({ name: 'Cinq' }).where('id', '=', five.id).execute()
    await shop.db.deleteFrom('products').where('id', '=', six.id).execute()
    const { bestSellers } = await figures()
    expect(bestSellers.map(({ name, pieces }) => [name, pieces])).toEqual([
      ['Six', 6],
      ['Cinq', 5],
      ['Four', 4],
      ['Three', 3],
      ['Two', 2],
    ])
    expect(bestSellers.map(({ _id, slug }) => [_id, slug]).slice(0, 2)).toEqual([
      [six.id, null],
      [five.id, five.slug],
    ])
    expect(bestSellers[0]?.revenue).toBe(119.94)
  })

  it('lets a day leave when it is over, and takes it back with the clock', async () => {
    const buyer = await addPerson(shop.db)
    const product = { id: uuidv7(), name: 'Lantern' }
    const daysAgo = (days: number) => ({ at: new Date(midnight() - days * DAY) })
    const old = await addOrder(shop.db, buyer, { lines: [lineOf(product, 70)], ...daysAgo(30) })
    const last = await addOrder(shop.db, buyer, { lines: [lineOf(product, 60)], ...daysAgo(29) })
    const pieces = async () =>
      (await figures()).bestSellers.find(({ _id }) => _id === product.id)?.pieces
    for (const days of [31, 29, 500, 0]) {
      await lookBack(days)
      expect(await pieces()).toBe(60)
    }
    await setStatus(old, 'cancel')
    expect(await pieces()).toBe(60)
    await setStatus(last, 'cancel')
    expect(await pieces()).toBe(undefined)
    await setStatus(last, 'Shipped')
    expect((await figures()).bestSellers[0]).toMatchObject({ name: 'Lantern', pieces: 60 })
  })

  it('warns of five pieces or fewer, the fewest first, ten at most', async () => {
    await shop.db.deleteFrom('products').execute()
    const category = await addCategory(shop.db, 'Plates')
    for (const quantity of [6, 5, 0, 3]) {
      await addProduct(shop.db, { category, name: `Plate ${quantity}`, quantity })
    }
    const low = async () =>
      (await figures()).runningLow.map(({ name, quantity }) => [name, quantity])
    expect(await low()).toEqual([
      ['Plate 0', 0],
      ['Plate 3', 3],
      ['Plate 5', 5],
    ])
    const stock = (name: string, quantity: number) =>
      shop.db.updateTable('products').set({ quantity }).where('name', '=', name).execute()
    await Promise.all([stock('Plate 6', 1), stock('Plate 0', 60), stock('Plate 5', 4)])
    expect(await low()).toEqual([
      ['Plate 6', 1],
      ['Plate 3', 3],
      ['Plate 5', 4],
    ])
    for (let n = 0; n < 12; n++) await addProduct(shop.db, { category, quantity: 0 })
    expect(await low()).toHaveLength(10)
  })

  it('shows the five latest orders as the list does', async () => {
    const list = await shop.get<Order[]>('/auth/all-orders', { token: admin.token })
    const heads = list.body.slice(0, 5).map(({ products: _, delivery: _to, ...head }) => head)
    expect((await figures()).latestOrders).toEqual(heads)
  })
})
