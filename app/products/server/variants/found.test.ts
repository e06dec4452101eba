import { beforeEach, describe, expect, it } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import type { Found, Waiting } from '#app/overview/admin-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
const { make, save } = variantCallsOf(shop, () => token)
let made: Awaited<ReturnType<typeof make>>
beforeEach(async () => {
  await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
  token = (await addPerson(shop.db, { admin: true })).token
  const category = await addCategory(shop.db, 'Clothes')
  const { id } = await addProduct(shop.db, { category, name: 'Shirt', quantity: 100 })
  await addProduct(shop.db, { category, name: 'Red scarf', quantity: 100 })
  made = await make(id, [option(1, 'Colour', 'Blue', 'Red'), option(2, 'Size', 'S', 'M')], {
    quantity: 100,
  })
  await change('Red', 'M', { sku: { from: null, to: 'AB-1' } })
  await change('Red', 'S', { barcode: { from: null, to: '4006381333931' } })
})

/** Changes a variant of the shirt, as it was made. */
const change = (colour: string, size: string, cells: object) => {
  const { _id, updatedAt } = variantOf(made, colour, size)
  return save(made.product._id, { changed: [{ _id, updatedAt, ...cells }] })
}
const sell = async (colour: string, size: string, quantity: number) => {
  const { _id } = variantOf(made, colour, size)
  await shop.db.updateTable('variants').set({ quantity }).where('id', '=', _id).execute()
}

const names = (products: { name: string }[]) => products.map(({ name }) => name)
const search = async (text: string) =>
  names((await shop.get<{ name: string }[]>(`/product/search/${encodeURIComponent(text)}`)).body)

describe('a product with options', () => {
  it('is found by its SKU in any case, by its barcode and by the values of its options', async () => {
    for (const text of ['AB-1', 'ab-1', '4006381333931', 'red shirt', 'shirt red'])
      expect((await search(text))[0], text).toBe('Shirt')
    expect(await search('red')).toEqual(['Red scarf', 'Shirt'])
    expect(await search('4006381333932')).toEqual([])
  })

  it('is found by what it is called now', async () => {
    const [colour, ...others] = made.options
    if (!colour) throw new Error('The shirt has no colour.')
    const values = colour.values.map((one) => ({
      ...one,
      name: one.name.replace('Red', 'Crimson'),
    }))
    const to = [{ ...colour, values }, ...others]
    await save(made.product._id, { options: { from: made.options, to } })
    expect((await search('crimson shirt'))[0]).toBe('Shirt')
    expect(await search('red')).toEqual(['Red scarf'])
    await shop.db.updateTable('products').set({ name: 'Tee' }).where('name', '=', 'Shirt').execute()
    expect((await search('crimson tee'))[0]).toBe('Tee')
  })

  it('is found by SKU and barcode in the back office', async () => {
    for (const text of ['ab-1', '4006381333931', 'shirt']) {
      const path = `/product/all-products?q=${text}`
      expect(names((await shop.get<{ name: string }[]>(path, { token })).body)).toEqual(['Shirt'])
      const found = await shop.get<Found>(`/overview/search?q=${text}`, { token })
      expect(names(found.body.products)).toEqual(['Shirt'])
    }
  })

  it('runs low and is sold out with any of its variants, which the list names', async () => {
    const listed = async (stock: string) =>
      (
        await shop.get<{ name: string; stock: string }[]>(`/product/all-products?stock=${stock}`, {
          token,
        })
      ).body.map((one) => [one.name, one.stock])
    expect([await listed('low'), await listed('out')]).toEqual([[], []])
    await sell('Red', 'M', 1)
    await sell('Blue', 'M', 2)
    expect(await listed('low')).toEqual([['Shirt', 'low']])
    await sell('Red', 'S', 0)
    expect(await listed('out')).toEqual([['Shirt', 'out']])
    expect(await listed('in')).toEqual([['Red scarf', 'in']])
    const { body } = await shop.get<{ runningLow: Figures['runningLow'] }>('/order/figures', {
      token,
    })
    expect(body.runningLow.map(({ name, quantity }) => [name, quantity])).toEqual([
      ['Shirt – Red / M', 1],
      ['Shirt – Blue / M', 2],
    ])
    const waiting = await shop.get<Waiting>('/overview/waiting', { token })
    expect(waiting.body).toMatchObject({ runningLow: 1, soldOut: 1 })
  })
})
