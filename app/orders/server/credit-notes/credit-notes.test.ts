import { describe, expect, it } from 'vitest'
import type { CreditNote, Invoice, Order } from '#app/orders/contract.ts'
import { updateDocument } from '#app/shared/server/settings/document-store.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { orderShop } from '#tests/support/order-shop.ts'
import { addOrder, addRefund, LINE } from '#tests/support/orders.ts'
import { TAX_SETTINGS } from '#tests/support/taxes.ts'
import { issueInvoices } from '../invoice.ts'

const { shop, admin, buyer } = orderShop()

const CRACKED = 'The cup was cracked.'
const refund = (id: string, body: object = {}) =>
  shop.post(`/payment/refund/${id}`, { token: admin.token, body: { reason: CRACKED, ...body } })

const listed = async (id: string) => {
  const { body } = await shop.get<Order[]>('/auth/orders', { token: buyer.token })
  return body.find(({ _id }) => _id === id)
}

/** Issues what is due, and returns the numbers of an order's credit notes. */
async function numbersOf(id: string): Promise<number[]> {
  await issueInvoices(shop.db)
  const { refunds = [] } = (await listed(id)) ?? {}
  return refunds.flatMap(({ creditNote }) => creditNote ?? [])
}

const open = async (number: number | undefined) =>
  (await shop.get<CreditNote>(`/auth/credit-notes/${number}`, { token: buyer.token })).body

const invoiceOf = async (id: string) =>
  (await shop.get<Invoice>(`/auth/orders/${id}/invoice`, { token: buyer.token })).body

const notTaxed = { source: '', is_included: false, tax_minor: 0, tax_rate: null, basis_minor: null }

/** An order of 47.18: cups for 39.98 with 7.20 of tax. */
const addTaxed = () =>
  addOrder(shop.db, buyer, {
    lines: [{ ...LINE, tax_minor: 720, tax_rate: 18_000 }],
    adjustments: [
      {
        ...notTaxed,
        kind: 'tax',
        label: 'GST 18 %',
        tax_rate: 18_000,
        amount_minor: 720,
        basis_minor: 3998,
      },
    ],
  })

describe('the credit note of a refund', () => {
  it('has the lines and taxes of the invoice when all of the order is refunded', async () => {
    const { id, number: orderNumber } = await addTaxed()
    await refund(id)
    const [number] = await numbersOf(id)
    const { lines, subtotal, adjustments, total, ...invoice } = await invoiceOf(id)
    expect(total).toBe(47.18)
    expect(await open(number)).toEqual({
      number,
      date: invoice.date,
      invoiceNumber: invoice.number,
      invoiceDate: invoice.date,
      orderNumber,
      orderDate: invoice.orderDate,
      orderId: id,
      refundDate: invoice.date,
      reason: CRACKED,
      currency: 'INR',
      test: false,
      seller: invoice.seller,
      buyer: invoice.buyer,
      lines,
      subtotal,
      adjustments,
      total,
    })
  })

  it('has the tax in proportion when a part is refunded, and the rest of it with the last part', async () => {
    const { id } = await addTaxed()
    await refund(id, { amount: 10 })
    await refund(id)
    const [first, last] = await numbersOf(id)
    const gst = { kind: 'tax', label: 'GST 18 %', included: true, taxRate: 18, tax: 0 }
    expect(await open(first)).toMatchObject({
      lines: [],
      adjustments: [{ ...gst, amount: 1.53, basis: 8.47 }],
      total: 10,
    })
    expect(await open(last)).toMatchObject({
      lines: [],
      adjustments: [{ ...gst, amount: 5.67, basis: 31.51 }],
      total: 37.18,
    })
  })

  it('is none for a test order, nor for a free one', async () => {
    const test = await addOrder(shop.db, buyer, { test: true })
    await refund(test.id)
    expect(await numbersOf(test.id)).toEqual([])
    expect(await listed(test.id)).toMatchObject({ refunds: [{ amount: 39.98, creditNote: null }] })
    const free = await addOrder(shop.db, buyer, { lines: [{ ...LINE, price_minor: 0 }] })
    await refund(free.id)
    expect(await listed(free.id)).not.toHaveProperty('refunds')
  })

  it('has at most what the order cost, also where more was paid and refunded', async () => {
    const order = await addOrder(shop.db, buyer)
    await shop.db
      .updateTable('captures')
      .set({ amount_minor: 6000 })
      .where('payment_id', '=', order.payment_id)
      .execute()
    for (const amount of [3000, 2000, 1000]) await addRefund(shop.db, order, amount)
    const numbers = await numbersOf(order.id)
    expect(await Promise.all(numbers.map(async (number) => (await open(number)).total))).toEqual([
      30, 9.98,
    ])
  })
})

describe('the number of a credit note', () => {
  it('follows the one before without a gap, in the order of the refunds, in a series of its own', async () => {
    const first = await addOrder(shop.db, buyer)
    const second = await addOrder(shop.db, buyer)
    await refund(second.id, { amount: 1 })
    await refund(first.id, { amount: 2 })
    await refund(second.id, { amount: 3 })
    const [of2 = 0, next] = await numbersOf(second.id)
    expect(next).toBe(of2 + 2)
    expect(await numbersOf(first.id)).toEqual([of2 + 1])
  })

  it('is given once when several processes issue at the same time', async () => {
    const { id } = await addOrder(shop.db, buyer)
    await refund(id, { amount: 1 })
    await Promise.all([issueInvoices(shop.db), issueInvoices(shop.db)])
    expect(await numbersOf(id)).toHaveLength(1)
  })
})

describe('an issued credit note', () => {
  it('keeps its seller and its date when the settings change', async () => {
    const save = (sellerName: string) =>
      shop.put('/tax/settings', { token: admin.token, body: { ...TAX_SETTINGS, sellerName } })
    await save('Old Name Ltd')
    const { id } = await addOrder(shop.db, buyer)
    await refund(id)
    const [number] = await numbersOf(id)
    const issued = await open(number)
    expect(issued.seller.name).toBe('Old Name Ltd')
    await save('New Owner GmbH')
    await updateDocument(shop.db, 'shop', { timeZone: 'Pacific/Kiritimati' })
    const { seller, date } = await open(number)
    expect({ seller, date }).toEqual({ seller: issued.seller, date: issued.date })
    await updateDocument(shop.db, 'shop', { timeZone: 'UTC' })
  })

  it('cannot be changed or deleted in the database', async () => {
    const { id } = await addOrder(shop.db, buyer)
    await refund(id)
    const [number = 0] = await numbersOf(id)
    for (const attempt of [
      shop.db.updateTable('credit_notes').set({ amount_minor: 1 }).where('number', '=', number),
      shop.db.deleteFrom('credit_notes').where('number', '=', number),
    ])
      await expect(attempt.execute()).rejects.toThrow('never changed or deleted')
  })
})

describe('GET /auth/credit-notes/:number', () => {
  it('is for the buyer of the order only, and /order/credit-note/:number for admins', async () => {
    const { id } = await addOrder(shop.db, buyer)
    await refund(id)
    const [number] = await numbersOf(id)
    const path = `/auth/credit-notes/${number}`
    const { token } = await addPerson(shop.db)
    expect((await shop.get(path)).status).toBe(401)
    expect((await shop.get(path, { token })).status).toBe(404)
    expect((await shop.get(path, { token: admin.token })).status).toBe(404)
    expect((await shop.get(`/order/credit-note/${number}`, { token })).status).toBe(403)
    const { body } = await shop.get(`/order/credit-note/${number}`, { token: admin.token })
    expect(body).toEqual(await open(number))
  })

  it('answers 404 for a number that is not given', async () => {
    expect((await shop.get('/auth/credit-notes/999999', { token: buyer.token })).status).toBe(404)
  })
})

describe('GET /auth/orders', () => {
  it('names the refunds of an order with their date, amount, reason and credit note', async () => {
    const { id } = await addOrder(shop.db, buyer)
    expect(await listed(id)).not.toHaveProperty('refunds')
    await refund(id, { amount: 10 })
    const date = new Date().toISOString().slice(0, 10)
    const first = { date, amount: 10, reason: CRACKED }
    expect((await listed(id))?.refunds).toEqual([{ ...first, creditNote: null }])
    const [creditNote] = await numbersOf(id)
    await refund(id, { amount: 0.5, reason: 'It came late.' })
    const refunds = [
      { ...first, creditNote },
      { date, amount: 0.5, reason: 'It came late.', creditNote: null },
    ]
    expect((await listed(id))?.refunds).toEqual(refunds)
    const { body } = await shop.get<Order[]>(`/auth/all-orders?q=${id}`, { token: admin.token })
    expect(body[0]?.refunds).toEqual(refunds)
  })
})
