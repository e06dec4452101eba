import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { Invoice, Order } from '#app/orders/contract.ts'
import type { OrderDetail } from '#app/orders/handling-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addCoupon, usesOf } from '#tests/support/coupons.ts'
import { emailKindsAbout } from '#tests/support/emails.ts'
import { cartOf } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { ADDRESS, ADDRESS_TEXT, addShipped, addZone, removeZones } from '#tests/support/shipping.ts'
import { unpaidShop } from '#tests/support/unpaid-orders.ts'

const world = unpaidShop({ RATE_LIMIT: 'on' })
const { shop, start, lapseReservations, receive, cup, ordersOf, stockOf, admin, asAdmin } = world

afterEach(async () => expect(await contradictionsIn(shop.db)).toEqual({}))

type Placed = { message: string; order: Order; code?: string; field?: string }

const place = (body: object) =>
  shop.post<Placed>('/payment/create-order', {
    ...asAdmin(),
    body: { amount: 1250, key: randomUUID(), ...body },
  })

const PAID = { receivedAs: 'cash' }
const UNPAID = { paymentMethod: 'bank_transfer' }

const forBuyer = (buyer: Person, product: { id: string }, facts: object = PAID) =>
  place({ buyerId: buyer.id, cart: cartOf(product), ...facts })

const emailsOf = async (order: { _id: string }) => (await emailKindsAbout(shop.db, order)).sort()

describe('POST /payment/create-order', () => {
  it('places a paid order, takes its stock, and has its invoice', async () => {
    const buyer = await addPerson(shop.db)
    const product = await cup({ quantity: 3 })
    const { status, body } = await forBuyer(buyer, product)
    expect(status).toBe(200)
    const [order] = await ordersOf(buyer)
    expect(order).toEqual(body.order)
    expect(order).toMatchObject({
      status: 'Not Process',
      total: 12.5,
      paymentMethod: { method: 'pay_on_delivery', name: 'Cash', received: 12.5 },
    })
    expect(order).not.toHaveProperty('unpaid')
    expect(await stockOf(product)).toBe(2)
    const invoice = await shop.get<Invoice>(`/order/invoice/${body.order._id}`, asAdmin())
    expect(invoice.body).toMatchObject({ total: 12.5, number: expect.any(Number), paidBy: 'Cash' })
    expect(await emailsOf(body.order)).toEqual(['new_order', 'order_confirmation'])
  })

  it('places an unpaid order, whose money is entered later, beyond the limits of buyers', async () => {
    const buyer = await addPerson(shop.db)
    for (let left = 4; left > 0; left -= 1)
      expect((await forBuyer(buyer, await cup(), UNPAID)).status).toBe(200)
    const [order] = await ordersOf(buyer)
    expect(order).toMatchObject({ unpaid: { owed: 12.5 } })
    expect((await receive(order as Order)).status).toBe(200)
  })

  it('names the admin in the history, and not in the data of the customer', async () => {
    const buyer = await addPerson(shop.db)
    const product = await cup()
    const entries = await entriesOf(shop.db, () => forBuyer(buyer, product))
    expect(entries).toMatchObject([
      { table_name: 'orders', action: 'insert', actor_kind: 'admin', actor_id: admin().id },
      { table_name: 'captures', after: { amount_minor: 1250, received_as: 'cash' } },
    ])
    const own = await shop.get<object>('/auth/my-data', { token: buyer.token })
    expect(JSON.stringify(own.body)).not.toContain(admin().id)
  })

  it('is placed by the admin in its timeline, and nothing of it has changed', async () => {
    const { order } = (await forBuyer(await addPerson(shop.db), await cup(), UNPAID)).body
    const { body } = await shop.get<OrderDetail>(`/order/order/${order._id}`, asAdmin())
    expect(body.timeline.filter(({ kind }) => kind !== 'email')).toMatchObject([
      { kind: 'placed', by: { kind: 'admin' }, amount: 12.5 },
    ])
  })

  it('is refunded by the merchant, who reads how much to send to whom', async () => {
    const buyer = await addPerson(shop.db, { name: 'Deniz Yilmaz' })
    const { order } = (await forBuyer(buyer, await cup())).body
    const body = { amount: 2.5, reason: 'A scratch', key: randomUUID() }
    for (const _ of ['sent', 'sent again'])
      expect(await shop.post(`/payment/refund/${order._id}`, { ...asAdmin(), body })).toMatchObject(
        {
          status: 200,
          body: { message: 'Recorded. Send ₹2.50 to Deniz Yilmaz yourself.' },
        },
      )
  })

  it('says amounts in the format of the shop', async () => {
    const settings = settingsThrough(shop, admin)
    const { locale } = (await settings.read()).settings
    await settings.save({ locale: 'de-DE' })
    const { order } = (await forBuyer(await addPerson(shop.db), await cup())).body
    const refund = (amount: number) => {
      const body = { amount, reason: 'A scratch', key: randomUUID() }
      return shop.post<{ message: string }>(`/payment/refund/${order._id}`, { ...asAdmin(), body })
    }
    expect((await refund(2.5)).body.message).toMatch(/^Recorded\. Send 2,50\s₹ to /)
    expect((await refund(99)).body.message).toMatch(/^Only 10,00\s₹ of this order is left/)
    await settings.save({ locale })
  })

  it('places one order for a request that is sent several times, and refuses its key for another', async () => {
    const buyer = await addPerson(shop.db)
    const product = await cup({ quantity: 5 })
    const request = { ...PAID, key: randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => forBuyer(buyer, product, request)))
    const ids = new Set(answers.map(({ body }) => body.order._id))
    expect(ids.size).toBe(1)
    expect(await stockOf(product)).toBe(4)
    const other = { ...request, cart: cartOf(product, product), amount: 2500 }
    expect(await forBuyer(buyer, product, other)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/placed already, as #\d+/) },
    })
  })

  it('places one order for a new customer, however often its request is sent', async () => {
    const request = {
      ...PAID,
      key: randomUUID(),
      buyer: { name: 'Meera', email: `meera-${randomUUID()}@example.com` },
      cart: cartOf(await cup({ quantity: 1 })),
    }
    const answers = await Promise.all([1, 2, 3].map(() => place(request)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.order._id)).size).toBe(1)
  })

  it('sells the last piece once to new customers, also one whose reservation has expired', async () => {
    const product = await cup({ quantity: 1 })
    await start(await addPerson(shop.db), { amount: 1250, cart: cartOf(product) })
    await lapseReservations()
    const answers = await Promise.all(
      ['Meera', 'Anand', 'Lalita'].map((name) =>
        place({ ...PAID, buyer: { name }, cart: cartOf(product) }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('out_of_stock')
  })

  it('opens an account without a password for a new customer, who can set one by e-mail', async () => {
    const email = `meera-${randomUUID()}@example.com`
    const product = await cup({ quantity: 5 })
    const buyer = { name: ' Meera Rao ', email, phone: '555 0177', address: '7 Temple Road' }
    const { body } = await place({ buyer, cart: cartOf(product), ...PAID })
    expect(body.order).toMatchObject({
      buyer: { name: 'Meera Rao' },
      delivery: { email, phone: '555 0177', address: '7 Temple Road' },
    })
    for (const password of ['none', 'correct-horse'])
      expect((await shop.post('/auth/login', { body: { email, password } })).status).toBe(401)
    const again = await place({
      buyer: { ...buyer, email: email.toUpperCase() },
      cart: cartOf(product),
      ...PAID,
    })
    expect(again).toMatchObject({ status: 409, body: { field: 'buyer.email' } })
    expect(await stockOf(product)).toBe(4)
  })

  it('takes a customer without an e-mail, twice, and mails nobody where that is chosen', async () => {
    const product = await cup({ quantity: 5 })
    const guest = { buyer: { name: 'Guest of the fair' }, cart: cartOf(product) }
    const handed = { ...PAID, isHandedOver: true, mails: false }
    const first = await place({ ...guest, ...handed })
    expect((await place({ ...guest, ...handed })).status).toBe(200)
    expect(first.body.order).toMatchObject({ status: 'deliverd' })
    expect(await emailsOf(first.body.order)).toEqual([])
  })

  it('names the product of which too few are left, and another total; nothing is placed then', async () => {
    const product = await cup({ quantity: 1, name: 'Rare bowl' })
    const buyer = { name: 'New', email: `new-${randomUUID()}@example.com` }
    const cart = cartOf(product, product)
    expect(await place({ buyer, cart, amount: 2500, ...PAID })).toMatchObject({
      status: 409,
      body: { code: 'out_of_stock', message: expect.stringContaining('Rare bowl') },
    })
    expect(await place({ buyer, cart: cartOf(product), amount: 1000, ...PAID })).toMatchObject({
      status: 409,
      body: { code: 'price_changed', quote: { totalMinor: 1250 } },
    })
    const users = shop.db.selectFrom('users').where('email', '=', buyer.email).select('id')
    expect(await users.execute()).toEqual([])
    expect(await stockOf(product)).toBe(1)
  })

  it('applies a coupon and shipping as any cart, and no shipping to what is handed over', async () => {
    await addZone(shop, admin())
    const coupon = await addCoupon(shop.db, { code: 'TENTH' })
    const buyer = await addPerson(shop.db)
    const product = await addShipped(shop, await anyCategory())
    const facts = { ...PAID, couponCodes: ['TENTH'], cart: cartOf(product), buyerId: buyer.id }
    const quote = await shop.post<{ totalMinor: number }>('/payment/quote-order', {
      ...asAdmin(),
      body: { cart: facts.cart, couponCodes: ['TENTH'], buyerId: buyer.id, delivery: ADDRESS },
    })
    expect(quote.body.totalMinor).toBe(1125 + 4000)
    expect(await place({ ...facts, amount: 5125 })).toMatchObject({
      status: 400,
      body: { field: 'delivery.country' },
    })
    const sent = await place({ ...facts, amount: 5125, delivery: ADDRESS })
    expect(sent.body.order).toMatchObject({ total: 51.25, delivery: { address: ADDRESS_TEXT } })
    const handed = await place({ ...facts, amount: 1125, isHandedOver: true })
    expect(handed.body.order).toMatchObject({ total: 11.25, status: 'deliverd' })
    expect(await usesOf(shop, coupon)).toBe(2)
    await removeZones(shop)
  })

  it('places an order that a coupon makes free', async () => {
    await addCoupon(shop.db, { code: 'GIFT', percent: 100 })
    const buyer = await addPerson(shop.db)
    const free = await forBuyer(buyer, await cup(), { couponCodes: ['GIFT'], amount: 0 })
    expect(free.body.order).toMatchObject({ total: 0 })
  })

  it('leaves what the customer has reserved as it is', async () => {
    const buyer = await addPerson(shop.db)
    const [reserved, product] = [await cup({ quantity: 1 }), await cup()]
    await start(buyer, { amount: 1250, cart: cartOf(reserved) })
    expect((await forBuyer(buyer, product)).status).toBe(200)
    expect(await stockOf(reserved)).toBe(0)
    const open = shop.db
      .selectFrom('payments')
      .where('user_id', '=', buyer.id)
      .where('state', '=', 'open')
    expect(await open.select('reserved_until').execute()).toHaveLength(1)
  })

  it('refuses no customer, two of them, an unknown one, and no way to pay', async () => {
    const buyer = await addPerson(shop.db)
    const cart = cartOf(await cup())
    for (const facts of [{}, { buyerId: buyer.id, buyer: { name: 'Two' } }])
      expect((await place({ cart, ...PAID, ...facts })).status).toBe(400)
    expect((await place({ cart, ...PAID, buyerId: randomUUID() })).status).toBe(404)
    expect((await place({ cart, buyerId: buyer.id })).status).toBe(400)
    expect((await place({ cart: [], ...PAID, buyerId: buyer.id })).status).toBe(400)
  })

  it('refuses a customer', async () => {
    const { token, id } = await addPerson(shop.db)
    const body = {
      buyerId: id,
      cart: cartOf(await cup()),
      amount: 1250,
      key: randomUUID(),
      ...PAID,
    }
    expect((await shop.post('/payment/create-order', { token, body })).status).toBe(403)
  })
})

const anyCategory = () => shop.db.selectFrom('categories').selectAll().executeTakeFirstOrThrow()
