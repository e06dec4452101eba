import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, PASSWORD } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addCoupon, quotes } from '#tests/support/coupons.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const quote = quotes(shop)

let kitchen: { id: string }
let toys: { id: string }
let cup: { id: string }
let doll: { id: string }
beforeAll(async () => {
  kitchen = await addCategory(shop.db, 'Kitchen')
  toys = await addCategory(shop.db, 'Toys')
  cup = await addProduct(shop.db, { category: kitchen, price: 10 })
  doll = await addProduct(shop.db, { category: toys, price: 30, name: 'Doll' })
})
beforeEach(async () => {
  await shop.db.deleteFrom('coupon_uses').execute()
  await shop.db.deleteFrom('coupons').execute()
})

const DAY = 24 * 60 * 60_000

describe('POST /checkout/quote with coupon codes', () => {
  it('takes a percentage off, whatever the case of the code', async () => {
    await addCoupon(shop.db, { code: 'Summer-10' })
    expect(await quote(cartOf(cup, doll), [' sUMMER-10 '])).toMatchObject({
      lines: [{ discountMinor: 100 }, { discountMinor: 300 }],
      adjustments: [
        { kind: 'discount', label: 'Coupon Summer-10', source: 'Summer-10', amountMinor: -400 },
      ],
      subtotalMinor: 4000,
      totalMinor: 3600,
      notices: [],
    })
  })

  it('takes an amount off the category to which it applies, and no more than that costs', async () => {
    await addCoupon(shop.db, { code: 'CUPS', amount_minor: 2500, category_ids: [kitchen.id] })
    expect(await quote(cartOf(cup, cup, doll), ['cups'])).toMatchObject({
      lines: [{ discountMinor: 2000 }, { discountMinor: 0 }],
      totalMinor: 3000,
    })
  })

  it.each([
    ['that there is not', 'OTHER', {}, /^There is no such code\.$/],
    ['that has ended', 'CODE', { ends_at: new Date(Date.now() - DAY) }, /^This code ended on \d/],
    ['not yet valid', 'CODE', { starts_at: new Date(Date.now() + DAY) }, /is valid from \d/],
    ['that is used up', 'CODE', { max_uses: 1, uses: 1 }, /used up/],
    ['for a larger cart', 'CODE', { minimum_minor: 1001 }, /at least ₹10\.01\.$/],
    [
      'for other products',
      'CODE',
      { product_ids: [crypto.randomUUID()] },
      /not apply to any product/,
    ],
    ['that was deleted', 'CODE', { deleted_at: new Date() }, /no such code/],
  ])('leaves out a code %s, and says why', async (_, code, facts, message) => {
    await addCoupon(shop.db, { code: 'CODE', ...facts })
    expect(await quote(cartOf(cup), [code])).toMatchObject({
      adjustments: [],
      totalMinor: 1000,
      notices: [{ about: 'coupon', source: code, message: expect.stringMatching(message) }],
    })
  })

  it('combines codes that are combinable, in the order in which they are given', async () => {
    await addCoupon(shop.db, { code: 'HALF', percent: 50, is_combinable: true })
    await addCoupon(shop.db, { code: 'FIVE', amount_minor: 500, is_combinable: true })
    await addCoupon(shop.db, { code: 'ALONE', percent: 20 })
    expect(await quote(cartOf(doll), ['HALF', 'FIVE', 'ALONE'])).toMatchObject({
      adjustments: [{ amountMinor: -1500 }, { amountMinor: -500 }],
      totalMinor: 1000,
      notices: [{ source: 'ALONE', message: 'This code cannot be combined with HALF.' }],
    })
  })

  it('knows what the signed-in customer has used, and nobody else', async () => {
    await addCoupon(shop.db, { code: 'ONCE', max_uses_each: 1 })
    const asha = await addPerson(shop.db, { isConfirmed: true })
    const ben = await addPerson(shop.db, { isConfirmed: true })
    const { start, verify } = purchases(shop)
    const started = await start(asha, { amount: 900, cart: cartOf(cup), couponCodes: ['ONCE'] })
    // her own started payment does not count: another start replaces it
    expect(await quote(cartOf(cup), ['ONCE'], asha)).toMatchObject({ totalMinor: 900 })
    expect((await verify(asha, signedPayment(started.body.id))).status).toBe(200)
    expect(await quote(cartOf(cup), ['ONCE'], asha)).toMatchObject({
      totalMinor: 1000,
      notices: [{ message: 'You have used this code already.' }],
    })
    expect(await quote(cartOf(cup), ['ONCE'], ben)).toMatchObject({ totalMinor: 900 })
    expect(await quote(cartOf(cup), ['ONCE'])).toMatchObject({ totalMinor: 900 })
  })

  it('takes a code for one use a customer from confirmed addresses only', async () => {
    await addCoupon(shop.db, { code: 'EACH', max_uses_each: 1 })
    const buyer = await addPerson(shop.db)
    expect(await quote(cartOf(cup), ['EACH'], buyer)).toMatchObject({
      totalMinor: 1000,
      notices: [{ message: expect.stringContaining('Confirm your e-mail address') }],
    })
  })

  it('counts the uses of a closed account when its address is registered and confirmed again', async () => {
    await addCoupon(shop.db, { code: 'EACH', max_uses_each: 1 })
    const confirm = ({ id }: { id: string }) =>
      shop.db
        .updateTable('users')
        .set({ email_confirmed_at: new Date() })
        .where('id', '=', id)
        .execute()
    const buyer = await addPerson(shop.db)
    await confirm(buyer)
    const { start, verify } = purchases(shop)
    const { body } = await start(buyer, {
      amount: 900,
      cart: cartOf(cup),
      couponCodes: ['EACH'],
    })
    const { order } = (await verify(buyer, signedPayment(body.id))).body
    await shop.db
      .updateTable('orders')
      .set({ status: 'deliverd' })
      .where('id', '=', order._id)
      .execute()
    const closed = await shop.post('/auth/close-account', {
      token: buyer.token,
      body: { password: PASSWORD },
    })
    expect(closed.status).toBe(200)

    const again = await addPerson(shop.db)
    await shop.db
      .updateTable('users')
      .set({ email: buyer.email, email_key: buyer.email })
      .where('id', '=', again.id)
      .execute()
    await confirm(again)
    expect(await quote(cartOf(cup), ['EACH'], again)).toMatchObject({ totalMinor: 1000 })
    const stranger = await addPerson(shop.db)
    await confirm(stranger)
    expect(await quote(cartOf(cup), ['EACH'], stranger)).toMatchObject({ totalMinor: 900 })
  })

  it('ignores a token that is not valid, like every public call', async () => {
    await addCoupon(shop.db, { code: 'TEN' })
    const { status } = await shop.post('/checkout/quote', {
      token: 'nobody',
      body: { cart: cartOf(cup), couponCodes: ['TEN'] },
    })
    expect(status).toBe(200)
  })
})
