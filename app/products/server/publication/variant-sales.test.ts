import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf } from '#tests/support/variant-calls.ts'
import { doWhatIsDue } from './publication.ts'

const shop = testShop()
let token = ''
let category = { id: '' }
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Vases')
})

const { load, make, save } = variantCallsOf(shop, () => token)

/** A product at 20 whose other variants cost so much. */
async function vaseIn(sizes: string[], price: number) {
  const { id } = await addProduct(shop.db, { category, name: 'Vase', price: 20 })
  const { variants } = await make(id, [option(1, 'Size', ...sizes)], { price })
  return { id, variants }
}

const hours = (from: number) => new Date(Date.now() + from * 3_600_000)

/** Sells the product at 15 for a time that has begun. */
async function begin(id: string) {
  const sale = { sale_price_minor: 1500, sale_from: hours(-1), sale_until: hours(1) }
  await shop.db.updateTable('products').set(sale).where('id', '=', id).execute()
  await doWhatIsDue(shop.db)
}
async function end(id: string) {
  await shop.db
    .updateTable('products')
    .set({ sale_until: hours(-0.5) })
    .where('id', '=', id)
    .execute()
  await doWhatIsDue(shop.db)
}
const pricesOf = async (id: string) =>
  (await load(id)).variants.map(({ price, compareAt }) => [price, compareAt])

describe('the end of a sale', () => {
  it('changes the variants that took part, whatever others cost, and keeps what was edited', async () => {
    const { id, variants } = await vaseIn(['S', 'M', 'L'], 20)
    await shop.db
      .updateTable('variants')
      .set({ price_minor: 1500, compare_at_minor: 2000 })
      .where('id', '=', variants[2]?._id ?? '')
      .execute()
    await begin(id)
    const { _id = '', updatedAt = '' } = (await load(id)).variants[1] ?? {}
    await save(id, { changed: [{ _id, updatedAt, compareAt: { from: 20, to: 22 } }] })
    await end(id)
    expect(await pricesOf(id)).toEqual([
      [20, null],
      [20, 22],
      [15, 20],
    ])
  })
})

describe('a sale that runs', () => {
  it('is that of a new default variant, too, and gives the former one its price back', async () => {
    const { id, variants } = await vaseIn(['S', 'M'], 40)
    await begin(id)
    await save(id, { defaultVariant: variants[1]?._id ?? '' })
    await doWhatIsDue(shop.db)
    expect(await pricesOf(id)).toEqual([
      [20, null],
      [15, 40],
    ])
    await end(id)
    expect(await pricesOf(id)).toEqual([
      [20, null],
      [40, null],
    ])
  })
})
