import { beforeAll, describe, expect, it } from 'vitest'
import type { DetailedProduct } from '#app/products/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf } from '#tests/support/variant-calls.ts'
import { lowestPrice, type PriceChange, type PriceState } from './lowest-price.ts'

const DAY = 24 * 60 * 60 * 1000
const NOW = 100 * DAY
const day = (at: number) => at * DAY
const NO_SALE = { salePrice: null, saleFrom: null, saleUntil: null }
const PRESENT: PriceState = { price: 2000, salePrice: 1500, saleFrom: NOW, saleUntil: day(110) }
const lowest = (changes: PriceChange[], from = day(70)) =>
  lowestPrice(PRESENT, changes, { from, until: NOW })

describe('the lowest price of thirty days before a sale', () => {
  it('is the price that nobody changed, and never that of the sale itself', () => {
    expect(lowest([])).toBe(2000)
    expect(lowest([{ at: day(99), before: NO_SALE }])).toBe(2000)
  })

  it('is a lower one from before, or from meanwhile', () => {
    expect(lowest([{ at: day(80), before: { price: 1800 } }])).toBe(1800)
    const changes = [
      { at: day(90), before: { price: 1700 } },
      { at: day(89), before: { price: 2000 } },
    ]
    expect(lowest(changes)).toBe(1700)
    expect(lowest([{ at: day(80), before: { price: 2400 } }])).toBe(2000)
  })

  it('is none of a time before the thirty days', () => {
    const changes = [{ at: day(70), before: { price: 1000 } }]
    expect(lowest(changes)).toBe(2000)
  })

  it('is that of an earlier sale, also of one that was cut short', () => {
    const earlier = { salePrice: 1600, saleFrom: day(60), saleUntil: day(75) }
    expect(lowest([{ at: day(95), before: earlier }])).toBe(1600)
    expect(lowest([{ at: day(95), before: { ...earlier, saleUntil: day(69) } }])).toBe(2000)
    const cut = { salePrice: 1600, saleFrom: day(80), saleUntil: day(99) }
    expect(lowest([{ at: day(79), before: cut }])).toBe(2000)
  })

  it('is none of a variant that was not there before', () => {
    expect(lowest([], NOW)).toBe(null)
  })
})

describe('the page of a product in a sale', () => {
  const shop = testShop()
  let admin: Person
  let category = { id: '' }
  beforeAll(async () => {
    admin = await addPerson(shop.db, { admin: true })
    category = await addCategory(shop.db, 'Vases')
  })
  const { make } = variantCallsOf(shop, () => admin.token)
  const edit = (id: string, fields: Parameters<typeof formOf>[0]) =>
    shop.put(`/product/update-product/${id}`, { token: admin.token, body: formOf(fields) })
  const shown = async (slug: string) =>
    (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)).body.product
  /** The next minute has begun: a sale that begins now would begin before the edits otherwise. */
  const saleUntil = new Date(Date.now() + DAY).toISOString().slice(0, 16)

  it('has the lowest price where the merchant shows it, of each variant', async () => {
    const { id, slug } = await addProduct(shop.db, { category, name: 'Vase', price: 20 })
    await shop.db
      .updateTable('variants')
      .set({ created_at: new Date(Date.now() - 40 * DAY) })
      .where('product_id', '=', id)
      .execute()
    await edit(id, { salePrice: 15, saleUntil })
    expect(await shown(slug)).not.toHaveProperty('lowestPrice')
    await settingsThrough(shop, () => admin).save({ showsLowestPrice: true })
    expect(await shown(slug)).toMatchObject({ price: 15, compareAt: 20, lowestPrice: 20 })
    await make(id, [option(1, 'Size', 'S', 'M')], { price: 30 })
    await edit(id, { salePrice: 14 })
    const { variants } = await shown(slug)
    expect(variants).toMatchObject([
      { price: 14, compareAt: 20, lowestPrice: 20 },
      { price: 14, compareAt: 30 },
    ])
    expect(variants?.[1]).not.toHaveProperty('lowestPrice')
  })
})
