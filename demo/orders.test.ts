import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListedUser } from '#app/accounts/admin-contract.ts'
import { replacePassword } from '#app/accounts/server/service.ts'
import { personalData } from '#app/modules.ts'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { CreditNote, Invoice, Order } from '#app/orders/contract.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { addOrder } from '#tests/support/orders.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { shopOn, type TestShop } from '#tests/support/shop.ts'
import { DEMO_CUSTOMERS } from './customers.ts'
import { finishOrders } from './finish-orders.ts'
import { insertCustomers } from './insert-orders.ts'
import { loadDemo } from './load-demo.ts'
import { endDemo } from './lock-accounts.ts'

let database: OpenDatabase
let shop: TestShop
let admin: Person
beforeAll(async () => {
  database = await openTestDatabase()
  await loadDemo(database.db)
  const settings = { CURRENCY_DISPLAY: 'USD' }
  shop = await shopOn(database.db, settings, undefined, { isDemo: true })
  admin = await addPerson(shop.db, { admin: true })
  await finishOrders(database)
})
afterAll(async () => {
  await shop.app.close()
  await database.close()
})

const as = () => ({ token: admin.token })
const count = async (what: string) => {
  const { rows } = await sql<{
    of: number
  }>`select count(*)::integer as of from ${sql.raw(what)}`.execute(shop.db)
  return rows[0]?.of
}
const figures = async () => (await shop.get<Figures>('/order/figures?period=90_days', as())).body

describe('the orders of the demo', () => {
  it('are sixty of eight customers, in every state, with their documents', async () => {
    expect(await count('orders')).toBe(60)
    expect(await count('orders where test')).toBe(60)
    expect(await count("users where email like '%.%@example.com' and not is_admin")).toBe(8)
    for (const status of ['Not Process', 'Processing', 'Shipped', 'deliverd', 'cancel'])
      expect(await count(`orders where status = '${status}'`)).toBeGreaterThan(1)
    expect(await count('orders where tracking_number is not null')).toBeGreaterThan(40)
    expect(await count("payments where state = 'owed'")).toBe(3)
    expect(await count('invoices')).toBe(57)
    expect(await count('credit_notes')).toBe(6)
    expect(await count('coupons where uses > 0')).toBe(2)
  })

  it('lie in the last ninety days, as their histories do, and number by time', async () => {
    expect(await count("orders where created_at < now() - interval '90 days'")).toBe(0)
    expect(await count("orders where created_at < now() - interval '85 days'")).toBeGreaterThan(0)
    expect(await count('orders where created_at > now()')).toBe(0)
    expect(await count('audit_log where at > now()')).toBe(0)
    expect(
      await count(
        'orders as one join orders as other on one.number < other.number and one.created_at > other.created_at',
      ),
    ).toBe(0)
  })

  it('break no invariant, and queue no e-mail', async () => {
    expect(await contradictionsIn(shop.db)).toEqual({})
    expect(
      await count(
        'emails join events on events.id = event_id join orders on orders.id = subject_id',
      ),
    ).toBe(0)
  })

  it('are inserted once', async () => {
    await finishOrders(database)
    expect(await count('orders')).toBe(60)
  })

  it('count in the figures of the demo', async () => {
    const { totals, bestSellers, owed, currency } = await figures()
    expect(currency).toBe('USD')
    expect(totals.orders).toBeGreaterThan(45)
    expect(totals.revenue).toBeGreaterThan(1000)
    expect(totals.returning).toBeGreaterThan(20)
    expect(bestSellers).toHaveLength(5)
    expect(owed.orders).toBe(3)
    const { body } = await shop.get<ListedUser[]>('/auth/all-users', as())
    expect(body.filter(({ spent }) => spent > 0)).toHaveLength(8)
  })

  it('have invoices and credit notes that say what they are', async () => {
    const { body: orders } = await shop.get<Order[]>('/auth/all-orders?q=asha', as())
    const [order] = orders
    const { body } = await shop.get<Invoice>(`/order/invoice/${order?._id}`, as())
    expect(body).toMatchObject({ number: expect.any(Number), test: true, currency: 'USD' })
    const note = await shop.get<CreditNote>('/order/credit-note/1', as())
    expect(note.body).toMatchObject({ number: 1, test: true })
  })

  it('are followed by those of visitors, which count and have documents, too', async () => {
    const before = await figures()
    const buyer = await addPerson(shop.db)
    const cup = await shop.db
      .selectFrom('products')
      .innerJoin('variants', 'variants.id', 'listed_variant_id')
      .where('quantity', '>', 5)
      .select(['products.id', 'price_minor'])
      .executeTakeFirstOrThrow()
    const { start, verify } = purchases(shop)
    const started = await start(buyer, { amount: cup.price_minor, cart: cartOf(cup) })
    const { order } = (await verify(buyer, signedPayment(started.body.id))).body
    const invoice = await shop.get<Invoice>(`/order/invoice/${order._id}`, as())
    expect(invoice.body).toMatchObject({ number: 58, test: true })
    expect(before.totals.orders).toBeLessThan(60)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it.each(['IN', 'DE', 'US', 'JP'])(
    'cost the sum of their prices delivered to %s',
    async (country) => {
      const cups = await shop.db
        .selectFrom('products')
        .innerJoin('variants', 'variants.id', 'listed_variant_id')
        .where('quantity', '>', 5)
        .orderBy('products.id')
        .limit(3)
        .select(['products.id', 'price_minor'])
        .execute()
      const place = {
        name: 'Kim',
        street: '1 Lane',
        city: 'X',
        region: '',
        postalCode: '1',
        phone: '5',
      }
      const { body } = await shop.post<{ totalMinor: number; adjustments: unknown[] }>(
        '/checkout/quote',
        { body: { cart: cartOf(...cups), delivery: { ...place, country } } },
      )
      const sum = cups.reduce((total, { price_minor }) => total + price_minor, 0)
      expect(body).toMatchObject({ totalMinor: sum, adjustments: [] })
    },
  )

  it('count no more when the demo has ended, and leave no numbers and nothing owed', async () => {
    await endDemo(shop.db, personalData)
    const real = await shopOn(shop.db, { CURRENCY_DISPLAY: 'USD' })
    const { body } = await real.get<Figures>('/order/figures?period=90_days', as())
    expect(body).toMatchObject({ totals: { orders: 0 }, owed: { orders: 0 } })
    expect(await count('coupons where deleted_at is null')).toBe(0)
    expect([await count('invoices'), await count('credit_notes')]).toEqual([0, 0])
    expect(await contradictionsIn(shop.db)).toEqual({})
    await real.app.close()
  })

  it('leave of their customers closed accounts, without names, e-mails and addresses', async () => {
    const { body } = await shop.get<ListedUser[]>('/auth/all-users?view=closed', as())
    expect(body.map(({ name, email }) => [name, email])).toEqual(
      Array(8).fill(['Closed account', '']),
    )
    expect(await count("orders where buyer_name = 'Closed account'")).toBe(60)
    for (const table of ['users', 'payments', 'orders', 'emails', 'audit_log'])
      for (const { email, street } of DEMO_CUSTOMERS)
        for (const text of [email, street])
          expect(await count(`${table} as t where position('${text}' in t::text) > 0`)).toBe(0)
  })
})

describe('a customer of the demo', () => {
  const namesLeft = async ({ db }: OpenDatabase) => {
    const customers = db.selectFrom('users').where('email', '!=', '').where('is_admin', '=', false)
    return (await customers.select('name').orderBy('name').execute()).map(({ name }) => name)
  }

  it('stays as it is with an order that is no test, and with a changed password', async () => {
    const opened = await openTestDatabase()
    const { db } = opened
    const ids = await insertCustomers(db, [])
    const [buyer, tester, own] = DEMO_CUSTOMERS.map((facts, at) => ({
      ...facts,
      id: ids[at] ?? '',
      token: '',
    }))
    if (!(buyer && tester && own)) throw new Error('The demo has no customers.')
    await addOrder(db, buyer)
    await addOrder(db, tester, { test: true })
    await replacePassword(db, { email: own.email, newPassword: 'a-new-password' })
    await endDemo(db, personalData)
    expect(await namesLeft(opened)).toEqual([buyer.name, own.name])
    await opened.close()
  })
})
