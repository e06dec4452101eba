import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { Figures, ListedOrder } from '#app/orders/admin-contract.ts'
import type { Order } from '#app/orders/contract.ts'
import { updateDocument } from '#app/shared/server/settings/document-store.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { figuresShop } from '#tests/support/figures-shop.ts'
import { addOrder, addRefund, LINE } from '#tests/support/orders.ts'

const { shop, admin, figures, setStatus } = figuresShop()

const DAY = 24 * 60 * 60_000
const midnight = () => new Date().setUTCHours(0, 0, 0, 0)
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

describe('GET /order/figures', () => {
  const lineOf = (product: { id: string; name: string }, quantity: number) => ({
    ...LINE,
    product_id: product.id,
    name: product.name,
    quantity,
  })

  it('has thirty days of zeros before anything was sold', async () => {
    const { days, ...rest } = await figures()
    const none = { orders: 0, revenue: 0, returning: 0 }
    expect(days).toHaveLength(30)
    expect(days.at(-1)?.day).toBe(dayOf(midnight()))
    expect(days[0]?.day).toBe(dayOf(midnight() - 29 * DAY))
    expect(new Set(days.map(({ orders, revenue }) => orders + revenue))).toEqual(new Set([0]))
    expect(rest).toEqual({
      currency: 'INR',
      period: { from: days[0]?.day, to: days.at(-1)?.day, unit: 'day' },
      totals: none,
      before: none,
      bestSellers: [],
      taxes: [],
      owed: { amount: 0, orders: 0 },
      runningLow: [],
      latestOrders: [],
      paymentsInNeed: 0,
    })
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

  it('begins a day at midnight in the time zone of the shop', async () => {
    const zone = (timeZone: string) => updateDocument(shop.db, 'shop', { timeZone })
    await zone('Asia/Kolkata')
    const buyer = await addPerson(shop.db)
    const before = (await figures()).days
    const at = (time: number) => addOrder(shop.db, buyer, { at: new Date(time) })
    // the day that begins at 18:30 of the day before in UTC
    const [day] = before.slice(-2).map(({ day }) => day)
    const midnightInIndia = Date.parse(`${day}T00:00:00+05:30`)
    const orders = [await at(midnightInIndia), await at(midnightInIndia - 1)]
    const { days } = await figures()
    const grown = days.filter(({ orders }, place) => orders !== before[place]?.orders)
    expect(grown.map(({ day }) => day)).toEqual([before.at(-3)?.day, day])
    const listed = await shop.get<Order[]>(`/auth/all-orders?from=${day}&to=${day}`, {
      token: admin().token,
    })
    expect(listed.body.map(({ createAt }) => Date.parse(createAt))).toContain(midnightInIndia)
    expect(listed.body.map(({ createAt }) => Date.parse(createAt))).not.toContain(
      midnightInIndia - 1,
    )
    for (const order of orders) await setStatus(order, 'cancel')
    await zone('UTC')
  })

  it('counts no wholly refunded order, and of another what was kept', async () => {
    const buyer = await addPerson(shop.db)
    const today = async () => (await figures()).days.at(-1)
    const before = await today()
    const refunded = async (minor: number) => {
      const order = await addOrder(shop.db, buyer)
      await addRefund(shop.db, order, minor)
      return order
    }
    await refunded(3998)
    expect(await today()).toEqual(before)
    const kept = await refunded(1000)
    expect(await today()).toMatchObject({ orders: Number(before?.orders) + 1 })
    expect((await today())?.revenue).toBeCloseTo(Number(before?.revenue) + 29.98, 2)
    await setStatus(kept, 'cancel')
  })

  it('subtracts what lost disputes took like refunds', async () => {
    const buyer = await addPerson(shop.db)
    const today = async () => (await figures()).days.at(-1)
    const before = await today()
    const disputed = async (disputed_minor: number, refunded_minor = 0) => {
      const order = await addOrder(shop.db, buyer)
      await shop.db
        .updateTable('captures')
        .set({ disputed_minor })
        .where('id', '=', order.payment_id)
        .execute()
      if (refunded_minor > 0) await addRefund(shop.db, order, refunded_minor)
      return order
    }
    await disputed(3998)
    await disputed(2998, 1000)
    expect(await today()).toEqual(before)
    const kept = await disputed(500, 500)
    expect(await today()).toMatchObject({ orders: Number(before?.orders) + 1 })
    expect((await today())?.revenue).toBeCloseTo(Number(before?.revenue) + 29.98, 2)
    await setStatus(kept, 'cancel')
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

  it('counts neither test orders nor cancelled ones, which count again afterwards', async () => {
    const buyer = await addPerson(shop.db)
    const lines = [lineOf({ id: uuidv7(), name: 'Lantern' }, 60)]
    const count = async () => {
      const { days, bestSellers } = await figures()
      const { orders = 0 } = days.at(-1) ?? {}
      return [orders, bestSellers.some(({ name }) => name === 'Lantern')]
    }
    const [before] = await count()
    await addOrder(shop.db, buyer, { lines, test: true })
    const order = await addOrder(shop.db, buyer, { lines, status: 'cancel' })
    expect(await count()).toEqual([before, false])
    await setStatus(order, 'Shipped')
    expect(await count()).toEqual([Number(before) + 1, true])
    await setStatus(order, 'cancel')
    expect(await count()).toEqual([before, false])
  })

  it('warns of five pieces or fewer, the fewest first, ten at most, without what is sold out', async () => {
    await shop.db.deleteFrom('products').execute()
    const category = await addCategory(shop.db, 'Plates')
    for (const quantity of [6, 5, 0, 3]) {
      await addProduct(shop.db, { category, name: `Plate ${quantity}`, quantity })
    }
    const low = async () =>
      (await figures()).runningLow.map(({ name, quantity }) => [name, quantity])
    expect(await low()).toEqual([
      ['Plate 3', 3],
      ['Plate 5', 5],
    ])
    const stock = (name: string, quantity: number) =>
      shop.db
        .updateTable('variants')
        .set({ quantity })
        .where('product_id', '=', (eb) =>
          eb.selectFrom('products').select('id').where('name', '=', name),
        )
        .execute()
    await Promise.all([stock('Plate 6', 1), stock('Plate 0', 60), stock('Plate 5', 4)])
    expect(await low()).toEqual([
      ['Plate 6', 1],
      ['Plate 3', 3],
      ['Plate 5', 4],
    ])
    for (let n = 0; n < 12; n++) await addProduct(shop.db, { category, quantity: 1 })
    expect(await low()).toHaveLength(10)
  })

  it('has best sellers after their discounts, revenue as charged, and the tax by rate', async () => {
    const buyer = await addPerson(shop.db)
    const sold = { id: uuidv7(), name: 'Kettle' }
    const before = await figures()
    const row = { source: '', is_included: false, tax_minor: 0, tax_rate: null, basis_minor: null }
    const gst = { ...row, kind: 'tax' as const, label: 'GST 18 %', tax_rate: 18_000 }
    for (let n = 0; n < 2; n++)
      await addOrder(shop.db, buyer, {
        lines: [{ ...lineOf(sold, 500), discount_minor: 99_500, tax_minor: 161_910 }],
        adjustments: [
          { ...row, kind: 'discount', label: 'SPRING', amount_minor: -99_500 },
          { ...gst, amount_minor: 161_910, basis_minor: 900_000 },
        ],
      })
    const { days, bestSellers, taxes } = await figures()
    expect(bestSellers[0]).toMatchObject({ name: 'Kettle', pieces: 1000, revenue: 18_000 })
    expect(taxes).toEqual([{ label: 'GST 18 %', basis: 18_000, amount: 3238.2 }])
    const today = (all: Figures) => all.days.at(-1)?.revenue ?? 0
    expect(today({ ...before, days }) - today(before)).toBeCloseTo(2 * (9000 + 1619.1), 2)
  })

  it('has revenue, best sellers and tax less what was refunded', async () => {
    const buyer = await addPerson(shop.db)
    const sold = { id: uuidv7(), name: 'Carafe' }
    const lost = { id: uuidv7(), name: 'Cracked carafe' }
    const gift = { id: uuidv7(), name: 'Given carafe' }
    const row = { source: '', is_included: true, tax_minor: 0, tax_rate: 5000 }
    const vat = { ...row, kind: 'tax' as const, label: 'VAT 5 %' }
    const before = await figures()
    const refund = (id: string, minor: number) => addRefund(shop.db, { payment_id: id }, minor)
    const half = await addOrder(shop.db, buyer, {
      lines: [{ ...lineOf(sold, 2000), price_minor: 2100 }],
      adjustments: [{ ...vat, amount_minor: 200_000, basis_minor: 4_000_000 }],
    })
    await refund(half.payment_id, 2_100_000)
    const whole = await addOrder(shop.db, buyer, {
      lines: [{ ...lineOf(lost, 3000), price_minor: 2100 }],
      adjustments: [{ ...vat, amount_minor: 300_000, basis_minor: 6_000_000 }],
    })
    await refund(whole.payment_id, 6_300_000)
    const free = await addOrder(shop.db, buyer, {
      lines: [{ ...lineOf(gift, 4000), price_minor: 0 }],
    })
    await refund(free.payment_id, 0)
    const { days, bestSellers, taxes } = await figures()
    const today = (all: Pick<Figures, 'days'>) => all.days.at(-1)?.revenue ?? 0
    expect(today({ days }) - today(before)).toBeCloseTo(21_000, 2)
    expect(bestSellers[0]).toMatchObject({ name: 'Carafe', pieces: 2000, revenue: 21_000 })
    expect(bestSellers.map(({ name }) => name)).not.toContain('Cracked carafe')
    expect(bestSellers.map(({ name }) => name)).not.toContain('Given carafe')
    expect(taxes).toContainEqual({ label: 'VAT 5 %', basis: 20_000, amount: 1000 })
  })

  it('shows the five latest orders as the list does', async () => {
    const list = await shop.get<ListedOrder[]>('/auth/all-orders', { token: admin().token })
    const heads = list.body
      .slice(0, 5)
      .map(({ products: _, delivery: _to, toSend: _sent, mails: _told, ...head }) => head)
    expect((await figures()).latestOrders).toEqual(heads)
  })
})
