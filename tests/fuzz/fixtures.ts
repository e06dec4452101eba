import { v7 as uuidv7 } from 'uuid'
import { issueInvoices } from '#app/orders/server/invoice.ts'
import { previewToken } from '#app/products/server/publication/preview.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { insertPicture } from '#app/shared/server/pictures/store.ts'
import { PHOTO_FORMATS } from '#db/schema.ts'
import { addPeople, addPerson, type People, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addCoupon } from '#tests/support/coupons.ts'
import { addOrder, addRefund } from '#tests/support/orders.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { ADDRESS, addZone, INDIA, removeZones } from '#tests/support/shipping.ts'
import type { TestShop } from '#tests/support/shop.ts'
import { addTaxClass, addTaxRate } from '#tests/support/taxes.ts'
import type { Known } from './values.ts'

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
  await db.updateTable('captures').set(issue).where('provider_payment_id', '=', payment).execute()
  return payment
}

/** The number of a credit note of a new order. */
async function addCreditNote({ db }: TestShop, buyer: Person): Promise<number> {
  await addRefund(db, await addOrder(db, buyer), 100)
  await issueInvoices(db)
  const { number } = await db
    .selectFrom('credit_notes')
    .select('number')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return number
}

/** The id of a note on an order. */
async function addNote({ db }: TestShop, orderId: string, author: Person): Promise<string> {
  const id = uuidv7()
  const note = { id, order_id: orderId, author_id: author.id, text: 'Gift' }
  await db.insertInto('order_notes').values(note).execute()
  return id
}

/** The id of an attribute, also when requests have made as many as there may be. */
async function addAttribute({ db }: TestShop, name: string): Promise<string> {
  const id = uuidv7()
  await db
    .insertInto('attributes')
    .values({ id, name, kind: 'text', is_filterable: true })
    .execute()
  return id
}

async function firstEmail({ db }: TestShop): Promise<string> {
  const { id } = await db
    .selectFrom('emails')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

/** A note on the user. */
async function addUserNote(shop: TestShop, { user, admin: { token } }: People): Promise<string> {
  await shop.post(`/auth/user-notes/${user.id}`, { token, body: { text: 'Prefers blue.' } })
  const { id } = await shop.db.selectFrom('user_notes').select('id').executeTakeFirstOrThrow()
  return id
}

const PICTURE = 'PictureOfCup'

/** A picture of the settings whose bytes are none. */
async function addPicture({ db }: TestShop): Promise<string> {
  const size = { width: 400, height: 400 }
  const variants = PHOTO_FORMATS.map((format) => ({ width: 400, format, bytes: Buffer.from('x') }))
  await insertPicture(db, { version: PICTURE, ...size, variants })
  return PICTURE
}

/**
 * Adds fixtures, and returns the values that requests may name: of a parameter `id` by how the path begins, of all
 * others by their names.
 */
export async function addFixtures(
  shop: TestShop,
): Promise<{ callers: People; ids: Record<string, string[]>; known: Known }> {
  const { db } = shop
  const callers = await addPeople(db)
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
  await removeZones(shop)
  const zone = await addZone(shop, callers.admin)
  const { _id: rate = '' } = zone.rates[0] ?? {}
  const attribute = await addAttribute(shop, `Wood ${shelf}`)
  const taxClassIds = [
    (await addTaxClass(db, `Books ${shelf}`)).id,
    (await addTaxClass(db, `Food ${shelf}`)).id,
  ]
  const ids = {
    '/auth/user-note/': [await addUserNote(shop, callers)],
    '/category/': categoryIds,
    '/coupon/': [coupon.id],
    // that of the registration, which is queued
    '/email/': [await firstEmail(shop)],
    '/order/note/': [await addNote(shop, orders[0]?.id ?? '', callers.admin)],
    '/payment/': [await addMismatch(shop, callers.user)],
    '/product/attributes/': [attribute],
    '/product/': productIds,
    '/seo/': productIds,
    '/settings/picture/': [await addPicture(shop)],
    '/shipping/': [zone._id],
    '/tax/classes/': taxClassIds,
    // in a class of its own, so that it overlaps with no other
    '/tax/rates/': [(await addTaxRate(db, { class_id: taxClassIds[0] ?? null })).id],
  }
  const { body: present } = await shop.get<{ revision: number; settings: object }>(
    '/settings/all',
    { token: callers.admin.token },
  )
  const known: Known = {
    revision: [present.revision],
    settings: [present.settings],
    country: ['IN', 'NO', 'US', 'DE'],
    // a country with known regions refuses any other text
    region: [null, 'KA'],
    delivery: [ADDRESS],
    places: [INDIA.places, [{ country: 'NO' }, { country: 'IN', region: 'KA' }]],
    rates: [INDIA.rates, zone.rates],
    shippingRate: [rate],
    updatedAt: [zone.updatedAt],
    taxClass: taxClassIds,
    shippingClass: taxClassIds,
    rate: [18, 8.875, 0],
    validFrom: ['2026-01-01', '2027-01-01'],
    validTo: ['2026-12-31'],
    provider: ['sandbox', 'razorpay'],
    publishAt: ['2027-03-28T02:30', '2027-02-31T24:00', ''],
    saleFrom: ['2026-01-01T10:00', ''],
    saleUntil: ['2099-01-01T10:00', ''],
    salePrice: [1, ''],
    token: [await previewToken(db, { id: cup?.id ?? '', status: 'published' })],
    challenge: ['0123456789abcdef'.repeat(2)],
    productId: productIds,
    copyOf: productIds,
    attributes: ['{}', JSON.stringify({ [attribute]: 'Oak' })],
    _id: productIds,
    categoryId: categoryIds,
    category: categoryIds,
    checked: categoryIds,
    changeId: [crypto.randomUUID()],
    defaultVariant: [crypto.randomUUID()],
    selection: [{ ids: productIds }, { filter: { category: garden.id } }],
    change: [
      { pricePercent: 5 },
      { quantityAdded: 1 },
      { category: garden.id },
      { status: 'draft' },
    ],
    slug: [kitchen, garden, ...products].map(({ slug }) => slug),
    orderId: orders.map(({ id }) => id),
    number: [await addCreditNote(shop, callers.user)],
    object: orders.map(({ id }) => id),
    userId: others.map(({ id }) => id),
    buyerId: others.map(({ id }) => id),
    customer: others.map(({ id }) => id),
    email: [email],
    password: [SECRETS.password],
    answer: [SECRETS.answer],
    keyword: ['cup', 'Rake', 'clya'],
    q: ['cup', 'asha'],
    page: [1, 2],
    w: [320, 1],
    amount: [1250, 2500],
    // of money that an admin enters
    key: [callers.user.id],
    cart: [cart, [...cart, ...cart]],
    couponCodes: [coupon.code],
    customers: [others.map(({ id }) => id)],
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
  return { callers, ids, known }
}

/** The values that requests of this call may name. */
export function knownBy(
  { path }: Endpoint,
  { ids, known }: Pick<Awaited<ReturnType<typeof addFixtures>>, 'ids' | 'known'>,
): Known {
  const [, id = []] = Object.entries(ids).find(([start]) => path.startsWith(start)) ?? []
  // that of a zone
  const updatedAt = path.startsWith('/shipping/') ? known.updatedAt : []
  return { ...known, id, ...(updatedAt && { updatedAt }) }
}
