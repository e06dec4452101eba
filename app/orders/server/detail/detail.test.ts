import { beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import type { OrderDetail, OrderEvent } from '#app/orders/handling-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'
import { issueInvoices } from '../invoice.ts'

const shop = testShop()

let admin: Person
let buyer: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
  buyer = await addPerson(shop.db, { name: 'Asha Rao' })
})

const asAdmin = (body?: unknown) => ({ token: admin.token, body })
const open = (id: string) => shop.get<OrderDetail>(`/order/order/${id}`, asAdmin())
const detail = async (id: string) => (await open(id)).body
const setStatus = (id: string, status: string) =>
  shop.put(`/auth/order-status/${id}`, asAdmin({ status }))

/** Events in few words, the first one first. */
const told = (timeline: OrderEvent[]) =>
  timeline
    .toReversed()
    .map(({ kind, by, status, amount, text, refund, email }) =>
      [kind, by.name ?? by.kind, status, amount, text, refund, email?.kind]
        .filter((part) => part !== undefined)
        .join(' '),
    )

describe('GET /order/order/:orderId', () => {
  it('has the order as the list has it, with its lines and their products', async () => {
    const category = await addCategory(shop.db, 'Kitchen')
    const cup = await addProduct(shop.db, { category, name: 'Cup' })
    const line = { ...LINE, product_id: cup.id, name: 'Cup as sold', quantity: 3 }
    const { id } = await addOrder(shop.db, buyer, { lines: [line, LINE] })
    const { order, lines } = await detail(id)
    const { body } = await shop.get<Order[]>(`/auth/all-orders?q=${id}`, asAdmin())
    expect(order).toEqual(body[0])
    expect(lines).toMatchObject([
      { _id: cup.id, name: 'Cup as sold', quantity: 3, price: 19.99, isForSale: true },
      { _id: LINE.product_id, quantity: 2, isForSale: false },
    ])
  })

  it('has its money, its documents, and everything that happened, by whom', async () => {
    const { id } = await addOrder(shop.db, buyer)
    await issueInvoices(shop.db)
    await setStatus(id, 'Processing')
    const changes = [{ orderId: id, status: 'Shipped', carrier: 'DHL', customerNote: 'Enjoy' }]
    await shop.put('/order/orders', asAdmin({ changes, notify: false }))
    await shop.post(`/order/notes/${id}`, asAdmin({ text: 'Third floor' }))
    const refund = { amount: 10, reason: 'A scratch', returnStock: true }
    await shop.post(`/payment/refund/${id}`, asAdmin(refund))
    await issueInvoices(shop.db)

    const { captures, refunds, invoice, timeline } = await detail(id)
    expect(captures).toMatchObject([
      { amount: 39.98, provider: 'sandbox', state: 'order_refunded' },
    ])
    expect(refunds).toMatchObject([{ amount: 10, state: 'done', reason: 'A scratch' }])
    expect(refunds[0]?.creditNote).toBeGreaterThan(0)
    expect(invoice).toBeGreaterThan(0)
    const events = told(timeline)
    expect(events.toSorted()).toEqual(
      [
        'placed Asha Rao 39.98',
        'captured provider 39.98',
        'invoice shop',
        'status Ada Processing',
        'status Ada Shipped',
        'shipment Ada DHL',
        'customer_note Ada',
        'note Ada Third floor',
        'refund Ada 10 A scratch done',
        'stock_returned Ada',
        'credit_note shop',
        `email shop ${buyer.email} refund`,
      ].toSorted(),
    )
    // the e-mail about Processing was taken away by Shipped, which is not mailed
    const at = (event: string) => events.indexOf(event)
    expect(at('status Ada Processing')).toBeLessThan(at('status Ada Shipped'))
    expect(at('status Ada Shipped')).toBeLessThan(at('note Ada Third floor'))
  })

  it('counts what is left of each line: neither refunded nor returned', async () => {
    const { id } = await addOrder(shop.db, buyer, { lines: [LINE, { ...LINE, quantity: 3 }] })
    const refund = (position: number, returnStock: boolean) => {
      const lines = [{ kind: 'product', position, quantity: 1 }]
      return shop.post(`/payment/refund/${id}`, asAdmin({ lines, reason: 'Broken', returnStock }))
    }
    expect((await refund(0, false)).status).toBe(200)
    expect((await refund(1, true)).status).toBe(200)
    const { lines } = await detail(id)
    expect(lines.map(({ left, quantity }) => [left, quantity])).toEqual([
      [1, 2],
      [2, 3],
    ])
  })

  it('has each return to the stock with its pieces, and one of a whole order without', async () => {
    const { id } = await addOrder(shop.db, buyer, { lines: [LINE, { ...LINE, quantity: 3 }] })
    const { token } = await addPerson(shop.db, { admin: true, name: 'Bo' })
    const refund = (quantity: number, by = token) => {
      const lines = [0, 1].map((position) => ({ kind: 'product', position, quantity }))
      return shop.post(`/payment/refund/${id}`, {
        token: by,
        body: { lines, reason: 'Broken', returnStock: true },
      })
    }
    expect((await refund(1, admin.token)).status).toBe(200)
    expect((await refund(1)).status).toBe(200)
    const returnsOf = async (orderId: string) =>
      (await detail(orderId)).timeline
        .filter(({ kind }) => kind === 'stock_returned')
        .map(({ number, by }) => [number, by.name ?? by.kind])
    expect(await returnsOf(id)).toEqual([
      [2, 'Bo'],
      [2, 'Ada'],
    ])
    const { id: whole } = await addOrder(shop.db, buyer)
    const now = { stock_returned_at: new Date() }
    await shop.db.updateTable('orders').set(now).where('id', '=', whole).execute()
    expect(await returnsOf(whole)).toEqual([[undefined, 'shop']])
  })

  it('names the admin who entered money', async () => {
    const dueAt = new Date(Date.now() + 1e8)
    const { id } = await addOrder(shop.db, buyer, { unpaid: { method: 'bank_transfer', dueAt } })
    const date = new Date().toISOString().slice(0, 10)
    const money = { amount: 10, date, key: crypto.randomUUID() }
    expect((await shop.post(`/payment/receive/${id}`, asAdmin(money))).status).toBe(200)
    expect(told((await detail(id)).timeline)).toContain('captured Ada 10')
  })

  it('knows no other order', async () => {
    for (const id of ['0197f9a0-0000-7000-8000-000000000000', 'x'])
      expect((await open(id)).status).toBe(404)
  })
})
