/** The parts of the admin's list of orders, and their order. */
import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'
import type { ListedOrder } from '../admin-contract.ts'
import type { Order } from '../contract.ts'

const shop = testShop()

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const asAdmin = (body?: unknown) => ({ token: admin.token, body })

describe('GET /auth/all-orders?view=', () => {
  const found = async (view: string) =>
    (await shop.get<ListedOrder[]>(`/auth/all-orders?view=${view}`, asAdmin())).body.map(
      ({ _id }) => _id,
    )

  it('to_send has what is paid, or paid on delivery, and not sent, returned or refunded', async () => {
    const buyer = await addPerson(shop.db)
    const dueAt = new Date(Date.now() + 1e8)
    const paid = await addOrder(shop.db, buyer)
    const begun = await addOrder(shop.db, buyer, { status: 'Processing' })
    const onDelivery = await addOrder(shop.db, buyer, {
      unpaid: { method: 'pay_on_delivery', dueAt },
    })
    const unpaid = await addOrder(shop.db, buyer, { unpaid: { method: 'bank_transfer', dueAt } })
    const sent = await addOrder(shop.db, buyer, { status: 'Shipped' })
    const refunded = await addOrder(shop.db, buyer)
    const reason = { reason: 'Out of stock' }
    await shop.post(`/payment/refund/${refunded.id}`, asAdmin(reason))
    const partly = await addOrder(shop.db, buyer)
    await shop.post(`/payment/refund/${partly.id}`, asAdmin({ amount: 5, ...reason }))
    const returned = await addOrder(shop.db, buyer)
    await shop.post(
      `/payment/refund/${returned.id}`,
      asAdmin({ amount: 5, returnStock: true, ...reason }),
    )
    const ids = await found('to_send')
    const is = (order: { id: string }) => ids.includes(order.id)
    expect([paid, begun, onDelivery, partly].map(is)).toEqual([true, true, true, true])
    expect([unpaid, sent, refunded, returned].map(is)).toEqual([false, false, false, false])
    expect(await found('unpaid')).toEqual(expect.arrayContaining([unpaid.id, onDelivery.id]))
    expect(await found('unpaid')).not.toContain(paid.id)
  })

  it('needs_attention has orders whose money does, and those that are overdue', async () => {
    const buyer = await addPerson(shop.db)
    const { id, payment } = await addOrder(shop.db, buyer)
    const late = { method: 'bank_transfer', dueAt: new Date(Date.now() - 1000) } as const
    const overdue = await addOrder(shop.db, buyer, { unpaid: late })
    const captures = shop.db.updateTable('captures').where('provider_payment_id', '=', payment)
    await captures.set({ issue: 'amount_mismatch' }).execute()
    expect(await found('needs_attention')).toEqual([overdue.id, id])
  })
})

describe('GET /auth/all-orders?sort=', () => {
  it('sorts by number, date, customer and total, on each page, and what a search finds', async () => {
    const q = 'sortable'
    const names = ['bo Sortable', 'Al Sortable', 'Cy Sortable']
    for (const [at, name] of names.entries()) {
      const buyer = await addPerson(shop.db, { name })
      const price_minor = [300, 100, 200][at] ?? 0
      const lines = [{ ...LINE, quantity: 1, price_minor }]
      await addOrder(shop.db, buyer, { lines, at: new Date(Date.UTC(2020, 1, 3 - at)) })
    }
    const list = async (sort: string, more: Record<string, string>) => {
      const query = new URLSearchParams({ ...more, sort })
      const { body } = await shop.get<Order[]>(`/auth/all-orders?${query}`, asAdmin())
      return body.filter(({ buyer }) => buyer.name.endsWith('Sortable')).map(({ total }) => total)
    }
    const filters: Record<string, string>[] = [{ q }, { from: '2020-02-01', to: '2020-02-28' }]
    for (const more of filters) {
      expect(await list('total', more)).toEqual([1, 2, 3])
      expect(await list('-total', more)).toEqual([3, 2, 1])
      expect(await list('customer', more)).toEqual([1, 3, 2])
      expect(await list('number', more)).toEqual([3, 1, 2])
      expect(await list('-number', more)).toEqual([2, 1, 3])
      expect(await list('date', more)).toEqual([2, 1, 3])
    }
    const { status } = await shop.get('/auth/all-orders?sort=price', asAdmin())
    expect(status).toBe(400)
  })
})
