import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ListedUser } from '#app/accounts/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'
import type { Figures } from '../admin-contract.ts'
import type { Invoice, Order } from '../contract.ts'

const shop = testShop()

// figures that take no time are not cached
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())

let admin: Person
const { save } = settingsThrough(shop, () => admin)
const showIn = async (currencyDisplay: string) =>
  expect((await save({ currencyDisplay })).status).toBe(200)
let buyer: Person
let placed: { rupees: string; dollars: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  buyer = await addPerson(shop.db)
  const category = await addCategory(shop.db, 'Kitchen')
  const buy = async (currency: string, price: number) => {
    await showIn(currency)
    const product = await addProduct(shop.db, { category, price })
    const { start, verify } = purchases(shop)
    const { body } = await start(buyer, { amount: price * 100, cart: cartOf(product) })
    return (await verify(buyer, signedPayment(body.id))).body.order._id
  }
  // the sandbox takes test payments only
  const takeMoney = () =>
    sql`
    with paid as (update payments set test = false),
      sold as (update orders set test = false returning id)
    insert into invoices_due (order_id) select id from sold`.execute(shop.db)
  placed = { rupees: await buy('INR', 1000), dollars: await buy('USD', 20) }
  await takeMoney()
})
const by = ({ token }: Person) => ({ token })

describe('a shop that charged rupees, and charges dollars now', () => {
  it('shows each order in the currency in which it was charged', async () => {
    const expected = [
      { _id: placed.dollars, total: 20, currency: 'USD' },
      { _id: placed.rupees, total: 1000, currency: 'INR' },
    ]
    expect((await shop.get<Order[]>('/auth/orders', by(buyer))).body).toMatchObject(expected)
    expect((await shop.get<Order[]>('/auth/all-orders', by(admin))).body).toMatchObject(expected)
    for (const [id, currency] of [
      [placed.dollars, 'USD'],
      [placed.rupees, 'INR'],
    ]) {
      const { body } = await shop.get<Invoice>(`/order/invoice/${id}`, by(admin))
      expect(body.currency).toBe(currency)
    }
    const rows = (await shop.get('/order/export', by(admin))).bytes.toString().split('\r\n')
    expect(rows.find((row) => row.includes(placed.rupees))).toContain('"INR"')
    expect(rows.find((row) => row.includes(placed.dollars))).toContain('"USD"')
  })

  it('counts only orders in the present currency in its figures', async () => {
    const figures = async () => {
      const { body } = await shop.get<Figures>('/order/figures', by(admin))
      const { orders, revenue } = body.days.at(-1) ?? {}
      return [body.currency, orders, revenue, body.bestSellers.map((best) => best.revenue)]
    }
    expect(await figures()).toEqual(['USD', 1, 20, [20]])
    await showIn('INR')
    expect(await figures()).toEqual(['INR', 1, 1000, [1000]])
    await showIn('USD')
  })

  it('adds up what a user spent in the present currency only', async () => {
    const spent = async () => {
      const { body } = await shop.get<ListedUser[]>('/auth/all-users', by(admin))
      const listed = body.find(({ _id }) => _id === buyer.id)
      return [listed?.orders, listed?.spent]
    }
    expect(await spent()).toEqual([2, 20])
    await showIn('INR')
    expect(await spent()).toEqual([2, 1000])
  })

  it('contradicts itself nowhere', async () => {
    expect(await contradictionsIn(shop.db)).toEqual({})
  })
})
