import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { queueEmailsTo } from '#tests/support/emails.ts'
import { addOrder } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'
import type { Found, Waiting } from '../admin-contract.ts'

const shop = testShop()
let admin: Person
let buyer: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  buyer = await addPerson(shop.db)
})

describe('GET /overview/waiting', () => {
  // counts that take no time are not cached
  beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterAll(() => void vi.useRealTimers())

  const waiting = async () =>
    (await shop.get<Waiting>('/overview/waiting', { token: admin.token })).body

  it('counts nothing in an empty shop', async () => {
    expect(await waiting()).toEqual({
      ordersToSend: 0,
      paymentsInNeed: 0,
      runningLow: 0,
      soldOut: 0,
      undelivered: { emails: 0, since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    })
  })

  it('counts orders that are not sent yet', async () => {
    const statuses = ['Not Process', 'Processing', 'Shipped', 'deliverd', 'cancel'] as const
    for (const status of statuses) await addOrder(shop.db, buyer, { status })
    expect((await waiting()).ordersToSend).toBe(2)
  })

  it('counts payments that need attention', async () => {
    const { paymentsInNeed } = await waiting()
    const { payment } = await addOrder(shop.db, buyer, { status: 'Shipped' })
    await shop.db
      .updateTable('captures')
      .set({ issue: 'amount_mismatch' })
      .where('provider_payment_id', '=', payment)
      .execute()
    expect((await waiting()).paymentsInNeed).toBe(paymentsInNeed + 1)
  })

  it('counts products of which few or none are left', async () => {
    const category = await addCategory(shop.db, 'Pots')
    for (const quantity of [0, 0, 1, 5, 6]) await addProduct(shop.db, { category, quantity })
    expect(await waiting()).toMatchObject({ runningLow: 2, soldOut: 2 })
  })

  it('counts bounced and failed e-mails of the last seven days', async () => {
    const add = async (state: 'bounced' | 'failed' | 'sent', daysAgo: number) => {
      const [event_id = ''] = await queueEmailsTo(buyer, 1, shop.db)
      const created_at = new Date(Date.now() - daysAgo * 86_400_000)
      const ended = { state, next_attempt_at: null, created_at }
      await shop.db.updateTable('emails').set(ended).where('event_id', '=', event_id).execute()
    }
    await Promise.all([add('bounced', 0), add('failed', 5), add('bounced', 8), add('sent', 0)])
    const { emails, since } = (await waiting()).undelivered
    expect(emails).toBe(2)
    const listed = await shop.get<unknown[]>(`/email/emails?state=undelivered&from=${since}`, {
      token: admin.token,
    })
    expect(listed.headers['x-total-count']).toBe('2')
  })
})

describe('GET /overview/search', () => {
  const search = async (q: string) =>
    (
      await shop.get<Found>(`/overview/search?${new URLSearchParams({ q })}`, {
        token: admin.token,
      })
    ).body

  it('finds nothing for an empty text', async () => {
    expect(await search('  ')).toEqual({ orders: [], customers: [], products: [] })
  })

  it('finds the order with a number, and then those whose number begins with it', async () => {
    for (let n = 0; n < 12; n++) await addOrder(shop.db, buyer)
    const { orders } = await search('#1')
    expect(orders.map(({ number }) => number)).toEqual([1, 10, 11, 12, 13])
    expect(orders[0]).toMatchObject({ buyer: buyer.name, total: 39.98, currency: 'INR' })
    expect((await search('11')).orders.map(({ number }) => number)).toEqual([11])
    for (const q of ['0', '#999999999999999', '1x']) expect((await search(q)).orders).toEqual([])
  })

  it('finds customers by part of their name or e-mail, but no closed account', async () => {
    const zoe = await addPerson(shop.db, { name: 'Zoë Quisling' })
    const gone = await addPerson(shop.db, { name: 'Zoë Gone' })
    await shop.delete(`/auth/user/${gone.id}`, { token: admin.token })
    for (const q of ['quisl', 'ZOE', zoe.email.slice(20)])
      expect((await search(q)).customers).toEqual([
        { _id: zoe.id, name: zoe.name, email: zoe.email },
      ])
  })

  it('finds customers by the digits of their phone', async () => {
    const { id } = await addPerson(shop.db)
    await shop.db
      .updateTable('users')
      // the digits of an id are in other e-mails
      .set({ phone: '+91 98-765 43210', email: 'a@example.com', email_key: 'a@example.com' })
      .where('id', '=', id)
      .execute()
    const ids = async (q: string) => (await search(q)).customers.map(({ _id }) => _id)
    for (const q of ['+91 98765', '765 432', '(98) 765-43210']) expect(await ids(q)).toEqual([id])
    for (const q of ['765', '98765 x', '11111']) expect(await ids(q)).not.toContain(id)
  })

  it('finds a short text where a word begins with it', async () => {
    await addPerson(shop.db, { name: 'Bo Xu' })
    const names = async (q: string) => (await search(q)).customers.map(({ name }) => name)
    expect(await names('bo')).toEqual(['Bo Xu'])
    expect(await names('x')).toEqual(['Bo Xu'])
    expect(await names('u')).toEqual([])
  })

  it('finds the five newest products with a text in their name, which is no pattern', async () => {
    const category = await addCategory(shop.db, 'Cups')
    for (let n = 1; n <= 6; n++) await addProduct(shop.db, { category, name: `Café mug ${n}` })
    await addProduct(shop.db, { category, name: '100 % mug' })
    const names = async (q: string) => (await search(q)).products.map(({ name }) => name)
    expect(await names('cafe')).toEqual([6, 5, 4, 3, 2].map((n) => `Café mug ${n}`))
    expect(await names('00 %')).toEqual(['100 % mug'])
    expect(await names('%')).toEqual(['100 % mug'])
  })
})
