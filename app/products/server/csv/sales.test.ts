import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportStep } from '#app/products/admin-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
const { load, make } = variantCallsOf(shop, () => token)
let vase = { id: '', slug: '' }

/** A vase in three sizes at 20 and 10, of which those at 20 cost 15 now. */
beforeEach(async () => {
  await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
  token = (await addPerson(shop.db, { admin: true })).token
  const category = await addCategory(shop.db, 'Vases')
  vase = await addProduct(shop.db, { category, name: 'Vase', price: 20 })
  await make(vase.id, [option(1, 'Size', 'S', 'M')], { price: 10 })
  const saleUntil = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)
  await shop.put(`/product/update-product/${vase.id}`, {
    token,
    body: formOf({ salePrice: 15, saleUntil }),
  })
  expect(await prices()).toEqual([
    [20, 15],
    [10, null],
  ])
})

/** The regular price of each variant, and that of its sale. */
const prices = async () => {
  const rows = await shop.db
    .selectFrom('variants')
    .orderBy('position')
    .select(['price_minor', 'sale_price_minor'])
    .execute()
  return rows.map(({ price_minor: price, sale_price_minor: sale }) => [
    price / 100,
    sale && sale / 100,
  ])
}
const exported = async () => (await shop.get('/product/export', { token })).bytes.toString()
async function imported(payload: string) {
  const headers = { authorization: token, 'content-type': 'text/csv' }
  const url = '/api/v1/product/import'
  const { body } = await shop.app.inject({ method: 'POST', url, headers, payload })
  const last: ImportStep = JSON.parse(body.trim().split('\n').at(-1) ?? '')
  if (last.step !== 'done') throw new Error(body)
  return last.report
}
const everything = () =>
  Promise.all([
    shop.db.selectFrom('products').selectAll().execute(),
    shop.db.selectFrom('variants').selectAll().orderBy('id').execute(),
    shop.db.selectFrom('audit_log').select('id').orderBy('id').execute(),
  ])

describe('while a sale runs', () => {
  it('an exported file has the regular prices, and changes nothing', async () => {
    const before = await everything()
    const csv = await exported()
    expect(csv).toContain(',20,10,')
    expect(await imported(csv)).toMatchObject({ updated: 0, unchanged: 1, wrong: 0 })
    expect(await everything()).toEqual(before)
  })

  it('an import changes regular prices, and the sale goes on', async () => {
    const file = `slug,price,option1,value1\n${vase.slug},22,Size,S\n${vase.slug},31,Size,M`
    expect(await imported(file)).toMatchObject({ updated: 1, wrong: 0 })
    expect(await prices()).toEqual([
      [22, 15],
      [31, null],
    ])
  })

  it('a file without variants changes the regular price of the listed one', async () => {
    expect(await imported(`slug,price\n${vase.slug},12`)).toMatchObject({ updated: 1, wrong: 0 })
    expect(await prices()).toEqual([
      [20, 15],
      [12, null],
    ])
    const { quantity } = (await load(vase.id)).variants[1] ?? {}
    expect(quantity).toBe(10)
  })

  it('an import of stock leaves prices alone', async () => {
    const file = `slug,quantity,option1,value1\n${vase.slug},7,Size,S\n${vase.slug},8,Size,M`
    expect(await imported(file)).toMatchObject({ updated: 1, wrong: 0 })
    expect(await prices()).toEqual([
      [20, 15],
      [10, null],
    ])
    expect((await load(vase.id)).variants.map(({ quantity }) => quantity)).toEqual([7, 8])
  })
})
