import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import { PAGE_SIZE } from '#app/products/contract.ts'
import { LIST_ORDERS, priceBandsFrom } from '#app/products/model.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Row } from '#db/schema.ts'
import { addCategory, insertProducts } from '#tests/support/catalogue.ts'
import { type SeededRandom, seededRandom } from '#tests/support/seeded-random.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const BANDS = priceBandsFrom([0, 20, 40, 60, 80, 100])
const keyOf = (band: number) => BANDS[band]?.join('-') ?? ''
/** An upper end from which on there is none (spec §9). */
const TOP = 9999
const categories: Row<'categories'>[] = []

const idOf = (at: number) => categories[at]?.id ?? ''

/** Products of a category; every fourth has the same price. */
async function addProducts(chance: SeededRandom, count: number, category: string) {
  const products = Array.from({ length: count }, (_, at) => {
    const id = uuidv7()
    return {
      id,
      name: 'Cup',
      slug: id,
      description: 'Holds tea.',
      price_minor: at % 4 === 0 ? 1999 : Math.floor(chance.next() * 14_000),
      quantity: Math.floor(chance.next() * 3),
      category_id: category,
    }
  })
  await inTransaction(shop.db, SHOP, (tx) => insertProducts(tx, products))
  const slugs = products.map(({ id, slug }) => ({ slug, product_id: id }))
  await shop.db.insertInto('product_slugs').values(slugs).execute()
}

beforeAll(async () => {
  for (const name of ['Cups', 'Bowls', 'Rare', 'Empty'])
    categories.push(await addCategory(shop.db, name))
  const chance = seededRandom(1)
  for (const [at, count] of [300, 200, 3].entries()) await addProducts(chance, count, idOf(at))
  await addProducts(chance, 200, idOf(0))
})

const products = () =>
  shop.db
    .selectFrom('products')
    .innerJoin('variants', 'variants.id', 'listed_variant_id')
    .select(['products.id', 'category_id', 'price_minor', 'quantity'])
    .orderBy('products.id', 'desc')
    .execute()
type Product = Awaited<ReturnType<typeof products>>[number]

const bandOf = ({ price_minor }: Product) =>
  BANDS.findLastIndex(([low]) => price_minor >= low * 100)

const newer = (a: Product, b: Product) => (a.id < b.id ? 1 : -1)
const ORDERS = {
  newest: newer,
  'price-up': (a: Product, b: Product) => a.price_minor - b.price_minor || newer(b, a),
  'price-down': (a: Product, b: Product) => b.price_minor - a.price_minor || newer(a, b),
}

const randomPage = (chance: SeededRandom, total: number) =>
  1 + Math.floor(chance.next() ** 2 * (total / PAGE_SIZE + 2))

/** The expected page: its products and the total. */
const naive = (list: Product[], page: number) => ({
  ids: list.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ id }) => id),
  total: list.length,
})

type Facets = { prices: { price: string; count: number }[]; inStock: number }
type Listed = { products: { _id: string }[]; total: number }
const seen = ({ body }: { body: Listed }) => ({
  ids: body.products.map(({ _id }) => _id),
  total: body.total,
})

const PRICE_RANGES: readonly (readonly number[])[] = [[], ...BANDS, [30, 70], [15, 9999]]

const isIn = ([low = 0, high = TOP]: readonly number[], { price_minor }: Product) =>
  price_minor >= low * 100 && (high === TOP || price_minor < (high + 1) * 100)

async function checkFilter(all: Product[], chance: SeededRandom) {
  const checked = categories.filter(() => chance.next() < 0.4).map(({ id }) => id)
  const radio = chance.pick(PRICE_RANGES)
  const list = all
    .filter((one) => checked.length === 0 || checked.includes(one.category_id))
    .filter((one) => isIn(radio, one))
  const page = randomPage(chance, list.length)
  const body = { checked, radio, page }
  const found = seen(await shop.post<Listed>('/product/product-filters', { body }))
  expect(found, JSON.stringify(body)).toEqual(naive(list, page))
}

async function checkCategory(all: Product[], chance: SeededRandom) {
  const category = chance.pick(categories)
  const range = chance.pick(PRICE_RANGES)
  const inStock = chance.next() < 0.4
  const sort = chance.pick(LIST_ORDERS)
  const list = all
    .filter((one) => one.category_id === category.id && isIn(range, one))
    .filter((one) => !inStock || one.quantity > 0)
    .sort(ORDERS[sort])
  const page = randomPage(chance, list.length)
  const query = new URLSearchParams({ page: String(page), sort, ...(inStock && { stock: 'in' }) })
  if (range.length > 0) query.set('price', range.join('-'))
  const path = `/product/product-category/${category.slug}?${query}`
  const answer = await shop.get<Listed & { facets: Facets }>(path)
  expect(seen(answer), path).toEqual(naive(list, page))
  const ofIt = all.filter((one) => one.category_id === category.id)
  const inRange = ofIt.filter((one) => isIn(range, one))
  const counts = BANDS.map((_, at) => ({
    price: keyOf(at),
    count: ofIt.filter((one) => bandOf(one) === at && (!inStock || one.quantity > 0)).length,
  })).filter(({ count }) => count > 0)
  const { prices, inStock: there } = answer.body.facets
  expect(prices.toSorted((a, b) => parseInt(a.price, 10) - parseInt(b.price, 10))).toEqual(counts)
  expect(there, path).toBe(inRange.filter(({ quantity }) => quantity > 0).length)
}

async function checkPlain(all: Product[], chance: SeededRandom) {
  const page = randomPage(chance, all.length)
  const found = seen(await shop.get<Listed>(`/product/product-list/${page}`))
  expect(found, `page ${page}`).toEqual(naive(all, page))
}

describe('the lists of products', () => {
  it('are what a look at every product would find', async () => {
    const chance = seededRandom()
    const all = await products()
    try {
      for (let list = 0; list < 100; list += 1) {
        await checkPlain(all, chance)
        await checkFilter(all, chance)
        await checkCategory(all, chance)
      }
    } catch (error) {
      throw new Error(`HAAT_SEED=${chance.seed}`, { cause: error })
    }
  })
})
