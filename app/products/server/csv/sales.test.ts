import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportStep } from '#app/products/admin-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf } from '#tests/support/variant-calls.ts'
import { doWhatIsDue } from '../publication/publication.ts'

const shop = testShop()
let token = ''
const { load, make } = variantCallsOf(shop, () => token)
let vase = { id: '', slug: '' }

const hours = (from: number) => new Date(Date.now() + from * 3_600_000)
const endSale = async () => {
  await shop.db
    .updateTable('products')
    .set({ sale_until: hours(-0.5) })
    .execute()
  await doWhatIsDue(shop.db)
}

/** A vase at 20, of which two sizes cost 15 now, and the third, at 30, takes no part in the sale. */
beforeEach(async () => {
  await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
  token = (await addPerson(shop.db, { admin: true })).token
  const category = await addCategory(shop.db, 'Vases')
  vase = await addProduct(shop.db, { category, name: 'Vase', price: 20 })
  const { variants } = await make(vase.id, [option(1, 'Size', 'S', 'M', 'L')], { price: 20 })
  await shop.db
    .updateTable('variants')
    .set({ price_minor: 3000 })
    .where('id', '=', variants[2]?._id ?? '')
    .execute()
  const sale = { sale_price_minor: 1500, sale_from: hours(-1), sale_until: hours(1) }
  await shop.db.updateTable('products').set(sale).execute()
  await doWhatIsDue(shop.db)
  expect(await prices()).toEqual([
    [15, 20],
    [15, 20],
    [30, null],
  ])
})

const prices = async () =>
  (await load(vase.id)).variants.map(({ price, compareAt }) => [price, compareAt])
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
  it('an exported file changes nothing, and brings the regular prices back after it', async () => {
    const before = await everything()
    const csv = await exported()
    expect(await imported(csv)).toMatchObject({ updated: 0, unchanged: 1, wrong: 0 })
    expect(await everything()).toEqual(before)
    await endSale()
    expect(await imported(csv)).toMatchObject({ updated: 0, unchanged: 1, wrong: 0 })
    expect(await prices()).toEqual([
      [20, null],
      [20, null],
      [30, null],
    ])
  })

  it('an import changes regular prices, and the sale goes on', async () => {
    const file = `slug,price,option1,value1\n${vase.slug},22,Size,S\n${vase.slug},22,Size,M\n${vase.slug},31,Size,L`
    expect(await imported(file)).toMatchObject({ updated: 1, wrong: 0 })
    expect(await prices()).toEqual([
      [15, 22],
      [15, 22],
      [31, null],
    ])
    await endSale()
    expect(await prices()).toEqual([
      [22, null],
      [22, null],
      [31, null],
    ])
  })

  it('a file without variants changes the regular price of the default one', async () => {
    expect(await imported(`slug,price\n${vase.slug},22`)).toMatchObject({ updated: 1, wrong: 0 })
    // it costs more than the size that cost the same before, which takes no part any more
    expect(await prices()).toEqual([
      [15, 22],
      [20, null],
      [30, null],
    ])
  })

  it('an import of stock leaves prices alone: those of the sale, and one that was edited', async () => {
    const rows = (await load(vase.id)).variants
    const file = `slug,quantity,option1,value1\n${['S', 'M', 'L'].map((size) => `${vase.slug},7,Size,${size}`).join('\n')}`
    expect(await imported(file)).toMatchObject({ updated: 1, wrong: 0 })
    expect(await prices()).toEqual(rows.map(({ price, compareAt }) => [price, compareAt]))
    // the regular prices, as an export has them
    const priced = `slug,price,quantity,option1,value1\n${vase.slug},20,6,Size,S\n${vase.slug},20,6,Size,M`
    expect(await imported(priced)).toMatchObject({ updated: 1, wrong: 0 })
    expect(await imported(`slug,price,quantity\n${vase.slug},20,5`)).toMatchObject({ updated: 1 })
    expect(await prices()).toEqual(rows.map(({ price, compareAt }) => [price, compareAt]))
    await shop.put(`/product/update-product/${vase.id}`, { token, body: formOf({ price: 25 }) })
    expect(await imported(file.replaceAll(',7,', ',8,'))).toMatchObject({ updated: 1, wrong: 0 })
    expect(await imported(`slug,quantity\n${vase.slug},9`)).toMatchObject({ updated: 1 })
    expect((await prices())[0]?.[0]).toBe(25)
    expect(await imported(`slug,price\n${vase.slug},26`)).toMatchObject({ updated: 1 })
    await doWhatIsDue(shop.db)
    expect((await prices())[0]?.[0]).toBe(26)
  })
})
