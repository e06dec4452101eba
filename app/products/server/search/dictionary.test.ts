import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import { editDistance } from '#app/shared/server/edit-distance.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import { openDictionary } from './dictionary.ts'

const shop = testShop()
let category = { id: '' }
beforeAll(async () => {
  category = await addCategory(shop.db, 'Everything')
  await addProduct(shop.db, { category, name: 'Copper kettle', description: 'Sings loudly.' })
  await addProduct(shop.db, { category, name: 'Coffee mug', description: 'For the kettle.' })
  await addProduct(shop.db, { category, name: 'Blümchenbecher', description: 'Bunt.' })
  await addProduct(shop.db, { category, name: 'Mug 0.5 l', description: 'A nettle, a petal.' })
})

it('a correction is written as the product writes it', async () => {
  const path = '/product/search-results?keyword=blumchenbehcer'
  const { body } = await shop.get<{ corrected: string; corrections: unknown }>(path)
  expect(body.corrected).toBe('blümchenbecher')
  expect(body.corrections).toEqual([{ typed: 'blumchenbehcer', meant: 'blümchenbecher' }])
})

const found = async (keyword: string) => {
  const { body } = await shop.get<ListedProduct[]>(`/product/search/${keyword}`)
  return body.map(({ name }) => name)
}

describe('the dictionary', () => {
  it.each([
    ['ketle', ['kettle']],
    ['kettel', ['kettle']],
    ['copper', ['copper']],
    ['cofee', ['coffee']],
    ['xettle', ['kettle', 'nettle']],
    ['laudly', ['loudly']],
    ['zzzzzz', []],
  ])('corrects %j', async (typed, meant) => {
    const dictionary = await openDictionary(shop.db)()
    expect(dictionary.correct(typed)).toEqual(meant)
  })

  it('divides two words of names that were written as one', async () => {
    const dictionary = await openDictionary(shop.db)()
    expect(dictionary.split('coffeemug')).toEqual(['coffee', 'mug'])
    expect(dictionary.split('loudlymug')).toBeNull()
    expect(dictionary.split('mug')).toBeNull()
  })
})

describe('a product that is newer than the dictionary', () => {
  it('is found by a part of a word', async () => {
    expect(await found('ketle')).toContain('Copper kettle')
    await addProduct(shop.db, { category, name: 'Wireless Headphones' })
    expect(await found('phones')).toEqual(['Wireless Headphones'])
  })
})

describe('the distance between two words', () => {
  it.each([
    ['kettle', 'kettle', 0],
    ['kettle', 'ketle', 1],
    ['kettle', 'kettel', 1],
    ['kettle', 'nettles', 2],
    ['', 'mug', 3],
  ])('%j and %j: %i', (a, b, expected) => {
    expect(editDistance(a, b)).toBe(expected)
    expect(editDistance(b, a)).toBe(expected)
  })
})
