import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { FIRST_RUN } from '../support/first-run.ts'
import { fileOf, formOf } from '../support/form.ts'
import { noise } from '../support/pictures.ts'
import type { FakeRazorpay } from '../support/razorpay/fake-razorpay.ts'

/** The people of the shop, for whoever looks at it later. */
export const ADMIN = { email: FIRST_RUN.email, password: FIRST_RUN.password }
export const CUSTOMER = { email: 'asha@example.com', password: 'correct-horse' }

const DELIVERY = {
  name: 'Asha Rao',
  street: '1 Market Lane',
  city: 'Berlin',
  postalCode: '10115',
  country: 'DE',
  phone: '555 0100',
}

type Saved = { _id: string; products: { _id: string }; category: { _id: string } }

/** Calls a shop by HTTP; throws when it refuses. */
const senderTo =
  (address: string) =>
  async <Body>(method: string, path: string, body?: unknown, token = ''): Promise<Body> => {
    const isForm = body instanceof FormData
    const reply = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: {
        authorization: token,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const answer = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${answer}`)
    return JSON.parse(answer)
  }

type Send = ReturnType<typeof senderTo>
type Token = { token: string }

const photo = async (name: string) =>
  fileOf(await noise(160, 120, 4).jpeg().toBuffer(), `${name}.jpg`)

type Settings = { paymentMethods?: { bank_transfer: object }; imprint?: string }

/** Transfers, where the release knows them: since 0.4.0. */
const offered = ({ paymentMethods }: Settings) =>
  paymentMethods && {
    ...paymentMethods,
    bank_transfer: {
      ...paymentMethods.bank_transfer,
      isOffered: true,
      instructions: 'IBAN DE02 1203 0000 0000 2020 51',
    },
  }

/** The set-up of a merchant: categories, products with photos, taxes, shipping, coupons, settings. */
async function setUp(send: Send, code: string) {
  // releases up to 0.6.0 need them
  const contact = { phone: '555 0100', address: '1 Market Lane' }
  const firstRun = { ...FIRST_RUN, ...contact, code }
  const { token } = await send<Token>('POST', '/setup/first-admin', firstRun)
  const asAdmin = <Body>(method: string, path: string, body?: unknown) =>
    send<Body>(method, path, body, token)
  const categories = ['Kitchen', 'Books'].map((name) =>
    asAdmin<Saved>('POST', '/category/create-category', { name }),
  )
  const [kitchen, books] = (await Promise.all(categories)).map(({ category }) => category._id)
  const products: string[] = []
  for (const [name, price, category] of [
    ['Teapot', 30, kitchen],
    ['Cup', 9.5, kitchen],
    ['Atlas', 45, books],
  ]) {
    const fields = { name, price, category, quantity: 50, shipping: '1', weightGrams: 400 }
    const form = formOf({
      ...fields,
      description: `A ${name}.`,
      photo: await photo(`${name}`),
    } as never)
    products.push((await asAdmin<Saved>('POST', '/product/create-product', form)).products._id)
  }
  const picture = await asAdmin<{ picture: { id: string } }>(
    'POST',
    '/settings/picture',
    formOf({ photo: await photo('slide') }),
  )
  const { revision, settings } = await asAdmin<{ revision: string; settings: Settings }>(
    'GET',
    '/settings/all',
  )
  const slides = [{ picture: picture.picture.id, title: 'Tea', text: 'Fresh.', link: '' }]
  const paymentMethods = offered(settings)
  const changed = {
    ...settings,
    tagline: 'Tea and maps',
    slides,
    about: '# About\n\nA shop.',
    ...(paymentMethods && { paymentMethods }),
    ...(settings.imprint !== undefined && { imprint: 'Souk, 1 Lane, Berlin' }),
  }
  await asAdmin('PUT', '/settings/all', { revision, settings: changed, password: ADMIN.password })
  await asAdmin('POST', '/tax/rates', {
    name: 'VAT 19 %',
    taxClass: null,
    country: 'DE',
    region: null,
    rate: 19,
    validFrom: null,
    validTo: null,
  })
  await asAdmin('POST', '/shipping/zone', {
    name: 'Everywhere',
    isDefault: true,
    places: [],
    rates: [{ name: 'Parcel', kind: 'flat', price: 4.9, freeFrom: 100 }],
  })
  await asAdmin('POST', '/coupon/create-coupon', { code: 'TEA10', percent: 10, maxUses: 20 })
  await asAdmin('POST', '/coupon/create-coupon', { code: 'BOOKS', amount: 5, categories: [books] })
  // since 0.5.0
  const handlesOrders = settings.imprint !== undefined
  if (handlesOrders) {
    const automatic = { title: 'Free delivery from 50', freeShipping: true, minimum: 50 }
    await asAdmin('POST', '/coupon/create-coupon', automatic)
  }
  return { asAdmin, products, takesTransfers: paymentMethods !== undefined, handlesOrders }
}

type AsAdmin = Awaited<ReturnType<typeof setUp>>['asAdmin']

/** A shipment, notes, a refund of a line, and an order by hand. */
async function handle(asAdmin: AsAdmin, { orders, cup }: { orders: string[]; cup: string }) {
  const [, , shipped, , refunded] = orders
  await asAdmin('PUT', '/order/orders', {
    changes: [{ orderId: shipped, status: 'Shipped', carrier: 'DHL', trackingNumber: 'JJD1' }],
  })
  await asAdmin('POST', `/order/notes/${shipped}`, { text: 'Wrapped as a present.' })
  await asAdmin('POST', `/payment/refund/${refunded}`, {
    lines: [{ kind: 'product', position: 1, quantity: 1 }],
    reason: 'The cup came back.',
    returnStock: true,
    key: randomUUID(),
  })
  const order = { cart: [{ _id: cup }], isHandedOver: true }
  const { totalMinor } = await asAdmin<Quote>('POST', '/payment/quote-order', order)
  await asAdmin('POST', '/payment/create-order', {
    ...order,
    buyer: { name: 'Carla of the fair' },
    amount: totalMinor,
    receivedAs: 'cash',
    key: randomUUID(),
  })
}

type Payment = { id: string; amount: number; order?: { _id: string } }
type Quote = { totalMinor: number; shippingChoices: { _id: string }[] }

type Wish = { products: string[]; couponCodes?: string[]; paymentMethod?: string }

/** Buys a piece of each product, and answers the id of the order. */
async function buy(
  send: Send,
  { token, razorpay }: { token: string; razorpay: FakeRazorpay },
  { products, couponCodes = [], ...method }: Wish,
): Promise<string> {
  const wish = {
    cart: products.map((_id) => ({ _id })),
    couponCodes,
    ...method,
    delivery: DELIVERY,
  }
  const { shippingChoices } = await send<Quote>('POST', '/checkout/quote', wish, token)
  const chosen = { ...wish, shippingRate: shippingChoices[0]?._id }
  const { totalMinor: amount } = await send<Quote>('POST', '/checkout/quote', chosen, token)
  const path = '/product/razorpay/order'
  const { id, order: unpaid } = await send<Payment>('POST', path, { ...chosen, amount }, token)
  if (unpaid) return unpaid._id
  const proof = { ...razorpay.pay(id), cart: wish.cart }
  const { order } = await send<{ order: { _id: string } }>(
    'POST',
    '/product/razorpay/verify',
    proof,
    token,
  )
  return order._id
}

async function register(send: Send, email: string, name: string): Promise<string> {
  const facts = { name, email, phone: '555 0100', address: '1 Market Lane', answer: 'Chess' }
  const { password } = CUSTOMER
  await send('POST', '/auth/register', { ...facts, password })
  return (await send<Token>('POST', '/auth/login', { email, password })).token
}

type Documented = { refunds?: { creditNote: number | null }[] | null }

/** Waits for the credit notes, which a job issues. */
async function whenDocumented(asAdmin: <Body>(method: string, path: string) => Promise<Body>) {
  for (;;) {
    const orders = await asAdmin<Documented[]>('GET', '/auth/all-orders')
    const refunds = orders.flatMap((order) => order.refunds ?? [])
    if (refunds.every(({ creditNote }) => creditNote !== null)) return
    await setTimeout(200)
  }
}

/**
 * Fills a new shop by HTTP, as a merchant and customers do, so that shops of every release have the
 * same: orders of each kind, coupons that were used, a part and a whole refund, orders that are not paid. `pause` is awaited
 * between the steps; it may start the shop again.
 */
export async function fillShop(
  address: string,
  code: string,
  razorpay: FakeRazorpay,
  pause = async () => {},
) {
  const send = senderTo(address)
  const { asAdmin, products, takesTransfers, handlesOrders } = await setUp(send, code)
  await pause()
  const [teapot = '', cup = '', atlas = ''] = products
  const asha = { token: await register(send, CUSTOMER.email, 'Asha Rao'), razorpay }
  const ben = { token: await register(send, 'ben@example.com', 'Ben Ito'), razorpay }
  const orders = [
    await buy(send, asha, { products: [teapot, cup, cup], couponCodes: ['TEA10'] }),
    await buy(send, ben, { products: [atlas], couponCodes: ['BOOKS'] }),
    await buy(send, asha, { products: [cup] }),
    await buy(send, ben, { products: [teapot, atlas] }),
    await buy(send, asha, { products: [atlas, cup] }),
  ]
  await pause()
  const setStatus = (order = '', status: string) =>
    asAdmin('PUT', `/auth/order-status/${order}`, { status })
  await setStatus(orders[0], 'Shipped')
  await setStatus(orders[1], 'deliverd')
  const refund = (order = '', body: object) => asAdmin('POST', `/payment/refund/${order}`, body)
  await refund(orders[0], { amount: 3, reason: 'A cup was chipped.' })
  // before it is cancelled: the money of a cancelled order is not captured any more
  await refund(orders[3], { reason: 'Sold out.', returnStock: true })
  await setStatus(orders[3], 'cancel')
  if (takesTransfers) {
    const paymentMethod = 'bank_transfer'
    const part = await buy(send, asha, { products: [cup, cup], paymentMethod })
    await buy(send, ben, { products: [teapot], paymentMethod })
    const date = new Date().toISOString().slice(0, 10)
    await asAdmin('POST', `/payment/receive/${part}`, { amount: 5, date, key: randomUUID() })
  }
  if (handlesOrders) await handle(asAdmin, { orders, cup })
  await whenDocumented(asAdmin)
  return { asAdmin, orders }
}
