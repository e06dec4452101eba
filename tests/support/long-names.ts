import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { emailAdminCalls } from '#app/emails/admin-contract.ts'
import { paymentCalls } from '#app/payments/contract.ts'
import { sandboxCalls } from '#app/payments/server/providers/sandbox.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { previewPath } from '#app/products/preview-contract.ts'
import { publicationCalls } from '#app/products/publication-contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { fileOf } from './form.ts'
import { logIn, register, type Visitor } from './journey.ts'
import { plain } from './pictures.ts'
import { buy, sellAndRefund } from './purchase.ts'
import { createShirt } from './shirt.ts'

/** Without spaces, so that only a break inside the word keeps it in a narrow window. */
const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)

export type Fixtures = Awaited<ReturnType<typeof createLongNames>>

async function payForNothing({ call }: Visitor) {
  const { id } = await call(paymentCalls.startPayment, { body: { amount: 98_765 } })
  const proof = await call(sandboxCalls.payInSandbox, { body: { razorpay_order_id: id } })
  await call(paymentCalls.verifyPayment, { body: { ...proof, cart: [] } }).catch(() => {})
}

/** Creates a user, a category, a product with a photo, and an order, with the longest possible names. */
export async function createLongNames(address: string) {
  const unique = crypto.randomUUID()
  const admin = await logIn(address, DEMO_ADMIN)
  const recipient = `${unique}.${'w'.repeat(24)}@${'long-domain-'.repeat(4)}.example`
  const customer = await register(address, { name: LONG, email: recipient })
  const { category } = await admin.call(categoryAdminCalls.createCategory, {
    body: { name: `${LONG} ${unique.slice(0, 8)}` },
  })
  // not the newest of the home page, which other journeys put into the cart
  const soldOut = await admin.call(productAdminCalls.createProduct, {
    body: {
      name: `Sold out ${unique.slice(0, 8)}`,
      description: 'None is left.',
      price: 150,
      quantity: 0,
      category: category._id,
      shipping: 0,
    },
  })
  const { products: product } = await admin.call(productAdminCalls.createProduct, {
    body: {
      name: `${LONG} ${unique.slice(0, 8)}`,
      description: LONG.repeat(3),
      price: 12_345.67,
      quantity: 9,
      category: category._id,
      shipping: 0,
    },
    photo: fileOf(await plain(800, 600).jpeg().toBuffer()),
  })
  const order = await buy(customer, [product, product])
  await payForNothing(customer)
  const { creditNote } = await sellAndRefund({ admin, customer }, product)
  const { product: whole } = await customer.call(productCalls.getProduct, {
    params: { slug: product.slug },
  })
  const { product: stored } = await admin.call(publicationCalls.openProduct, {
    params: { slug: product.slug },
  })
  const { coupon } = await admin.call(couponAdminCalls.createCoupon, {
    body: {
      code: `W${unique}`.slice(0, 40),
      amount: 1234.56,
      minimum: 12_000,
      products: [product._id],
      categories: [category._id],
      from: '2026-01-01',
    },
  })
  const [email] = await admin.call(emailAdminCalls.getEmails, { query: { q: recipient } })
  if (!email) throw new Error('The registration queued no e-mail.')
  return {
    admin,
    customer,
    category,
    product: whole,
    preview: previewPath(stored),
    order,
    creditNote,
    coupon,
    soldOut: soldOut.products,
    shirt: await createShirt(admin),
    email,
  }
}
