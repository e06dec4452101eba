import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BulkResult } from '#app/products/catalogue-contract.ts'
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

describe('a change of the prices of many products', () => {
  const change = (ids: string[], changeId: string, dryRun = false) =>
    shop.post<BulkResult>('/product/change-products', {
      token,
      body: { changeId, selection: { ids }, change: { pricePercent: 10 }, dryRun },
    })
  const undo = (changeId: string) =>
    shop.post<{ message: string }>('/product/undo-change', { token, body: { changeId } })

  it('names and leaves out those whose sale is running, with all their variants', async () => {
    const [onSale, other] = [await vaseIn(['S', 'M'], 20), await vaseIn(['S', 'M'], 20)]
    await begin(onSale.id)
    const ids = [onSale.id, other.id]
    const left = '1 product is left out: its sale is running.'
    const dry = await change(ids, randomUUID(), true)
    expect(dry.body).toMatchObject({
      message: `1 product would change. ${left}`,
      preview: [{ _id: onSale.id, isRefused: true }, { _id: other.id }],
    })
    const changeId = randomUUID()
    expect((await change(ids, changeId)).body.message).toBe(`1 product changed. ${left}`)
    await undo(changeId)
    await end(onSale.id)
    for (const id of ids)
      expect(await pricesOf(id)).toEqual([
        [20, null],
        [20, null],
      ])
  })

  it('before a sale is not undone while that runs, nor afterwards', async () => {
    const { id } = await vaseIn(['S', 'M'], 20)
    const changeId = randomUUID()
    await change([id], changeId)
    await begin(id)
    const kept = '1 product was changed since, and stays as it is.'
    expect((await undo(changeId)).body.message).toBe(`No product changed back. ${kept}`)
    await end(id)
    expect(await pricesOf(id)).toEqual([
      [22, null],
      [22, null],
    ])
  })
})
