/** Unpaid orders in the list of payments. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addOrder } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const list = async (state: string) =>
  (await shop.get<ListedPayment[]>(`/payment/payments?state=${state}`, { token: admin.token })).body

const HOUR = 60 * 60_000

describe('GET /payment/payments', () => {
  it('lists an unpaid order with what is owed until when, and whether its buyer was reminded', async () => {
    const buyer = await addPerson(shop.db)
    const dueAt = new Date(Date.now() + HOUR)
    const method = 'bank_transfer' as const
    const soon = await addOrder(shop.db, buyer, { unpaid: { method, dueAt, received: 1000 } })
    const late = await addOrder(shop.db, buyer, {
      unpaid: { method, dueAt: new Date('2026-11-01T10:00:00Z') },
    })
    await shop.db
      .updateTable('payments')
      .set({ reminded_at: new Date() })
      .where('id', '=', late.payment_id)
      .execute()
    expect(await list('owed')).toMatchObject([
      { state: 'overdue', order: { _id: late.id } },
      {
        order: { _id: soon.id, number: soon.number },
        buyer: { email: buyer.email },
        amount: 29.98,
        dueDate: dueAt.toISOString().slice(0, 10),
        isReminded: false,
      },
    ])
    expect(await list('overdue')).toMatchObject([
      { order: { _id: late.id }, amount: 39.98, dueDate: '2026-11-01', isReminded: true },
    ])
    expect((await list('needs_attention')).map(({ order }) => order?._id)).toEqual([late.id])
  })
})
