import type { Updateable } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { ORDER_STATUSES, type Order } from '#app/orders/contract.ts'
import type { Schema } from '#db/schema.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addOrder } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const UNKNOWN = '0197f9a0-0000-7000-8000-000000000000'

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

type Asked = Record<string, string>
const list = (query: Asked = {}) =>
  shop.get<Order[]>(`/auth/all-orders?${new URLSearchParams(query)}`, { token: admin.token })
const found = async (query: Asked) => (await list(query)).body.map(({ _id }) => _id)
const added = async (...input: Parameters<typeof addOrder>) => (await addOrder(...input)).id

describe('GET /auth/all-orders', () => {
  it('lists the orders of everybody, newest first, fifty a page, with the paging facts', async () => {
    const people = [await addPerson(shop.db), await addPerson(shop.db)]
    const newestFirst: string[] = []
    for (let n = 0; n < 27; n++)
      for (const person of people) newestFirst.unshift(await added(shop.db, person))
    const first = await list()
    const second = await list({ page: '2' })
    expect([first.body.length, second.body.length]).toEqual([50, 4])
    expect([...first.body, ...second.body].map(({ _id }) => _id)).toEqual(newestFirst)
    expect(first.headers['x-total-count']).toBe('54')
    expect(first.headers.link).toContain('</api/v1/auth/all-orders?page=2>; rel="next"')
    expect((await list({ page: '1000000' })).body).toEqual([])
  })

  it('answers each order as its buyer sees it, whether it is to be sent, and the statuses that are mailed', async () => {
    const buyer = await addPerson(shop.db)
    await addOrder(shop.db, buyer)
    const own = await shop.get<Order[]>('/auth/orders', { token: buyer.token })
    expect((await list()).body[0]).toEqual({
      ...own.body[0],
      toSend: true,
      mails: ['Processing', 'Shipped', 'deliverd', 'cancel'],
    })
    expect(own.body[0]?.products).toHaveLength(2)
  })

  it('narrows by the customer, whatever the name and e-mail were', async () => {
    const [buyer, other] = [await addPerson(shop.db), await addPerson(shop.db)]
    const id = await added(shop.db, buyer)
    await added(shop.db, other)
    expect(await found({ customer: buyer.id })).toEqual([id])
    expect(await found({ customer: buyer.id, status: 'Shipped' })).toEqual([])
  })

  it('narrows by status, and knows how many there are', async () => {
    const buyer = await addPerson(shop.db, { name: 'Status Seeker' })
    for (const status of ORDER_STATUSES) await addOrder(shop.db, buyer, { status })
    for (const status of ORDER_STATUSES) {
      const { body, headers } = await list({ status })
      expect(new Set(body.map((order) => order.status))).toEqual(new Set([status]))
      const { headers: counted } = await list({ status, to: '9999-12-31' })
      expect(headers['x-total-count']).toBe(counted['x-total-count'])
      expect((await list({ status, q: 'status seeker' })).body).toHaveLength(1)
    }
  })

  it('narrows by days in UTC, both included', async () => {
    const buyer = await addPerson(shop.db)
    const at = (time: string) => added(shop.db, buyer, { at: new Date(time) })
    const before = await at('2020-02-28T23:59:59.999Z')
    const start = await at('2020-02-29T00:00:00.000Z')
    const end = await at('2020-02-29T23:59:59.999Z')
    const after = await at('2020-03-01T00:00:00.000Z')
    expect(await found({ from: '2020-02-29', to: '2020-02-29' })).toEqual([end, start])
    expect(await found({ to: '2020-02-29' })).toEqual([end, start, before])
    expect(await found({ to: '2020-03-01', from: '2020-03-01' })).toEqual([after])
    expect(await found({ to: '2020-02-28', from: '2020-03-01' })).toEqual([])
    const { headers } = await list({ to: '2020-02-29' })
    expect(headers['x-total-count']).toBe('3')
  })

  it.each([
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2025-02-29',
    '0000-01-01',
    '2026-1-1',
    'x',
    '',
  ])('refuses the day %j', async (day) => {
    for (const field of ['from', 'to']) {
      const { status, body } = await list({ [field]: day })
      expect([status, body]).toMatchObject([400, { code: 'invalid' }])
      expect(JSON.stringify(body)).toContain(field)
    }
  })

  it.each(['Deliverd', 'delivered', 'cancelled', 'x', ''])(
    'refuses the status %j',
    async (status) => {
      expect((await list({ status })).status).toBe(400)
    },
  )
})

describe('GET /auth/all-orders?q=', () => {
  it('finds an order by its id, whole or its beginning, in any case', async () => {
    const id = await added(shop.db, await addPerson(shop.db))
    for (const q of [id, id.toUpperCase(), id.slice(0, 30), ` ${id}\t`]) {
      expect(await found({ q }), q).toEqual([id])
    }
    for (const length of [1, 8, 9, 13, 14, 15, 24]) {
      expect(await found({ q: id.slice(0, length) }), id.slice(0, length)).toContain(id)
    }
    expect(await found({ q: UNKNOWN })).toEqual([])
  })

  it('finds orders by a part of the name under which they were bought', async () => {
    const buyer = await addPerson(shop.db, { name: 'Zoë Quartermain' })
    const orders = [await added(shop.db, buyer), await added(shop.db, buyer)].reverse()
    await shop.db.updateTable('users').where('id', '=', buyer.id).set({ name: 'Z. Q.' }).execute()
    for (const q of ['Zoë Quartermain', 'quarterm', 'ZOE', 'ë q', 'zo']) {
      expect(await found({ q }), q).toEqual(orders)
    }
    const { headers } = await list({ q: 'quartermain' })
    expect(headers['x-total-count']).toBe('2')
  })

  it('finds orders by the e-mail and by the payment', async () => {
    const buyer = await addPerson(shop.db)
    const { id, payment } = await addOrder(shop.db, buyer)
    await addOrder(shop.db, await addPerson(shop.db))
    for (const q of [buyer.email, buyer.email.slice(0, 36).toUpperCase(), payment]) {
      expect(await found({ q }), q).toEqual([id])
    }
  })

  it('finds an order by its number first, with and without #', async () => {
    const { id, number } = await addOrder(shop.db, await addPerson(shop.db))
    const namesake = await addPerson(shop.db, { name: `Room ${number}` })
    const later = await added(shop.db, namesake)
    expect(await found({ q: `#${number}` })).toEqual([id])
    expect(await found({ q: ` # ${number} ` })).toEqual([id])
    const [first, ...others] = await found({ q: String(number) })
    expect(first).toBe(id)
    expect(others).toContain(later)
    for (const q of ['#0', '#99999999999999999999', '#-1', `#${number}x`])
      expect(await found({ q }), q).toEqual([])
  })

  it('takes every character for itself, and blanks for nothing', async () => {
    const odd = await addPerson(shop.db, { name: `100%_\\'"; <b>` })
    const id = await added(shop.db, odd)
    for (const q of ['%_', '_\\', "\\'", '"; <B>', '100%'])
      expect(await found({ q }), q).toEqual([id])
    for (const q of ['%%', '__', '1_0', 'x'.repeat(5000)]) expect(await found({ q }), q).toEqual([])
    const blank = await list({ q: ' \t ' })
    const plain = await list()
    expect(blank.bytes).toEqual(plain.bytes)
  })
})

describe('what an order says of its payment', () => {
  const paymentOf = async (money: Updateable<Schema['captures']>, attempts = 1) => {
    const { id, payment_id, number } = await addOrder(shop.db, await addPerson(shop.db))
    await shop.db.updateTable('payments').set({ attempts }).where('id', '=', payment_id).execute()
    await shop.db.updateTable('captures').set(money).where('id', '=', payment_id).execute()
    const { body } = await list({ q: id })
    expect(body).toMatchObject([{ number }])
    return body[0]?.capture
  }

  it('is nothing where the money was captured, or the provider was not asked yet', async () => {
    expect(await paymentOf({ issue: null })).toBeUndefined()
    expect(await paymentOf({ confirmed_at: null }, 0)).toBeUndefined()
  })

  it('is that the money is not captured yet, or never was', async () => {
    expect(await paymentOf({ confirmed_at: null })).toBe('pending')
    expect(await paymentOf({ confirmed_at: null, voided_at: new Date() })).toBe('missing')
  })
})

describe('PUT /auth/order-status/:orderId', () => {
  const set = (id: string, status: unknown) =>
    shop.put<Order>(`/auth/order-status/${id}`, { token: admin.token, body: { status } })

  it('sets any status after any other, and answers the order', async () => {
    const buyer = await addPerson(shop.db)
    const id = await added(shop.db, buyer)
    const path = [...ORDER_STATUSES, ...ORDER_STATUSES.toReversed(), 'Shipped', 'cancel'] as const
    for (const status of path) {
      const { body, ...reply } = await set(id, status)
      expect([reply.status, body.status]).toEqual([200, status])
      const own = await shop.get<Order[]>('/auth/orders', { token: buyer.token })
      expect(own.body).toEqual([body])
    }
  })

  it('knows no other order', async () => {
    for (const id of [UNKNOWN, 'x', '%20']) {
      expect(await set(id, 'Shipped')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })
})

describe('PUT /order/orders', () => {
  it('says that a shop without a mail server sends no e-mail', async () => {
    const { id } = await addOrder(shop.db, await addPerson(shop.db))
    const body = { changes: [{ orderId: id, status: 'Shipped' }] }
    const answer = await shop.put('/order/orders', { token: admin.token, body })
    expect(answer.body).toMatchObject({
      message:
        '1 order changed. This shop sends no e-mail yet: the Outbox keeps what it would send.',
    })
  })
})
