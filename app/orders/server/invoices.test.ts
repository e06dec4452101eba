import { describe, expect, it } from 'vitest'
import type { Invoice } from '#app/orders/contract.ts'
import { updateDocument } from '#app/shared/server/settings/document-store.ts'
import { orderShop } from '#tests/support/order-shop.ts'
import { addOrder } from '#tests/support/orders.ts'
import { issueInvoices } from './invoice.ts'

const { shop, admin, buyer } = orderShop()

const open = async (id: string) =>
  (await shop.get<Invoice>(`/order/invoice/${id}`, { token: admin.token })).body
const SELLER = {
  pricesIncludeTax: true,
  taxesShipping: true,
  shippingClass: null,
  country: null,
  region: null,
  sellerName: 'Old Name Ltd',
  sellerAddress: '1 Old Street',
  sellerTaxNumber: 'T-1',
}
const saveSeller = (changes: Partial<typeof SELLER>) =>
  shop.put('/tax/settings', { token: admin.token, body: { ...SELLER, ...changes } })

describe('the number of an invoice', () => {
  it('follows the one before without a gap, whatever numbers the orders have', async () => {
    const first = await addOrder(shop.db, buyer)
    await addOrder(shop.db, buyer, { test: true })
    // a purchase that is undone
    await shop.db
      .transaction()
      .execute(async (tx) => {
        await addOrder(tx, buyer)
        throw new Error('undone')
      })
      .catch((error) => expect(String(error)).toContain('undone'))
    const second = await addOrder(shop.db, buyer)
    expect(second.number - first.number).toBe(3)
    const { number } = await open(first.id)
    expect((await open(second.id)).number).toBe(Number(number) + 1)
    expect(await open(second.id)).toMatchObject({ orderNumber: second.number })
  })

  it('is given in the order of the orders, also to an order that was cancelled meanwhile', async () => {
    const orders = []
    for (const status of ['Not Process', 'cancel', 'Shipped'] as const)
      orders.push(await addOrder(shop.db, buyer, { status }))
    await issueInvoices(shop.db)
    const numbers = await Promise.all(orders.map(async ({ id }) => (await open(id)).number ?? 0))
    const [first = 0] = numbers
    expect(numbers).toEqual([first, first + 1, first + 2])
  })

  it('is none for a test order, which says that it is one', async () => {
    const order = await addOrder(shop.db, buyer, { test: true })
    expect(await open(order.id)).toMatchObject({
      number: null,
      test: true,
      orderNumber: order.number,
    })
  })
})

describe('an issued invoice', () => {
  it('keeps its seller and its date when the settings change', async () => {
    await saveSeller({})
    const { id } = await addOrder(shop.db, buyer)
    const issued = await open(id)
    expect(issued.seller).toEqual({
      name: 'Old Name Ltd',
      address: '1 Old Street',
      taxNumber: 'T-1',
    })
    await saveSeller({ sellerName: 'New Owner GmbH', sellerAddress: '', sellerTaxNumber: 'T-2' })
    await updateDocument(shop.db, 'shop', { timeZone: 'Pacific/Kiritimati' })
    expect({ ...(await open(id)), orderDate: '' }).toEqual({ ...issued, orderDate: '' })
    const own = await shop.get<Invoice>(`/auth/orders/${id}/invoice`, { token: buyer.token })
    expect(own.body.seller).toEqual(issued.seller)
    await updateDocument(shop.db, 'shop', { timeZone: 'UTC' })
  })

  it('cannot be changed or deleted in the database', async () => {
    const { id } = await addOrder(shop.db, buyer)
    await open(id)
    for (const attempt of [
      shop.db.updateTable('invoices').set({ seller_name: 'x' }).where('order_id', '=', id),
      shop.db.deleteFrom('invoices').where('order_id', '=', id),
    ])
      await expect(attempt.execute()).rejects.toThrow('never changed or deleted')
  })

  it('has the name of the shop where the seller has none', async () => {
    await saveSeller({ sellerName: '' })
    const { id } = await addOrder(shop.db, buyer)
    expect((await open(id)).seller.name).toBe('Haat')
  })
})
