import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { unavailable } from '#app/shared/server/failure.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { contextWith, paymentContext } from '#tests/support/payment-context.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { releaseExpired } from './reservations.ts'
import { startPayment } from './service.ts'

const { shop, start, verify, cancel, expireReservations, ordersOf, stockOf, cup } = paymentShop()

type Product = { id: string }

/** Starts a payment for these products at 12.50 each. */
const startFor = (buyer: Person, ...products: Product[]) =>
  start(buyer, { amount: 1250 * products.length, cart: cartOf(...products) })

/** The context with a provider outside the shop, which chooses the ids of its orders. */
function awayContext(start: () => Promise<string>) {
  const { provider, ...rest } = paymentContext(shop, { start })
  const { newOrderId: _, ...away } = provider
  return contextWith(away, rest)
}

const SHORT = { status: 409, body: { code: 'out_of_stock' } }

describe('a started payment', () => {
  it('replaces the one that the same buyer started before', async () => {
    const first = await cup({ quantity: 3 })
    const second = await cup({ quantity: 3 })
    const [buyer] = await twoBuyers()
    await startFor(buyer, first, first)
    await startFor(buyer, first, second, second)
    expect([await stockOf(first), await stockOf(second)]).toEqual([2, 1])
    await startFor(buyer, first, first, first)
    expect([await stockOf(first), await stockOf(second)]).toEqual([0, 3])
  })

  it('counts what its buyer has reserved when it says what is left, and keeps that', async () => {
    const product = await cup({ quantity: 3 })
    const [buyer] = await twoBuyers()
    await startFor(buyer, product, product)
    const reply = await startFor(buyer, product, product, product, product)
    expect(reply).toMatchObject({
      status: 409,
      body: { message: 'Not enough of Clay cup in stock: only 3 left.' },
    })
    expect(await stockOf(product)).toBe(1)
  })

  it('counts it too when the amount is another one', async () => {
    const product = await cup({ quantity: 2 })
    const [buyer] = await twoBuyers()
    const cart = cartOf(product, product)
    await startFor(buyer, product, product)
    expect(await start(buyer, { amount: -5, cart })).toMatchObject({ status: 400 })
    expect(await start(buyer, { amount: 2495, cart })).toMatchObject({
      status: 409,
      body: { code: 'price_changed', quote: { totalMinor: 2500 } },
    })
    expect(await start(buyer, { amount: 1, cart: [...cart, ...cartOf(product)] })).toMatchObject({
      status: 409,
      body: { message: 'Not enough of Clay cup in stock: only 2 left.' },
    })
  })

  it('reserves nothing when the price has changed', async () => {
    const product = await cup()
    const [buyer] = await twoBuyers()
    expect((await start(buyer, { amount: 1, cart: cartOf(product) })).status).toBe(409)
    expect(await stockOf(product)).toBe(10)
  })

  it('releases everything at once when the provider does not answer', async () => {
    const product = await cup()
    const [buyer] = await twoBuyers()
    const starts = () => Promise.reject(unavailable('No answer.', 30))
    const body = { userId: buyer.id, amount: 1250, cart: cartOf(product) }
    const starting = startPayment(shop.db, awayContext(starts), body)
    await expect(starting).rejects.toMatchObject({ code: 'unavailable' })
    expect(await stockOf(product)).toBe(10)
    expect(await reservedBy(buyer)).toBeUndefined()
  })

  it('calls no provider when there is too little', async () => {
    const product = await cup({ quantity: 0 })
    const [buyer] = await twoBuyers()
    const starts = () => Promise.reject(new Error('asked'))
    const body = { userId: buyer.id, amount: 1250, cart: cartOf(product) }
    const starting = startPayment(shop.db, awayContext(starts), body)
    await expect(starting).rejects.toMatchObject({ code: 'out_of_stock' })
  })
})

const twoBuyers = async (): Promise<[Person, Person]> => [
  await addPerson(shop.db),
  await addPerson(shop.db),
]

const reservedBy = ({ id }: Person) =>
  shop.db
    .selectFrom('payments')
    .where('user_id', '=', id)
    .where('state', '=', 'open')
    .selectAll()
    .executeTakeFirst()

describe('a reservation', () => {
  it('lasts fifteen minutes by the clock of the database', async () => {
    const [buyer] = await twoBuyers()
    await startFor(buyer, await cup())
    const { rows } = await sql<{ minutes: number }>`
      select round(extract(epoch from reserved_until - now()) / 60)::integer as minutes
      from payments where user_id = ${buyer.id}`.execute(shop.db)
    expect(rows).toEqual([{ minutes: 15 }])
  })

  it('ends when its time is over, and not before', async () => {
    const product = await cup()
    const [asha, ben] = await twoBuyers()
    await startFor(asha, product)
    await startFor(ben, product, product)
    await releaseExpired(shop.db)
    expect(await stockOf(product)).toBe(7)
    await shop.db
      .updateTable('payments')
      .set({ reserved_until: new Date(0) })
      .where('user_id', '=', asha.id)
      .execute()
    const ended = await Promise.all([1, 2, 3].map(() => releaseExpired(shop.db)))
    expect(ended.sort()).toEqual([0, 0, 1])
    expect(await stockOf(product)).toBe(8)
    expect(await reservedBy(ben)).toBeDefined()
  })

  it('that has expired is no obstacle, although no job has released it yet', async () => {
    const product = await cup({ quantity: 1 })
    const [asha, ben] = await twoBuyers()
    await startFor(asha, product)
    expect(await startFor(ben, product)).toMatchObject(SHORT)
    await shop.db
      .updateTable('payments')
      .set({ reserved_until: new Date(0) })
      .execute()
    expect((await startFor(ben, product)).status).toBe(200)
    expect(await stockOf(product)).toBe(0)
  })
})

describe('a payment whose reservation has expired', () => {
  it('is refunded when the last piece is sold, and its buyer is told every time', async () => {
    const product = await cup({ quantity: 1 })
    const [late, quick] = await twoBuyers()
    const { body } = await startFor(late, product)
    await expireReservations()
    await startFor(quick, product)
    const proof = signedPayment(body.id)
    for (const how of ['will be', 'was', 'was']) {
      const message = `Clay cup is sold out: 0 left. Your payment ${how} refunded.`
      const body = { code: 'out_of_stock', message }
      expect(await verify(late, proof)).toMatchObject({ status: 409, body })
    }
    expect(await ordersOf(late)).toEqual([])
  })
})

describe('POST /product/razorpay/cancel', () => {
  it('does not know what is not the buyer’s', async () => {
    const product = await cup()
    const [buyer, stranger] = await twoBuyers()
    const { body } = await startFor(buyer, product)
    for (const id of [body.id, 'order_none', uuidv7(), '', 'x'.repeat(10_000)]) {
      expect((await cancel(stranger, id)).status).toBe(404)
    }
    expect((await cancel(buyer, 1)).status).toBe(400)
    expect(await stockOf(product)).toBe(9)
  })
})
