/** Searches for the name of a category. */
import { beforeAll, describe, expect, it } from 'vitest'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import type { ListedProduct } from '#app/products/contract.ts'
import type { FoundShop } from '#app/products/search-contract.ts'
import type { Row } from '#db/schema.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

let toys: Row<'categories'>
let kitchen: Row<'categories'>
let admin: Person

beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  toys = await addCategory(shop.db, 'Toys & Games')
  kitchen = await addCategory(shop.db, 'Küche & Kitchen')
  const products: [Row<'categories'>, name: string, description?: string][] = [
    [toys, 'Kite'],
    [toys, 'Sack for toys'],
    [toys, 'Marbles'],
    [kitchen, 'Rattle', 'A toy for the bath.'],
    [kitchen, 'Bread knife'],
  ]
  for (const [category, name, description = '-'] of products)
    await addProduct(shop.db, { category, name, description })
})

const found = async (keyword: string, query = '') => {
  const path = `/product/search/${encodeURIComponent(keyword)}${query}`
  return (await shop.get<ListedProduct[]>(path)).body.map(({ name }) => name)
}

const foundShop = async (keyword: string) =>
  (await shop.get<FoundShop>(`/product/search-results?${new URLSearchParams({ keyword })}`)).body

describe('a search for the name of a category', () => {
  it.each([
    ['toys', ['Sack for toys', 'Rattle', 'Marbles', 'Kite'], 'after names and descriptions'],
    ['TOY', ['Sack for toys', 'Rattle', 'Marbles', 'Kite'], 'the singular, in any case'],
    ['toys and games', ['Marbles', 'Sack for toys', 'Kite', 'Rattle'], 'all its words first'],
    ['game', ['Marbles', 'Sack for toys', 'Kite'], 'one of its words'],
    ['kuche', ['Bread knife', 'Rattle'], 'without accents'],
    ['gam', [], 'no beginning of a word'],
  ])('finds %s: %j (%3$s)', async (keyword, names) => {
    expect(await found(keyword)).toEqual(names)
  })

  it('finds its products first that have the other words', async () => {
    expect((await found('kitchen knife'))[0]).toBe('Bread knife')
  })

  it('corrects a misspelt name, and no name that is spelt well', async () => {
    expect(await foundShop('kitchn')).toMatchObject({ total: 2, corrected: 'kitchen' })
    expect(await foundShop('games')).toMatchObject({ total: 3, corrected: null })
    expect(await foundShop('games xylophone')).toMatchObject({ corrected: null })
  })

  it('counts its products, and narrows them', async () => {
    const { facets } = await foundShop('toys')
    expect(facets.categories).toEqual([
      { _id: kitchen.id, name: kitchen.name, slug: kitchen.slug, count: 1 },
      { _id: toys.id, name: toys.name, slug: toys.slug, count: 3 },
    ])
    expect(await found('toys', `?category=${kitchen.id}`)).toEqual(['Rattle'])
  })

  it('finds them by a new name at once', async () => {
    const path = categoryAdminCalls.updateCategory.path.replace(':id', toys.id)
    const rename = (name: string) => shop.put(path, { token: admin.token, body: { name } })
    expect(await found('playthings')).toEqual([])
    expect((await rename('Playthings')).status).toBe(200)
    expect(await found('playthings')).toEqual(['Marbles', 'Sack for toys', 'Kite'])
    expect((await rename('Toys & Games')).status).toBe(200)
    expect(await found('playthings')).toEqual([])
  })
})
