import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'
import type { Order } from '../contract.ts'

const shop = testShop()
describe('GET /auth/orders', () => {
  let buyer: Person
  let payments: string[]

  beforeAll(async () => {
    buyer = await addPerson(shop.db)
    await addOrder(shop.db, await addPerson(shop.db))
    payments = []
    for (let i = 0; i < 52; i++) payments.unshift((await addOrder(shop.db, buyer)).payment)
  })

  const orders = (query = '', token = buyer.token) =>
    shop.get<Order[]>(`/auth/orders${query}`, { token })

  it('lists the own orders only, newest first, fifty a page', async () => {
    const pages = await Promise.all([orders(), orders('?page=2')])
    expect(pages.map(({ body }) => body.length)).toEqual([50, 2])
    const listed = pages.flatMap(({ body }) => body)
    expect(listed.map(({ payment }) => payment.razorpay_payment_id)).toEqual(payments)
  })

  it('tells the paging facts in headers', async () => {
    const { headers } = await orders()
    expect(headers['x-total-count']).toBe('52')
    expect(headers.link).toContain('</api/v1/auth/orders?page=2>; rel="next"')
  })

  it('repeats a product bought twice and adds up in major units', async () => {
    const [order] = (await orders()).body
    const { product_id, name, slug, description } = LINE
    const sold = { _id: product_id, name, slug, description, price: 19.99 }
    expect(order).toMatchObject({
      status: 'Not Process',
      buyer: { _id: buyer.id, name: buyer.name },
      products: [sold, sold],
      total: 39.98,
    })
  })

  it('keeps the name under which it was bought', async () => {
    const person = await addPerson(shop.db, { name: 'Asha Rao' })
    await addOrder(shop.db, person)
    await shop.db.updateTable('users').where('id', '=', person.id).set({ name: 'A. Rao' }).execute()
    expect((await orders('', person.token)).body).toMatchObject([{ buyer: { name: 'Asha Rao' } }])
  })

  it('says what is owed of an unpaid order until when, and has no invoice of it', async () => {
    const person = await addPerson(shop.db)
    const dueAt = new Date('2026-11-01T10:00:00Z')
    const { id } = await addOrder(shop.db, person, {
      unpaid: { method: 'bank_transfer', dueAt, received: 1000 },
    })
    const [order] = (await orders('', person.token)).body
    expect(order).toMatchObject({
      total: 39.98,
      paymentMethod: { method: 'bank_transfer', name: 'Bank transfer', received: 10 },
      unpaid: { owed: 29.98, dueDate: '2026-11-01', isLate: true },
    })
    const invoice = await shop.get(`/auth/orders/${id}/invoice`, { token: person.token })
    expect(invoice).toMatchObject({ status: 404, body: { code: 'not_found' } })
    await addOrder(shop.db, person)
    expect((await orders('', person.token)).body[0]).not.toHaveProperty('unpaid')
  })

  it('is empty for somebody without orders and past the end', async () => {
    expect((await orders('', (await addPerson(shop.db)).token)).body).toEqual([])
    for (const page of ['3', '1000000000000', '9'.repeat(300)])
      expect((await orders(`?page=${page}`)).body).toEqual([])
  })
})
