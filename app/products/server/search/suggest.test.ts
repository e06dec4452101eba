import { beforeAll, describe, expect, it } from 'vitest'
import type { Suggestions } from '#app/products/search-contract.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

beforeAll(async () => {
  const kitchen = await addCategory(shop.db, 'Coffee & Kitchen')
  const other = await addCategory(shop.db, 'Garden')
  for (const name of ['Coffee mug', 'Coffee mug, blue', 'Coffee grinder', 'Copper kettle'])
    await addProduct(shop.db, { category: kitchen, name })
  await addProduct(shop.db, {
    category: other,
    name: 'Garden gnome',
    description: 'Drinks coffee.',
  })
})

const suggested = async (q: string) =>
  (await shop.get<Suggestions>(`/product/suggest?q=${encodeURIComponent(q)}`)).body

describe('GET /product/suggest', () => {
  it('completes the last word, and tells products and categories', async () => {
    const { phrases, products, categories } = await suggested('coff')
    expect(phrases[0]).toBe('coffee')
    expect(phrases).toContain('coffee mug')
    expect(products.map(({ name }) => name)).toEqual([
      'Coffee grinder',
      'Coffee mug, blue',
      'Coffee mug',
    ])
    expect(products[0]).toEqual({ name: 'Coffee grinder', slug: expect.any(String), price: 12.5 })
    expect(categories.map(({ name }) => name)).toEqual(['Coffee & Kitchen'])
  })

  it('keeps the words before, and repeats none of them', async () => {
    expect((await suggested('coffee g')).phrases).toEqual(['coffee grinder'])
    expect((await suggested('mug co')).phrases).toEqual(['mug coffee'])
  })

  it('understands a misspelt word', async () => {
    const { products } = await suggested('cofee gri')
    expect(products.map(({ name }) => name)).toEqual(['Coffee grinder'])
  })

  it('suggests what the search finds where no name has the word, misspelt or not', async () => {
    for (const q of ['drinks', 'drnks', 'dribks']) {
      const { products } = await suggested(q)
      expect(products.map(({ name }) => name)).toEqual(['Garden gnome'])
    }
  })

  it('writes words as the names do, or as they were typed', async () => {
    const category = await addCategory(shop.db, 'Vasen')
    for (const name of ['Vase Höri', 'Vase Höri, groß', 'Kännchen Crème'])
      await addProduct(shop.db, { category, name })
    expect((await suggested('vase')).phrases).toContain('vase höri')
    expect((await suggested('hor')).phrases).toContain('höri')
    expect((await suggested('höri va')).phrases).toEqual(['höri vase'])
    expect((await suggested('kannch')).phrases).toContain('kännchen crème')
  })

  it.each(['', ' ', '%', '(', '\\', '😀', 'zzzz'])('has nothing to say to %j', async (q) => {
    expect(await suggested(q)).toEqual({ success: true, phrases: [], products: [], categories: [] })
  })

  it('refuses what nobody types', async () => {
    expect((await shop.get(`/product/suggest?q=${'x'.repeat(201)}`)).status).toBe(400)
    expect((await shop.get('/product/suggest')).status).toBe(400)
  })
})
