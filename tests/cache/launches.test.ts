/** Kept answers show a launch, its end, and a sale within five seconds of their times. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Row } from '#db/schema.ts'
import { startJobs } from '#server/jobs.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'

let admin: Person
let category: Row<'categories'>
let vase: Row<'products'>
let jobs: ReturnType<typeof startJobs>
const shop = testCachedShop({
  settings: { SHOP_URL: 'https://shop.example.com' },
  async fill(db) {
    admin = await addPerson(db, { admin: true })
    category = await addCategory(db, 'Kitchen')
    await addProduct(db, { category, name: 'Cup' })
    vase = await addProduct(db, { category, name: 'Vase', price: 20 })
    await db.updateTable('products').set({ status: 'draft' }).where('name', '=', 'Vase').execute()
  },
})
beforeAll(() => {
  const all = shop.app.modules.flatMap((module) => module.jobs ?? [])
  jobs = startJobs(
    all.filter(({ name }) => name === 'publishing products and sale prices'),
    shop.app.log,
    0,
  )
})
afterAll(() => jobs.close())

const detail = () => `${API_PREFIX}/product/get-product/${vase.slug}`
const KEPT = () =>
  [
    'product/product-list/1',
    'product/product-count',
    `product/product-category/${category.slug}`,
    'product/search-results?keyword=vase',
    'product/suggest?q=vas',
  ].map((path) => `${API_PREFIX}/${path}`)

const textOf = async (path: string) =>
  String((await shop.ask(path)).bytes).replace(/"requestId":"[^"]*"/, '')
/** The kept answers, and the product's own. */
const answers = () => Promise.all([detail(), ...KEPT(), '/sitemap-products.xml'].map(textOf))

const edit = (fields: Parameters<typeof formOf>[0]) =>
  shop.put(`/product/update-product/${vase.id}`, { token: admin.token, body: formOf(fields) })

/**
 * Lets the time of a plan come in a second (the form has minutes), and waits until every process knows what the job has
 * done. What is asked then is asked once, so no visitor refreshes it for the next one.
 */
async function letCome(column: 'publish_at' | 'unpublish_at') {
  const of = shop.db.updateTable('products').where('id', '=', vase.id).returning('updated_at')
  const { updated_at } = await of
    .set({ [column]: new Date(Date.now() + 1000) })
    .executeTakeFirstOrThrow()
  const edition = async () =>
    (
      await shop.db.selectFrom('products').where('id', '=', vase.id).select('updated_at').execute()
    )[0]
  await expect.poll(edition).not.toEqual({ updated_at })
  await shop.app.pages?.catchUp()
}

/** The same of the beginning or the end of a sale, which the job notes in what the product is listed by. */
async function letSaleCome(column: 'sale_from' | 'sale_until') {
  const at = new Date(Date.now() + 1000)
  await shop.db
    .updateTable('variants')
    .where('product_id', '=', vase.id)
    .set({ [column]: at })
    .execute()
  const of = shop.db.updateTable('products').where('id', '=', vase.id)
  await of.set({ list_price_until: at }).execute()
  const listedUntil = async () =>
    (
      await shop.db
        .selectFrom('products')
        .where('id', '=', vase.id)
        .select('list_price_until')
        .executeTakeFirstOrThrow()
    ).list_price_until
  await expect.poll(listedUntil).not.toEqual(at)
  await shop.app.pages?.catchUp()
}

/** All but the number of products have its name. */
const SHOWING = [true, true, false, true, true, true, true]

it('a launch is in every kept answer within five seconds of its time, and its end, too', async () => {
  const hidden = await answers()
  expect(await shop.madeBy(answers)).toBe(1)
  await letCome('publish_at')
  const launched = await answers()
  expect(launched.map((text) => /vase/i.test(text))).toEqual(SHOWING)
  expect(launched[2]).not.toBe(hidden[2])
  await letCome('unpublish_at')
  expect(await answers()).toEqual(hidden)
})

it('a sale is, too', async () => {
  const [saleFrom, saleUntil] = ['2027-01-01T10:00', '2027-01-02T10:00']
  await edit({ status: 'published', salePrice: 15, saleFrom, saleUntil })
  const prices = async () => {
    const { product } = JSON.parse(await textOf(detail()))
    const { products } = JSON.parse(await textOf(KEPT()[0] ?? ''))
    return [product.price, products.find(({ name }: { name: string }) => name === 'Vase').price]
  }
  await shop.app.pages?.catchUp()
  expect(await prices()).toEqual([20, 20])
  await letSaleCome('sale_from')
  expect(await prices()).toEqual([15, 15])
  await letSaleCome('sale_until')
  expect(await prices()).toEqual([20, 20])
})

it('a preview is never kept', async () => {
  const { body } = await shop.get<{ product: { preview: string } }>(
    `/product/stored-product/${vase.slug}`,
    { token: admin.token },
  )
  const path = `${API_PREFIX}/product/preview?token=${body.product.preview}`
  expect((await shop.ask(path)).headers['cache-control']).toBe('no-store')
  expect(await shop.madeBy(() => shop.ask(path))).toBe(1)
  expect(shop.stored().filter((key) => key.includes('preview'))).toEqual([])
})
