import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addCoupon } from '#tests/support/coupons.ts'
import { addOrder } from '#tests/support/orders.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import type { TestShop } from '#tests/support/shop.ts'
import type { Known } from './values.ts'

export type Callers = { user: Person; admin: Person }

const SECRETS = { password: 'correct-horse', answer: 'cricket' }

/** Registers a user through the API, so that it has a password. */
async function register(shop: TestShop) {
  const email = `${crypto.randomUUID()}@example.com`
  const body = { name: 'Asha Rao', phone: '555 0100', address: '1 Market Lane', email, ...SECRETS }
  const { status } = await shop.post('/auth/register', { body })
  if (status !== 201) throw new Error(`Registering answered ${status}`)
  return email
}

/** Money of an order with a wrong amount, for an admin to resolve. */
async function addMismatch({ db }: TestShop, buyer: Person): Promise<string> {
  const { payment } = await addOrder(db, buyer)
  const issue = { issue: 'amount_mismatch' as const }
  await db.updateTable('payments').set(issue).where('provider_payment_id', '=', payment).execute()
  return payment
}

/** The ids that a call expects. */
function idsOf(
  { path }: Endpoint,
  kinds: Record<'categoryIds' | 'couponIds' | 'paymentIds' | 'productIds', string[]>,
) {
  if (path.startsWith('/category')) return kinds.categoryIds
  if (path.startsWith('/coupon')) return kinds.couponIds
  return path.startsWith('/payment') ? kinds.paymentIds : kinds.productIds
}

/** Adds fixtures, and returns the values that requests of this call may name. */
export async function addFixtures(
  shop: TestShop,
  endpoint: Endpoint,
): Promise<{ callers: Callers; known: Known }> {
  const { db } = shop
  const callers = { user: await addPerson(db), admin: await addPerson(db, { admin: true }) }
  // other users, who may be promoted, demoted and logged out
  const others = [await addPerson(db), await addPerson(db, { admin: true })]
  const shelf = crypto.randomUUID()
  const kitchen = await addCategory(db, `Kitchen ${shelf}`)
  const garden = await addCategory(db, `Garden ${shelf}`)
  // a category that may be deleted
  const empty = await addCategory(db, `Empty ${shelf}`)
  const products = [
    await addProduct(db, { category: kitchen, quantity: 1000 }),
    await addProduct(db, { category: kitchen, quantity: 1 }),
    await addProduct(db, { category: garden, name: 'Rake', price: 40, quantity: 0 }),
  ]
  const orders = [await addOrder(db, callers.user), await addOrder(db, callers.user)]
  const email = await register(shop)
  const { start } = purchases(shop)
  const [cup] = products
  const cart = cup ? cartOf(cup) : []
  const { body: payment } = await start(callers.user, { amount: 1250, cart })
  const proof = signedPayment(payment.id)
  const categoryIds = [kitchen.id, garden.id, empty.id]
  const productIds = products.map(({ id }) => id)
  const coupon = await addCoupon(db, { code: `FUZZ-${shelf.slice(0, 8)}` })
  const couponIds = [coupon.id]
  const paymentIds = [await addMismatch(shop, callers.user)]
  const known: Known = {
    id: idsOf(endpoint, { categoryIds, couponIds, paymentIds, productIds }),
    productId: productIds,
    _id: productIds,
    categoryId: categoryIds,
    category: categoryIds,
    checked: categoryIds,
    slug: [kitchen, garden, ...products].map(({ slug }) => slug),
    orderId: orders.map(({ id }) => id),
    userId: others.map(({ id }) => id),
    email: [email],
    password: [SECRETS.password],
    answer: [SECRETS.answer],
    keyword: ['cup', 'Rake', 'clya'],
    q: ['cup', 'asha'],
    page: [1, 2],
    w: [320, 1],
    amount: [1250, 2500],
    cart: [cart, [...cart, ...cart]],
    couponCodes: [coupon.code],
    name: [kitchen.name, 'Clay cup'],
    radio: [
      [0, 19],
      [20, 39],
      [100, 9999],
    ].flat(),
    razorpay_order_id: [proof.razorpay_order_id],
    razorpay_payment_id: [proof.razorpay_payment_id],
    razorpay_signature: [proof.razorpay_signature],
  }
  return { callers, known }
}
