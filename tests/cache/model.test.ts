/**
 * Model-based test: after any sequence of reads and writes, no stale answer is served beyond the
 * promised time.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { NO_SETTINGS } from '#app/shared/model/shop-settings.ts'
import type { OpenDatabase } from '#db/connect.ts'
import type { Row } from '#db/schema.ts'
import { builtSite, serveSite } from '#server/site.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { type CachedShop, cachedShopOn } from '../support/cached-shop.ts'
import { addCategory, addProduct, replacePhoto, sellUntil } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'
import { formOf } from '../support/form.ts'
import { cartOf, purchases } from '../support/payments.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { shopOn, type TestShop } from '../support/shop.ts'

// hundreds of steps, each over HTTP
vi.setConfig({ testTimeout: 180_000 })

/** The promised time for stock, the longest one, and the time of the request itself. */
const BOUND_MS = 2000
const STEPS = 40
const CURRENCIES = { currencyDisplay: 'USD', currencyCharge: 'INR' }

const chance = seededRandom()
let opened: OpenDatabase
let shop: CachedShop
/** The model: the same process without a cache, and another process. */
let twin: TestShop
let admin: Person
let category: Row<'categories'>
let products: Row<'products'>[]

const addPages = (app: FastifyInstance) =>
  serveSite(app, {
    load: builtSite,
    settings: { ...NO_SETTINGS, ...CURRENCIES, payments: 'test' },
    policy: () => "default-src 'self'",
  })

beforeAll(async () => {
  opened = await openTestDatabase()
  const { db } = opened
  admin = await addPerson(db, { admin: true })
  category = await addCategory(db, 'Kitchen')
  const made = Array.from({ length: 4 }, (_, n) =>
    addProduct(db, { category, name: `Cup ${n}`, quantity: 3 }),
  )
  products = await Promise.all(made)
  shop = await cachedShopOn(db, {}, addPages)
  twin = await shopOn(db, { CACHE_MB: '0' }, addPages)
})
afterAll(async () => {
  await shop?.close()
  await twin?.app.close()
  await opened?.close()
})

const calls = () => [
  '/category/get-category',
  '/product/product-count',
  '/product/product-list/1',
  '/product/get-product',
  '/product/search/cup',
  '/product/search-results?keyword=cup&stock=in',
  `/product/product-category/${category.slug}`,
  ...products.flatMap(({ id, slug }) => [
    `/product/get-product/${slug}`,
    `/product/product-photo/${id}`,
  ]),
]
const pages = () => [
  '/',
  '/categories',
  '/search?q=cup',
  '/search?q=cup&stock=in&sort=price-asc',
  `/category/${category.slug}`,
  `/category/${category.slug}?stock=in`,
  ...products.slice(0, 2).map(({ slug }) => `/product/${slug}`),
]
const addresses = () => [...calls().map((path) => API_PREFIX + path), ...pages()]

/** The uncached answers of each URL, as one text. */
async function truth(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const path of addresses()) {
    const { statusCode: status, body } = await twin.app.inject(path)
    found.set(path, status === 200 ? body : `${status}`)
  }
  return found
}

async function read(path: string): Promise<string> {
  const { status, bytes } = await shop.ask(path)
  return status === 200 ? bytes.toString() : `${status}`
}

const edit = (at: TestShop) => {
  const { id } = chance.pick(products)
  const price = Math.floor(chance.next() * 100)
  const fields = {
    name: `Cup ${price}`,
    description: 'x',
    price,
    quantity: 3,
    category: category.id,
  }
  return at.put(`/product/update-product/${id}`, { token: admin.token, body: formOf(fields) })
}

/**
 * A started payment reserves its pieces if there are enough. Each has a buyer of its own: a second one of
 * the same buyer would change two products at once, and a page that is rendered meanwhile from several
 * calls may show one of them before the change and the other after it.
 */
async function hold() {
  const buyer = await addPerson(opened.db)
  const { id } = chance.pick(products)
  const { price_minor: amount } = await opened.db
    .selectFrom('products')
    .select('price_minor')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return purchases(twin).start(buyer, { amount, cart: cartOf({ id }) })
}

/** Each says whether the change must be visible at once. */
const WRITES: [what: string, atOnce: boolean, write: () => Promise<unknown>][] = [
  ['an edit here', true, () => edit(shop)],
  ['an edit in another process', false, () => edit(twin)],
  [
    'a new category',
    true,
    () =>
      shop.post('/category/create-category', {
        token: admin.token,
        body: { name: `Shelf ${chance.next()}` },
      }),
  ],
  [
    'an import',
    true,
    () =>
      shop.app.inject({
        method: 'POST',
        url: `${API_PREFIX}/product/import`,
        payload: `slug,quantity\n${chance.pick(products).slug},${Math.floor(chance.next() * 4)}\n`,
        headers: { authorization: admin.token, 'content-type': 'text/csv' },
      }),
  ],
  ['a photo', false, () => replacePhoto(opened.db, chance.pick(products), `v${chance.next()}`)],
  [
    'a sale',
    false,
    () => sellUntil(opened.db, chance.pick(products), Math.floor(chance.next() * 3)),
  ],
  ['a hold', false, hold],
]

it(`serves only what is true, or was a moment ago (HAAT_SEED=${chance.seed})`, async () => {
  let now = await truth()
  for (let step = 0; step < STEPS; step++) {
    const [what, atOnce, write] = chance.pick(WRITES)
    for (const path of addresses()) if (chance.next() < 0.5) await read(path)
    const before = now
    // requests are in progress during writes
    const [meanwhile] = await Promise.all([Promise.all(addresses().map(read)), write()])
    const written = performance.now()
    now = await truth()
    for (const [at, path] of addresses().entries()) {
      expect([before.get(path), now.get(path)], `${path} during ${what}`).toContain(meanwhile[at])
    }
    for (const path of addresses()) {
      for (;;) {
        const asked = performance.now()
        const found = await read(path)
        if (found === now.get(path)) break
        expect(found, `${path} after ${what}`).toBe(before.get(path))
        expect(atOnce, `${path} after ${what}`).toBe(false)
        expect(asked - written, `${path} after ${what}`).toBeLessThan(BOUND_MS)
      }
    }
  }
})
