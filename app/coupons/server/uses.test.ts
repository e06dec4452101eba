import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import type { Row } from '#db/schema.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { atOnce } from '#tests/support/concurrently.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addCoupon, usesOf } from '#tests/support/coupons.ts'
import { paymentMethods } from '#tests/support/payment-methods.ts'
import { cartOf, moneyOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify, cancel, expireReservations, ordersOf, stockOf } = purchases(shop)

let category: { id: string }
let cup: { id: string }
beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
  cup = await addProduct(shop.db, { category, price: 10, quantity: 1000 })
})

let made = 0
const coupon = (facts: Partial<Row<'coupons'>> = {}) => {
  made += 1
  return addCoupon(shop.db, { code: `CODE-${made}`, ...facts })
}

type Code = { code: string }

/** Starts a payment for a cup at 10.00, less 10 % for each code. */
const startWith = (buyer: Person, ...codes: Code[]) =>
  start(buyer, {
    amount: 1000 * 0.9 ** codes.length,
    cart: cartOf(cup),
    couponCodes: codes.map(({ code }) => code),
  })

const REFUSED = { status: 409, body: { code: 'price_changed' } }

describe('the use of a coupon', () => {
  it('is held by a started payment, and kept by its order', async () => {
    const once = await coupon({ max_uses: 1 })
    const [asha, ben] = [await addPerson(shop.db), await addPerson(shop.db)]
    const started = await startWith(asha, once)
    expect(started).toMatchObject({ status: 200, body: { amount: 900 } })
    expect(await usesOf(shop, once)).toBe(1)
    expect(await startWith(ben, once)).toMatchObject(REFUSED)
    const paid = await verify(asha, signedPayment(started.body.id))
    expect(paid).toMatchObject({ status: 200, body: { order: { total: 9 } } })
    expect(await usesOf(shop, once)).toBe(1)
    const adjustments = await shop.db
      .selectFrom('order_adjustments')
      .where('order_id', '=', paid.body.order._id)
      .selectAll()
      .execute()
    expect(adjustments).toMatchObject([{ kind: 'discount', source: once.code, amount_minor: -100 }])
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('is returned when the payment is cancelled, and when it expires', async () => {
    const once = await coupon({ max_uses: 1 })
    const buyer = await addPerson(shop.db)
    const { body } = await startWith(buyer, once)
    await cancel(buyer, body.id)
    expect(await usesOf(shop, once)).toBe(0)
    await startWith(await addPerson(shop.db), once)
    expect(await usesOf(shop, once)).toBe(1)
    await expireReservations()
    expect(await usesOf(shop, once)).toBe(0)
  })

  it('is returned when another payment of the buyer replaces it, and taken by that one', async () => {
    const [one, two] = [await coupon({ max_uses: 1 }), await coupon({ max_uses: 1 })]
    const buyer = await addPerson(shop.db)
    await startWith(buyer, one)
    expect((await startWith(buyer, one)).status).toBe(200)
    expect([await usesOf(shop, one), await usesOf(shop, two)]).toEqual([1, 0])
    await startWith(buyer, two)
    expect([await usesOf(shop, one), await usesOf(shop, two)]).toEqual([0, 1])
    await startWith(buyer)
    expect([await usesOf(shop, one), await usesOf(shop, two)]).toEqual([0, 0])
  })

  it.each([
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ])(
    'is one for a first order, in whatever order three payments are paid: %i, %i, %i',
    async (...sequence) => {
      const first = await coupon({ audience: 'first_order' })
      const other = await coupon({ audience: 'first_order' })
      const buyer = await addPerson(shop.db)
      const payments: string[] = []
      for (const code of [first, other, first])
        payments.push((await startWith(buyer, code)).body.id)
      const totals: (number | undefined)[] = []
      for (const at of sequence) {
        const { body } = await verify(buyer, signedPayment(payments[at] ?? ''))
        totals.push(body.order?.total)
      }
      expect(totals.filter((total) => total !== undefined)).toEqual([9])
      expect((await usesOf(shop, first)) + (await usesOf(shop, other))).toBe(1)
      expect(await contradictionsIn(shop.db)).toEqual({})
    },
  )

  it('is one for a first order, beside an unpaid order, late money and cancellations', async () => {
    const admin = await addPerson(shop.db, { admin: true })
    const [first, other] = [
      await coupon({ audience: 'first_order' }),
      await coupon({ audience: 'first_order' }),
    ]
    const buyer = await addPerson(shop.db)
    const cancelled = await startWith(buyer, other)
    await cancel(buyer, cancelled.body.id)
    const late = await startWith(buyer, first)
    await settingsThrough(shop, () => admin).save({
      paymentMethods: paymentMethods({ bank_transfer: {} }),
    })
    const unpaid = await shop.post<{ order: Order }>('/product/razorpay/order', {
      token: buyer.token,
      body: {
        amount: 900,
        cart: cartOf(cup),
        couponCodes: [other.code],
        paymentMethod: 'bank_transfer',
      },
    })
    expect(unpaid.body.order.total).toBe(9)
    // the order has ended the other attempts at its cart
    for (const { body } of [late, cancelled])
      expect((await verify(buyer, signedPayment(body.id))).status).toBe(400)
    expect(await startWith(buyer, first)).toMatchObject(REFUSED)
    // an order that was cancelled unpaid is none
    const status = { token: admin.token, body: { status: 'cancel' } }
    await shop.put(`/auth/order-status/${unpaid.body.order._id}`, status)
    expect((await startWith(buyer, first)).status).toBe(200)
    expect((await usesOf(shop, first)) + (await usesOf(shop, other))).toBe(1)
    expect(await contradictionsIn(shop.db)).toEqual({})
  })

  it('is taken with all the others of a cart, or none is', async () => {
    const open = { is_combinable: true, max_uses: 1 }
    const [one, two] = [await coupon(open), await coupon(open)]
    const [asha, ben] = [await addPerson(shop.db), await addPerson(shop.db)]
    expect((await startWith(asha, one, two)).body.amount).toBe(810)
    expect([await usesOf(shop, one), await usesOf(shop, two)]).toEqual([1, 1])
    await expireReservations()
    await startWith(ben, two)
    await startWith(asha, one, two)
    expect([await usesOf(shop, one), await usesOf(shop, two)]).toEqual([0, 1])
  })

  it('is not taken without the stock, nor the stock without it', async () => {
    const once = await coupon({ max_uses: 1 })
    const last = await addProduct(shop.db, { category, price: 10, quantity: 1 })
    const [asha, ben] = [await addPerson(shop.db), await addPerson(shop.db)]
    const cleo = await addPerson(shop.db)
    await start(asha, { amount: 1000, cart: cartOf(last) })
    const short = { amount: 900, cart: cartOf(last), couponCodes: [once.code] }
    expect(await start(ben, short)).toMatchObject({ status: 409, body: { code: 'out_of_stock' } })
    expect(await usesOf(shop, once)).toBe(0)
    await expireReservations()
    await startWith(ben, once)
    expect(await start(cleo, short)).toMatchObject(REFUSED)
    expect(await stockOf(last)).toBe(1)
  })
})

describe('a late payment', () => {
  async function expired(once: Row<'coupons'>) {
    const buyer = await addPerson(shop.db)
    const { body } = await startWith(buyer, once)
    await expireReservations()
    return { buyer, proof: signedPayment(body.id) }
  }

  it('is refunded when somebody else has the use', async () => {
    const once = await coupon({ max_uses: 1 })
    const { buyer, proof } = await expired(once)
    await startWith(await addPerson(shop.db), once)
    const stock = await stockOf(cup)
    expect(await verify(buyer, proof)).toMatchObject(REFUSED)
    expect(await moneyOf(shop, proof.razorpay_order_id)).toMatchObject([
      { state: 'refunded', refusal_code: 'price_changed' },
    ])
    expect(await usesOf(shop, once)).toBe(1)
    expect(await stockOf(cup)).toBe(stock)
    expect(await ordersOf(buyer)).toEqual([])
  })

  it('takes no use of another coupon that has its code by now', async () => {
    const gone = await coupon()
    const { buyer, proof } = await expired(gone)
    await shop.db.deleteFrom('coupons').where('id', '=', gone.id).execute()
    const other = await coupon({ code: gone.code })
    expect(await verify(buyer, proof)).toMatchObject(REFUSED)
    expect(await usesOf(shop, other)).toBe(0)
  })

  it('is refunded when the coupon was deleted', async () => {
    const gone = await coupon()
    const { buyer, proof } = await expired(gone)
    await shop.db.deleteFrom('coupons').where('id', '=', gone.id).execute()
    expect(await verify(buyer, proof)).toMatchObject(REFUSED)
    expect(await ordersOf(buyer)).toEqual([])
  })
})

describe('customers at the same time', () => {
  it('get each as many uses as there are for one', async () => {
    const each = await coupon({ max_uses_each: 1 })
    const buyer = await addPerson(shop.db, { isConfirmed: true })
    const other = await addPerson(shop.db, { isConfirmed: true })
    const replies = await atOnce(
      shop.db,
      sql`select from coupons where id = ${each.id} for update`,
      [buyer, buyer, buyer, other].map((one) => () => startWith(one, each)),
    )
    // the payments of a buyer replace each other
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await usesOf(shop, each)).toBe(2)
  })

  it('exchange coupons without a deadlock', async () => {
    const [one, two] = [await coupon({ max_uses: 2 }), await coupon({ max_uses: 2 })]
    const [asha, ben] = [await addPerson(shop.db), await addPerson(shop.db)]
    await startWith(asha, one)
    await startWith(ben, two)
    const replies = await atOnce(
      shop.db,
      sql`select from coupons where id in (${one.id}, ${two.id}) for update`,
      [() => startWith(asha, two), () => startWith(ben, one)],
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect([await usesOf(shop, one), await usesOf(shop, two)]).toEqual([1, 1])
  })
})
