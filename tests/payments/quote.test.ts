/** Random carts, coupons, zones and tax rates: the parts of a quote add up, and an order copies them. */
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, it } from 'vitest'
import type { Quote } from '#app/checkout/contract.ts'
import { AMOUNT_INVALID } from '#app/payments/contract.ts'
import type { ShippingRate } from '#app/shipping/admin-contract.ts'
import type { StoredQuote } from '#db/schema.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct, changeListed } from '#tests/support/catalogue.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { addCoupon } from '#tests/support/coupons.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { purchases, signedPayment } from '#tests/support/payments.ts'
import { ADDRESS, addZone } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'
import { addTaxClass, addTaxRate, TAX_SETTINGS } from '#tests/support/taxes.ts'

const shop = testShop()
const { start, verify } = purchases(shop)

let admin: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Kitchen')
})

const cents = (max: number) => fc.integer({ min: 0, max }).map((minor) => minor / 100)
const price = cents(50_000)

const arbitraryRate: fc.Arbitrary<ShippingRate> = fc.oneof(
  fc.record({ name: fc.constant('Flat'), kind: fc.constant('flat' as const), price }),
  fc.record({
    name: fc.constant('Flat'),
    kind: fc.constant('flat' as const),
    price,
    freeFrom: price,
  }),
  fc
    .record({ upTo: fc.integer({ min: 1, max: 2000 }), light: price, heavy: price })
    .map(({ upTo, light, heavy }) => ({
      name: 'By weight',
      kind: 'weight' as const,
      tiers: [
        { upTo, price: light },
        { upTo: null, price: heavy },
      ],
    })),
)

const arbitraryShop = fc.record({
  products: fc.array(
    fc.record({
      price: cents(100_000),
      quantity: fc.integer({ min: 1, max: 4 }),
      shipping: fc.boolean(),
      weight_grams: fc.option(fc.integer({ min: 1, max: 3000 })),
      isOfClass: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  coupons: fc.array(
    fc.record({
      discount: fc.oneof(
        fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
        fc.record({ amount_minor: fc.integer({ min: 1, max: 60_000 }) }),
        fc.record({ percent: fc.constant(null), is_free_shipping: fc.constant(true) }),
      ),
      isForFirst: fc.boolean(),
      isAutomatic: fc.boolean(),
      is_combinable: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  rate: fc.option(arbitraryRate),
  taxes: fc.record({
    pricesIncludeTax: fc.boolean(),
    taxesShipping: fc.boolean(),
    standard: fc.integer({ min: 0, max: 100_000 }),
    ofClass: fc.option(fc.integer({ min: 0, max: 100_000 })),
  }),
})
type RandomShop = typeof arbitraryShop extends fc.Arbitrary<infer Value> ? Value : never

/** Makes the shop, and answers what a buyer asks of it. */
async function open({ products, coupons, rate, taxes }: RandomShop) {
  const { db } = shop
  await emptyTables(db, ['tax_rates', 'tax_classes', 'settings', 'shipping_zones'])
  const taxClass = await addTaxClass(db, 'Books')
  await addTaxRate(db, { rate: taxes.standard })
  if (taxes.ofClass !== null)
    await addTaxRate(db, { class_id: taxClass.id, name: 'Reduced', rate: taxes.ofClass })
  const { pricesIncludeTax, taxesShipping } = taxes
  await shop.put('/tax/settings', {
    token: admin.token,
    body: { ...TAX_SETTINGS, pricesIncludeTax, taxesShipping },
  })
  if (rate) await addZone(shop, admin, { rates: [rate] })
  const cart: { _id: string }[] = []
  for (const { price, quantity, shipping, weight_grams, isOfClass } of products) {
    const { id } = await addProduct(db, { category, price })
    const facts = { shipping, tax_class_id: isOfClass ? taxClass.id : null }
    await db.updateTable('products').set(facts).where('id', '=', id).execute()
    await changeListed(db, { id }, { weight_grams })
    cart.push(...Array.from({ length: quantity }, () => ({ _id: id })))
  }
  const couponCodes: string[] = []
  // automatic discounts of the shop before
  await db.updateTable('coupons').set({ deleted_at: new Date() }).execute()
  for (const { discount, isForFirst, isAutomatic, is_combinable } of coupons) {
    const product_ids = isForFirst && cart[0] ? [cart[0]._id] : []
    const id = uuidv7()
    const facts = { id, code: id, ...discount, product_ids, is_combinable }
    if (isAutomatic) await addCoupon(db, { ...facts, title: 'Sale' })
    else couponCodes.push((await addCoupon(db, facts)).code)
  }
  return { cart, couponCodes, automaticDiscounts: true, delivery: ADDRESS }
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

function expectToAddUp({ lines, adjustments, subtotalMinor, totalMinor }: Quote) {
  expect(subtotalMinor).toBe(sum(lines.map((line) => line.priceMinor * line.quantity)))
  const charged = adjustments.filter(({ included }) => !included)
  expect(totalMinor).toBe(subtotalMinor + sum(charged.map(({ amountMinor }) => amountMinor)))
  expect(totalMinor).toBeGreaterThanOrEqual(0)
  const amountsOf = (kind: string) =>
    adjustments.filter((one) => one.kind === kind).map(({ amountMinor }) => amountMinor)
  expect(sum(amountsOf('discount'))).toBe(0 - sum(lines.map((line) => line.discountMinor)))
  for (const { priceMinor, quantity, discountMinor, taxMinor } of lines) {
    expect(discountMinor).toBeGreaterThanOrEqual(0)
    expect(discountMinor).toBeLessThanOrEqual(priceMinor * quantity)
    expect(taxMinor).toBeGreaterThanOrEqual(0)
  }
  for (const amount of amountsOf('discount')) expect(amount).toBeLessThanOrEqual(0)
  for (const amount of [...amountsOf('shipping'), ...amountsOf('tax')])
    expect(amount).toBeGreaterThanOrEqual(0)
}

/** The tax of each line and of shipping is that of the rates together. */
function expectTaxToAgree({ lines, adjustments }: StoredQuote) {
  const byLine = [...lines, ...adjustments].map(({ tax_minor }) => tax_minor)
  const rates = adjustments.filter(({ kind }) => kind === 'tax')
  expect(sum(byLine)).toBe(sum(rates.map(({ amount_minor }) => amount_minor)))
}

/** The rows of an order without what says whose they are. */
const partsOf = async (table: 'order_lines' | 'order_adjustments', orderId: string) =>
  (
    await shop.db
      .selectFrom(table)
      .where('order_id', '=', orderId)
      .selectAll()
      .orderBy('position')
      .execute()
  ).map(({ order_id: _, position: __, ...part }) => part)

/** The payment of a buyer who has one, with its order. */
const purchaseOf = (buyer: Person) =>
  shop.db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.payment_id', 'payments.id')
    .where('payments.user_id', '=', buyer.id)
    .select(['quote', 'amount_minor', 'orders.id as order_id'])
    .executeTakeFirstOrThrow()

/** Only a discount makes an order free: products without a price cannot be ordered alone. */
const costsNothing = ({ totalMinor, adjustments }: Quote) =>
  totalMinor === 0 && !adjustments.some(({ kind }) => kind === 'discount')

/** A product without a price, alone, with and without a coupon. */
const UNPRICED: RandomShop = {
  products: [{ price: 0, quantity: 1, shipping: false, weight_grams: null, isOfClass: false }],
  coupons: [],
  rate: null,
  taxes: { pricesIncludeTax: false, taxesShipping: false, standard: 0, ofClass: null },
}
const COUPON = {
  discount: { percent: 10 },
  isForFirst: false,
  isAutomatic: false,
  is_combinable: true,
}
const EXAMPLES: [RandomShop][] = [[UNPRICED], [{ ...UNPRICED, coupons: [COUPON] }]]

it('the parts of a quote add up, and the order copies them', async () => {
  const run = async (facts: RandomShop) => {
    const body = await open(facts)
    const { body: quote } = await shop.post<Quote>('/checkout/quote', { body })
    expectToAddUp(quote)
    const buyer = await addPerson(shop.db)
    const started = await start(buyer, { ...body, amount: quote.totalMinor })
    if (costsNothing(quote)) {
      expect(started).toMatchObject({ status: 400, body: { message: AMOUNT_INVALID } })
      return
    }
    expect(started).toMatchObject({ status: 200, body: { amount: quote.totalMinor } })
    if (quote.totalMinor > 0)
      expect((await verify(buyer, signedPayment(started.body.id))).status).toBe(200)
    const bought = await purchaseOf(buyer)
    expect(bought.amount_minor).toBe(quote.totalMinor)
    if (!bought.quote) throw new Error('The payment has no quote.')
    expectTaxToAgree(bought.quote)
    expect(await partsOf('order_lines', bought.order_id)).toEqual(bought.quote.lines)
    // the coupon of an order is known by its uses
    const adjustments = bought.quote.adjustments.map(({ coupon_id: _, ...part }) => part)
    expect(await partsOf('order_adjustments', bought.order_id)).toEqual(adjustments)
  }
  await fc.assert(fc.asyncProperty(arbitraryShop, run), { numRuns: 40, examples: EXAMPLES })
  expect(await contradictionsIn(shop.db)).toEqual({})
})
