import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { bandKey, LIST_ORDERS, PAGE_SIZE, PRICE_BANDS } from '#app/products/contract.ts'
import type { Row } from '#db/schema.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { type Chance, takeChance } from '#tests/support/chance.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { onServer } from '#tests/support/database.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const categories: Row<'categories'>[] = []

/** Numbers lie so far apart that a few thousand products fill slices of every level. */
const STRIDE = 397

/** Products as a file brings them: one statement; of one price where `price` is given. */
async function bring(count: number, category: string, price: number | null, from?: number) {
  await sql`
    insert into products (id, name, slug, description, price_minor, quantity, category_id, number)
    select made.id, 'Cup', made.id::text, 'Holds tea.',
      coalesce(${price}::integer, (random() * 14000)::integer), (random() * 3)::integer,
      ${category}, ${from === undefined ? sql`nextval('product_numbers')` : sql`${from}::integer + n * ${STRIDE}`}
    from (select gen_random_uuid() as id, n from generate_series(1, ${count}::integer) as n) as made
  `.execute(shop.db)
  await sql`insert into product_slugs select slug, id from products on conflict do nothing`.execute(
    shop.db,
  )
}

beforeAll(async () => {
  for (const name of ['Cups', 'Bowls', 'Rare', 'Empty'])
    categories.push(await addCategory(shop.db, name))
  await bring(2500, idOf(0), null, 0)
  await bring(500, idOf(1), null, 1)
  await bring(3, idOf(2), null, 2)
  await sql`select setval('product_numbers', (select max(number) from products))`.execute(shop.db)
})

const idOf = (at: number) => categories[at]?.id ?? ''

const products = () =>
  shop.db
    .selectFrom('products')
    .select(['id', 'number', 'category_id', 'price_minor', 'quantity'])
    .orderBy('number', 'desc')
    .execute()
type Product = Awaited<ReturnType<typeof products>>[number]

/** One of the things that happen to a catalogue. */
async function somethingHappens(chance: Chance) {
  const some = sql`select id from products where number % 100 = ${Math.floor(chance.next() * 100)}`
  const category = chance.pick(categories.slice(0, 3)).id
  const happen = {
    come: () => bring(Math.ceil(chance.next() * 30), category, null),
    'come at one price': () => bring(1200, category, 1999),
    'change prices': () =>
      sql`update products set price_minor = (random() * 14000)::integer where id in (${some})`.execute(
        shop.db,
      ),
    move: () =>
      sql`update products set category_id = ${category} where id in (${some})`.execute(shop.db),
    'sell out': () => sql`update products set quantity = 0 where id in (${some})`.execute(shop.db),
    'are there again': () =>
      sql`update products set quantity = 5 where id in (${some})`.execute(shop.db),
    go: () => sql`delete from products where id in (${some})`.execute(shop.db),
    'go in a row': () =>
      sql`delete from products where number between ${STRIDE * 1000} and ${STRIDE * 1000 + Math.floor(chance.next() * 90_000)}`.execute(
        shop.db,
      ),
    'come and go at once': () =>
      shop.db.transaction().execute(async (tx) => {
        await sql`update products set price_minor = price_minor + 2000, quantity = 1 where id in (${some})`.execute(
          tx,
        )
        await sql`delete from products where id in (${some})`.execute(tx)
      }),
  }
  const what = chance.pick(Object.keys(happen) as (keyof typeof happen)[])
  await happen[what]()
  return what
}

const bandOf = ({ price_minor }: Product) => Math.min(Math.floor(price_minor / 2000), 5)

const ORDERS = {
  newest: (a: Product, b: Product) => b.number - a.number,
  'price-up': (a: Product, b: Product) => a.price_minor - b.price_minor || a.number - b.number,
  'price-down': (a: Product, b: Product) => b.price_minor - a.price_minor || b.number - a.number,
}

const randomPage = (chance: Chance, total: number) =>
  1 + Math.floor(chance.next() ** 2 * (total / PAGE_SIZE + 2))

/** What a page must be: its products, and how many there are. */
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

async function checkFilter(all: Product[], chance: Chance) {
  const checked = categories.filter(() => chance.next() < 0.4).map(({ id }) => id)
  const band = chance.pick([null, 0, 1, 2, 3, 4, 5])
  const list = all
    .filter((one) => checked.length === 0 || checked.includes(one.category_id))
    .filter((one) => band === null || bandOf(one) === band)
  const page = randomPage(chance, list.length)
  const radio = PRICE_BANDS[band ?? -1]?.range ?? []
  const body = { checked, radio, page }
  const found = seen(await shop.post<Listed>('/product/product-filters', { body }))
  expect(found, JSON.stringify(body)).toEqual(naive(list, page))
}

async function checkCategory(all: Product[], chance: Chance) {
  const category = chance.pick(categories)
  const [band, inStock] = [chance.pick([null, 0, 1, 2, 3, 4, 5]), chance.next() < 0.4]
  const sort = chance.pick(LIST_ORDERS)
  const list = all
    .filter((one) => one.category_id === category.id && (band === null || bandOf(one) === band))
    .filter((one) => !inStock || one.quantity > 0)
    .sort(ORDERS[sort])
  const page = randomPage(chance, list.length)
  const query = new URLSearchParams({ page: String(page), sort, ...(inStock && { stock: 'in' }) })
  if (band !== null) query.set('price', bandKey(band))
  const path = `/product/product-category/${category.slug}?${query}`
  const answer = await shop.get<Listed & { facets: Facets }>(path)
  expect(seen(answer), path).toEqual(naive(list, page))
  const ofIt = all.filter((one) => one.category_id === category.id)
  const inBand = ofIt.filter((one) => band === null || bandOf(one) === band)
  const counts = PRICE_BANDS.map((_, at) => ({
    price: bandKey(at),
    count: ofIt.filter((one) => bandOf(one) === at && (!inStock || one.quantity > 0)).length,
  })).filter(({ count }) => count > 0)
  const { prices, inStock: there } = answer.body.facets
  expect(prices.toSorted((a, b) => parseInt(a.price, 10) - parseInt(b.price, 10))).toEqual(counts)
  expect(there, path).toBe(inBand.filter(({ quantity }) => quantity > 0).length)
}

async function checkPlain(all: Product[], chance: Chance) {
  const page = randomPage(chance, all.length)
  const found = seen(await shop.get<Listed>(`/product/product-list/${page}`))
  expect(found, `page ${page}`).toEqual(naive(all, page))
}

describe('the lists of a shop that changes', () => {
  it('are what a look at every product would find', async () => {
    const chance = takeChance()
    const happened: string[] = []
    for (let round = 0; round < 40; round += 1) {
      happened.push(await somethingHappens(chance))
      const all = await products()
      try {
        for (let list = 0; list < 5; list += 1) {
          await checkPlain(all, chance)
          await checkFilter(all, chance)
          await checkCategory(all, chance)
        }
      } catch (error) {
        throw new Error(`HAAT_SEED=${chance.seed}: ${happened.join(', ')}`, { cause: error })
      }
    }
    expect(await contradictionsIn(shop.db), `HAAT_SEED=${chance.seed}`).toEqual({})
  }, 60_000)

  it.runIf(onServer)(
    'are right when many change at once, and nobody waits in a circle',
    async () => {
      const changes = Array.from({ length: 24 }, (_, at) =>
        shop.db.transaction().execute(async (tx) => {
          const own = sql`number % 24 = ${at}`
          const [one, other] = at % 2 ? [idOf(0), idOf(1)] : [idOf(1), idOf(0)]
          await sql`update products set category_id = ${one} where ${own} and number % 5 = 0`.execute(
            tx,
          )
          await sql`update products set category_id = ${other} where ${own} and number % 7 = 0`.execute(
            tx,
          )
          await sql`update products set quantity = 0 where ${own} and number % 3 = 0`.execute(tx)
          await sql`delete from products where ${own} and number % 11 = 0`.execute(tx)
        }),
      )
      await Promise.all(changes)
      expect(await contradictionsIn(shop.db)).toEqual({})
    },
  )
})

it('what one transaction changes is counted once, however much it is', async () => {
  const moves = await shop.db.transaction().execute(async (tx) => {
    for (const cents of [1, 2, 3]) {
      await sql`update products set price_minor = price_minor + ${cents}`.execute(tx)
      await sql`update products set category_id = ${idOf(1)} where number % 10 = 0`.execute(tx)
    }
    return tx.selectFrom('product_moves').select('wakes').execute()
  })
  expect(moves.length).toBeGreaterThan(9000)
  expect(moves.filter(({ wakes }) => wakes)).toHaveLength(1)
  expect(await contradictionsIn(shop.db)).toEqual({})
})
