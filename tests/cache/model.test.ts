/**
 * Model-based test: after any sequence of reads and writes, no stale answer is served beyond the
 * promised time.
 */
import { expect, it, vi } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Row } from '#db/schema.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { servePages } from '#tests/support/pages.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { addCategory, addProduct, listedOf, replacePhoto, sellUntil } from '../support/catalogue.ts'
import { formOf } from '../support/form.ts'
import { cartOf, purchases } from '../support/payments.ts'
import { seededRandom } from '../support/seeded-random.ts'
import type { TestShop } from '../support/shop.ts'

// hundreds of steps, each over HTTP
vi.setConfig({ testTimeout: 180_000 })

/** When a change is visible: with the next request, with the next poll of the feed, or when its stale answers expire. */
type Promised = 'at once' | 'after a poll' | 'soon'
const STEPS = 40

const chance = seededRandom()
let admin: Person
let category: Row<'categories'>
let products: Row<'products'>[]
const shop = testCachedShop({
  complete: servePages,
  async fill(db) {
    admin = await addPerson(db, { admin: true })
    category = await addCategory(db, 'Kitchen')
    const made = Array.from({ length: 4 }, (_, n) =>
      addProduct(db, { category, name: `Cup ${n}`, quantity: 3 }),
    )
    products = await Promise.all(made)
  },
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

/** The uncached answers of each URL, as one text: those of the twin are the model. */
async function truth(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const path of addresses()) {
    const { statusCode: status, body } = await shop.twin.app.inject(path)
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
  const buyer = await addPerson(shop.db)
  const { id } = chance.pick(products)
  const { price_minor: amount } = await listedOf(shop.db, { id })
  return purchases(shop.twin).start(buyer, { amount, cart: cartOf({ id }) })
}

/** Each says when the change must be visible. */
const WRITES: [what: string, promised: Promised, write: () => Promise<unknown>][] = [
  ['an edit here', 'at once', () => edit(shop)],
  ['an edit in another process', 'after a poll', () => edit(shop.twin)],
  [
    'a new category',
    'at once',
    () =>
      shop.post('/category/create-category', {
        token: admin.token,
        body: { name: `Shelf ${chance.next()}` },
      }),
  ],
  [
    'an import',
    'at once',
    () =>
      shop.app.inject({
        method: 'POST',
        url: `${API_PREFIX}/product/import`,
        payload: `slug,quantity\n${chance.pick(products).slug},${Math.floor(chance.next() * 4)}\n`,
        headers: { authorization: admin.token, 'content-type': 'text/csv' },
      }),
  ],
  ['a photo', 'soon', () => replacePhoto(shop.db, chance.pick(products), `v${chance.next()}`)],
  [
    'a sale',
    'soon',
    () => sellUntil(shop.db, chance.pick(products), Math.floor(chance.next() * 3)),
  ],
  ['a hold', 'soon', hold],
]

it(`serves only what is true, or was a moment ago (HAAT_SEED=${chance.seed})`, async () => {
  let now = await truth()
  for (let step = 0; step < STEPS; step++) {
    const [what, promised, write] = chance.pick(WRITES)
    for (const path of addresses()) if (chance.next() < 0.5) await read(path)
    const before = now
    // requests are in progress during writes
    const [meanwhile] = await Promise.all([Promise.all(addresses().map(read)), write()])
    if (promised !== 'at once') await shop.app.pages?.catchUp()
    now = await truth()
    for (const [at, path] of addresses().entries()) {
      expect([before.get(path), now.get(path)], `${path} during ${what}`).toContain(meanwhile[at])
    }
    for (const path of addresses()) {
      for (;;) {
        const found = await read(path)
        if (found === now.get(path)) break
        expect(promised, `${path} after ${what}`).toBe('soon')
        expect(found, `${path} after ${what}`).toBe(before.get(path))
      }
    }
  }
})
