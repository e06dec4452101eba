/** Purchases with a billing address of their own. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { CreditNote, Invoice, Order } from '#app/orders/contract.ts'
import { addPerson, PASSWORD, type Person } from '#tests/support/accounts.ts'
import { addCoupon } from '#tests/support/coupons.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { ADDRESS, ADDRESS_TEXT } from '#tests/support/shipping.ts'
import { unpaidShop } from '#tests/support/unpaid-orders.ts'
import { issueInvoices } from './invoice.ts'

const world = unpaidShop()
const { shop, start, verify, order: orderUnpaid, cup, refund, asAdmin } = world

const BILLED = {
  name: 'Rivera & Sons',
  street: 'Rosenweg 5',
  city: 'Wien',
  region: '',
  postalCode: '1010',
  country: 'AT',
  phone: '+43 1 5550199',
}
const BILLED_TEXT = 'Rosenweg 5, 1010 Wien, Austria'
const BILLING = { name: BILLED.name, phone: BILLED.phone, address: BILLED_TEXT, parts: BILLED }
const PRESENT = { delivery: ADDRESS, billing: BILLED }

const newBuyer = () => addPerson(shop.db, { name: `Sam ${randomUUID()}` })

/** An order of one cup that is paid by card. */
async function paid(facts: object = PRESENT, by?: Person) {
  const buyer = by ?? (await newBuyer())
  const body = { amount: 1250, cart: cartOf(await cup()), ...facts }
  const { id } = (await start(buyer, body)).body
  const { order } = (await verify(buyer, signedPayment(id))).body
  return { order, buyer }
}

const placeByAdmin = async (facts: object) => {
  const body = {
    buyerId: (await newBuyer()).id,
    key: randomUUID(),
    cart: cartOf(await cup()),
    amount: 1250,
    ...facts,
  }
  return shop.post<{ order: Order; field?: string; message: string }>('/payment/create-order', {
    ...asAdmin(),
    body,
  })
}

const invoiceOf = async ({ _id }: { _id: string }) =>
  (await shop.get<Invoice>(`/order/invoice/${_id}`, asAdmin())).body

const found = async (q: string) => {
  const query = encodeURIComponent(q)
  const { body } = await shop.get<Order[]>(`/auth/all-orders?q=${query}`, asAdmin())
  return body.map(({ _id }) => _id)
}

describe('a billing address', () => {
  it('stands on the order, however it is paid and whoever places it', async () => {
    await addCoupon(shop.db, { code: 'WHOLE', percent: 100 })
    const free = { amount: 0, couponCodes: ['WHOLE'], ...PRESENT }
    const orders = [
      (await paid()).order,
      (await orderUnpaid(await newBuyer(), await cup(), PRESENT)).body.order,
      (await start<{ order: Order }>(await newBuyer(), { cart: cartOf(await cup()), ...free })).body
        .order,
      (await placeByAdmin({ receivedAs: 'cash', ...PRESENT })).body.order,
    ]
    for (const one of orders) {
      expect(one.billing).toEqual(BILLING)
      expect(one.delivery).toMatchObject({ name: ADDRESS.name, address: ADDRESS_TEXT })
    }
  })

  it('is who pays on invoice and credit note, which say where it was delivered, too', async () => {
    const buyer = await newBuyer()
    const facts = { buyerId: buyer.id, receivedAs: 'cash', ...PRESENT }
    const one = (await placeByAdmin(facts)).body.order
    const { name, phone } = BILLED
    const parties = {
      buyer: { name, email: buyer.email, phone, address: BILLED_TEXT },
      recipient: { name: ADDRESS.name, phone: ADDRESS.phone, address: ADDRESS_TEXT },
    }
    expect(await invoiceOf(one)).toMatchObject(parties)
    await refund(one)
    await issueInvoices(shop.db)
    const { body: orders } = await shop.get<Order[]>('/auth/orders', { token: buyer.token })
    const number = orders[0]?.refunds?.[0]?.creditNote
    const path = `/auth/credit-notes/${number}`
    const note = await shop.get<CreditNote>(path, { token: buyer.token })
    expect(note.body).toMatchObject(parties)
  })

  it('is the account at the address of the delivery, where the buyer receives it', async () => {
    const buyer = await newBuyer()
    const delivery = { ...ADDRESS, name: buyer.name.toUpperCase() }
    const { order: one } = await paid({ delivery }, buyer)
    expect(one).not.toHaveProperty('billing')
    const { name, email } = buyer
    const invoice = await invoiceOf(one)
    expect(invoice.buyer).toEqual({ name, email, phone: '555 0100', address: ADDRESS_TEXT })
    expect(invoice).not.toHaveProperty('recipient')
  })

  it('is the account at its own address, where somebody else receives it', async () => {
    const { buyer, order: one } = await paid({ delivery: ADDRESS })
    await shop.put('/auth/profile', { token: buyer.token, body: { address: 'Moved' } })
    expect(one).not.toHaveProperty('billing')
    const { name, email } = buyer
    const parties = {
      buyer: { name, email, phone: '555 0100', address: '1 Market Lane' },
      recipient: { name: ADDRESS.name, phone: ADDRESS.phone, address: ADDRESS_TEXT },
    }
    expect(await invoiceOf(one)).toMatchObject(parties)
    await shop.put(`/auth/order-status/${one._id}`, { ...asAdmin(), body: { status: 'deliverd' } })
    expect((await shop.delete(`/auth/user/${buyer.id}`, asAdmin())).status).toBe(200)
    const ofClosed = await invoiceOf(one)
    expect(ofClosed.buyer).toMatchObject({ name: 'Closed account', address: '' })
    expect(ofClosed).not.toHaveProperty('recipient')
  })

  it('is printed as by 0.7.0 on an invoice of that version', async () => {
    const { buyer, order: one } = await paid({ delivery: ADDRESS })
    const order = shop.db.updateTable('orders').where('id', '=', one._id)
    await order.set({ payer_address: null }).execute()
    const invoice = await invoiceOf(one)
    expect(invoice.buyer).toMatchObject({ name: buyer.name, address: ADDRESS_TEXT })
    expect(invoice).not.toHaveProperty('recipient')
  })

  it('names who pays also where the parcel goes to the same', async () => {
    const { buyer, order: one } = await paid({ delivery: BILLED, billing: BILLED })
    const { name, phone } = BILLED
    const invoice = await invoiceOf(one)
    expect(invoice.buyer).toEqual({ name, email: buyer.email, phone, address: BILLED_TEXT })
    expect(invoice).not.toHaveProperty('recipient')
  })

  it('is printed as it was when the order was placed', async () => {
    const { order: one } = await paid()
    const text = 'Rosenweg 5, 1010 Wien, Österreich'
    await shop.db
      .updateTable('orders')
      .set({ billing: sql`billing || ${JSON.stringify({ text })}::jsonb` })
      .where('id', '=', one._id)
      .execute()
    expect((await invoiceOf(one)).buyer.address).toBe(text)
  })

  it('is deleted by the code of 0.6.0, too, when that closes the account', async () => {
    const { buyer } = await paid()
    await shop.db
      .updateTable('users')
      .set({ closed_at: sql`now()` })
      .where('id', '=', buyer.id)
      .execute()
    for (const table of ['payments', 'orders'] as const) {
      const rows = shop.db.selectFrom(table).where('user_id', '=', buyer.id).select('billing')
      expect(await rows.execute()).toEqual([{ billing: null }])
    }
  })

  it('may be given beside the address of the profile', async () => {
    const { order: one } = await paid({ billing: BILLED })
    expect(one.billing).toEqual(BILLING)
    expect((await invoiceOf(one)).recipient).toMatchObject({ address: '1 Market Lane' })
  })

  it('is checked as that of the delivery is, and may be in any country', async () => {
    const buyer = await newBuyer()
    const cart = cartOf(await cup())
    const refusals: [billing: unknown, field: string][] = [
      [{ ...BILLED, country: 'XX' }, 'billing.country'],
      [{ ...BILLED, country: 'US' }, 'billing.region'],
      [{ ...BILLED, country: 'IN', region: 'Nowhere' }, 'billing.region'],
      [{ ...BILLED, name: ' ' }, 'billing.name'],
      [{ ...BILLED, street: undefined }, 'billing.street'],
    ]
    for (const [billing, field] of refusals) {
      const refused = { status: 400, body: { code: 'invalid', field } }
      const body = { amount: 1250, cart, billing }
      expect(await start(buyer, body), field).toMatchObject(refused)
      expect(await placeByAdmin({ receivedAs: 'cash', billing }), field).toMatchObject(refused)
    }
  })

  it('is a part of the order: another one is no repeated request', async () => {
    const buyer = await newBuyer()
    const product = await cup({ quantity: 5 })
    const numbers = []
    for (const billing of [BILLED, { ...BILLED, name: 'Sam' }, BILLED, undefined])
      numbers.push((await orderUnpaid(buyer, product, { ...PRESENT, billing })).body.order.number)
    expect(new Set(numbers).size).toBe(3)
    expect(numbers[2]).toBe(numbers[0])
  })

  it('is a part of an order by phone: its key names no order with another one', async () => {
    const facts = {
      key: randomUUID(),
      buyerId: (await newBuyer()).id,
      cart: cartOf(await cup()),
      receivedAs: 'cash',
      ...PRESENT,
    }
    const { order: first } = (await placeByAdmin(facts)).body
    expect((await placeByAdmin(facts)).body.order._id).toBe(first._id)
    const others = [
      { billing: { ...BILLED, name: 'Sam' } },
      { billing: undefined },
      { delivery: BILLED },
    ]
    for (const other of others)
      expect(await placeByAdmin({ ...facts, ...other })).toMatchObject({ status: 409 })
  })

  it('is in the files of the books and of the customer', async () => {
    const { order, buyer } = await paid()
    const file = (await shop.get('/order/export', asAdmin())).bytes.toString().split('\r\n')
    const { name, phone, street, city, region, postalCode, country } = BILLED
    const cells = [name, phone, street, city, region, postalCode, country]
    expect(file.find((line) => line.includes(order._id))).toContain(
      cells.map((cell) => `"${cell}"`).join(),
    )
    const data = await shop.get<Record<'orders' | 'payments', object>>('/auth/my-data', {
      token: buyer.token,
    })
    expect(data.body.orders).toMatchObject([{ billing: BILLED }])
    expect(data.body.payments).toMatchObject([{ billing: BILLED }])
  })

  it('finds the order by a part of its name, in any case, while the account is open', async () => {
    const name = `Müller ${randomUUID().slice(0, 8)}`
    const { order, buyer } = await paid({ billing: { ...BILLED, name } })
    const { _id } = order
    expect(await found(name.slice(1).toUpperCase())).toEqual([_id])
    expect(await found(name.replace('ü', 'u'))).toEqual([_id])
    const { token } = buyer
    await shop.db.updateTable('orders').set({ status: 'deliverd' }).where('id', '=', _id).execute()
    await shop.post('/auth/close-account', { token, body: { password: PASSWORD } })
    expect(await found(name)).toEqual([])
  })

  it('is gone when the account is closed, and the history never had it', async () => {
    const { body } = await placeByAdmin({ receivedAs: 'cash', billing: BILLED })
    const { _id, buyer } = body.order
    await shop.put(`/auth/order-status/${_id}`, { ...asAdmin(), body: { status: 'deliverd' } })
    expect((await shop.delete(`/auth/user/${buyer._id}`, asAdmin())).status).toBe(200)
    for (const table of ['payments', 'orders'] as const) {
      const rows = shop.db.selectFrom(table).where('user_id', '=', buyer._id).select('billing')
      expect(await rows.execute()).toEqual([{ billing: null }])
    }
    const history = await shop.db
      .selectFrom('audit_log')
      .where('row_id', '=', _id)
      .selectAll()
      .execute()
    expect(history.length).toBeGreaterThan(0)
    expect(JSON.stringify(history)).not.toContain('Rosenweg')
    expect((await invoiceOf({ _id })).buyer).toMatchObject({ name: 'Closed account', address: '' })
  })
})
