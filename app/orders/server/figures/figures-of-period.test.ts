import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { figuresShop } from '#tests/support/figures-shop.ts'
import { addOrder, addRefund, LINE } from '#tests/support/orders.ts'

const { shop, admin, setStatus } = figuresShop()

const read = async (query: string) =>
  (await shop.get<Figures>(`/order/figures?${query}`, { token: admin().token })).body

const on = (day: string) => new Date(`${day}T12:00:00Z`)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const dayOf = (time: Date) => time.toISOString().slice(0, 10)

describe('GET /order/figures of a period', () => {
  it('has its days, its totals, and those of as many days before', async () => {
    const buyer = await addPerson(shop.db)
    for (const day of ['2025-02-28', '2025-03-03', '2025-03-04', '2025-03-04', '2025-03-07'])
      await addOrder(shop.db, buyer, { at: on(day) })
    const { days, period, totals, before } = await read('from=2025-03-03&to=2025-03-06')
    expect(period).toEqual({ from: '2025-03-03', to: '2025-03-06', unit: 'day' })
    expect(days.map(({ day, orders }) => [day, orders])).toEqual([
      ['2025-03-03', 1],
      ['2025-03-04', 2],
      ['2025-03-05', 0],
      ['2025-03-06', 0],
    ])
    expect(totals).toMatchObject({ orders: 3, revenue: 119.94 })
    expect(before).toMatchObject({ orders: 1, revenue: 39.98 })
  })

  it('counts the orders of customers who had ordered before, but cancelled and test orders', async () => {
    const [once, again, cancelled, tester] = await Promise.all([
      addPerson(shop.db),
      addPerson(shop.db),
      addPerson(shop.db),
      addPerson(shop.db),
    ])
    const former = await addOrder(shop.db, cancelled, { at: on('2024-05-01') })
    await setStatus(former, 'cancel')
    await addOrder(shop.db, tester, { at: on('2024-05-01'), test: true })
    await addOrder(shop.db, again, { at: on('2024-05-01') })
    for (const buyer of [once, again, cancelled, tester])
      await addOrder(shop.db, buyer, { at: on('2024-06-02') })
    // the second one in the period
    await addOrder(shop.db, once, { at: on('2024-06-03') })
    const { totals } = await read('from=2024-06-01&to=2024-06-30')
    expect(totals).toMatchObject({ orders: 5, returning: 2 })
  })

  it('has totals less refunds, and no wholly refunded order', async () => {
    const buyer = await addPerson(shop.db)
    const orders = []
    for (let n = 0; n < 3; n++)
      orders.push(await addOrder(shop.db, buyer, { at: on('2023-01-02') }))
    const [whole, part] = orders
    if (!whole || !part) throw new Error('Orders are missing.')
    await addRefund(shop.db, whole, 3998)
    await addRefund(shop.db, part, 1000)
    const { totals, days } = await read('from=2023-01-02&to=2023-01-02')
    expect(totals).toMatchObject({ orders: 2, revenue: 69.96 })
    expect(days).toEqual([{ day: '2023-01-02', orders: 2, revenue: 69.96 }])
  })

  it('has best sellers and taxes of its days alone', async () => {
    const buyer = await addPerson(shop.db)
    const line = { ...LINE, product_id: uuidv7(), name: 'Old teapot' }
    await addOrder(shop.db, buyer, { lines: [line], at: on('2022-04-05') })
    const names = async (query: string) => (await read(query)).bestSellers.map(({ name }) => name)
    expect(await names('from=2022-04-05&to=2022-04-05')).toEqual(['Old teapot'])
    expect(await names('from=2022-04-06&to=2022-04-06')).toEqual([])
  })

  it('has best sellers less the pieces of refunds by lines, and any other refund in proportion', async () => {
    const buyer = await addPerson(shop.db)
    const [pan, lid, pot] = ['Pan', 'Lid', 'Pot'].map((name) => ({ name, product_id: uuidv7() }))
    const order = await addOrder(shop.db, buyer, {
      lines: [
        // nine each after its discount
        { ...LINE, ...pan, quantity: 4, price_minor: 1000, discount_minor: 400 },
        { ...LINE, ...lid, quantity: 2, price_minor: 700 },
        { ...LINE, ...pot, quantity: 1, price_minor: 1000 },
      ],
      adjustments: [
        {
          kind: 'discount',
          label: 'PANS',
          source: '',
          amount_minor: -400,
          is_included: false,
          tax_minor: 0,
          tax_rate: null,
          basis_minor: null,
        },
      ],
      at: on('2022-05-05'),
    })
    const best = async () =>
      (await read('from=2022-05-05&to=2022-05-05')).bestSellers.map(({ name, pieces, revenue }) => [
        name,
        pieces,
        revenue,
      ])
    const refund = async (minor: number, position: number, line: object) => {
      const refund_id = await addRefund(shop.db, order, minor)
      const facts = { refund_id, order_id: order.id, kind: 'product' as const, position }
      const amounts = { quantity: 1, amount_minor: 900, discount_minor: 100, tax_minor: 0 }
      await shop.db
        .insertInto('refund_lines')
        .values({ ...facts, ...amounts, ...line })
        .execute()
    }
    await refund(900, 0, {})
    expect(await best()).toEqual([
      ['Pan', 3, 27],
      ['Lid', 2, 14],
      ['Pot', 1, 10],
    ])
    // half of what was proposed
    await refund(500, 2, { amount_minor: 1000, discount_minor: 0 })
    expect(await best()).toEqual([
      ['Pan', 3, 27],
      ['Lid', 2, 14],
    ])
    // a tenth of the order: what is left is the sum of its lines and the half of the pot
    await addRefund(shop.db, order, 600)
    expect(await best()).toEqual([
      ['Pan', 3, 23.4],
      ['Lid', 2, 12.6],
    ])
  })

  it('has weeks from Monday above 92 days, and months above two years', async () => {
    const buyer = await addPerson(shop.db)
    await addOrder(shop.db, buyer, { at: on('2021-03-03') })
    // a Wednesday
    const weeks = await read('from=2021-01-06&to=2021-04-30')
    expect(weeks.period.unit).toBe('week')
    expect(weeks.days.slice(0, 2).map(({ day }) => day)).toEqual(['2021-01-06', '2021-01-11'])
    expect(weeks.days.filter(({ orders }) => orders > 0)).toEqual([
      { day: '2021-03-01', orders: 1, revenue: 39.98 },
    ])
    const months = await read('from=2020-01-15&to=2022-02-28')
    expect(months.period.unit).toBe('month')
    expect(months.days).toHaveLength(26)
    expect(months.days.slice(0, 2).map(({ day }) => day)).toEqual(['2020-01-15', '2020-02-01'])
  })

  it('compares a day that is not over with the same time of the day before', async () => {
    const buyer = await addPerson(shop.db)
    const today = dayOf(new Date())
    const { before } = await read(`from=${today}&to=${today}`)
    await addOrder(shop.db, buyer, { at: new Date(daysAgo(1).getTime() - 1000) })
    const earlier = (await read(`from=${today}&to=${today}`)).before
    expect(earlier.orders).toBe(before.orders + 1)
    await addOrder(shop.db, buyer, { at: new Date(daysAgo(1).getTime() + 60_000) })
    expect((await read(`from=${today}&to=${today}`)).before).toEqual(earlier)
  })

  it('has the rest from what is given', async () => {
    const { period: since } = await read(`from=${dayOf(daysAgo(3))}`)
    expect(since).toMatchObject({ from: dayOf(daysAgo(3)), to: dayOf(new Date()) })
    const { period: until } = await read('to=2025-01-30')
    expect(until).toMatchObject({ from: '2025-01-01', to: '2025-01-30' })
  })

  it.each([
    ['today', 1],
    ['7_days', 7],
    ['90_days', 90],
  ])('ends today with the period %s', async (name, days) => {
    const { period } = await read(`period=${name}`)
    expect(period).toMatchObject({ from: dayOf(daysAgo(days - 1)), to: dayOf(new Date()) })
  })

  it('has the last week from Monday to Sunday, and the last month', async () => {
    const { period: week } = await read('period=last_week')
    const [monday, sunday] = [new Date(week.from), new Date(week.to)]
    expect([monday.getUTCDay(), sunday.getUTCDay()]).toEqual([1, 0])
    expect(sunday.getTime() - monday.getTime()).toBe(6 * 86_400_000)
    expect(week.to < dayOf(new Date())).toBe(true)
    expect(week.to >= dayOf(daysAgo(7))).toBe(true)
    const { period: month } = await read('period=last_month')
    const { period: present } = await read('period=month')
    expect(month.from).toMatch(/-01$/)
    expect(Date.parse(present.from) - Date.parse(month.to)).toBe(86_400_000)
  })

  it('begins a month and a year with their first days', async () => {
    const today = dayOf(new Date())
    const from = async (name: string) => (await read(`period=${name}`)).period.from
    expect(await from('month')).toBe(`${today.slice(0, 7)}-01`)
    expect(await from('year')).toBe(`${today.slice(0, 4)}-01-01`)
  })

  it.each([
    ['from=2025-01-02&to=2025-01-01', 'to', 'The period ends before it begins.'],
    ['from=2010-01-01&to=2025-01-01', 'from', 'The period must be at most ten years.'],
  ])('refuses %s', async (query, field, message) => {
    const reply = await shop.get(`/order/figures?${query}`, { token: admin().token })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ field, message })
  })
})
