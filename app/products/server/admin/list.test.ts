import { beforeAll, describe, expect, it } from 'vitest'
import type { CatalogueEntry } from '#app/products/catalogue-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
let cups = { id: '' }

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  cups = await addCategory(shop.db, 'cups')
  const bowls = await addCategory(shop.db, 'Bowls')
  await addProduct(shop.db, { category: cups, name: 'Élan', price: 9, quantity: 0 })
  await addProduct(shop.db, { category: bowls, name: 'beaker', price: 12, quantity: 5 })
  await addProduct(shop.db, { category: cups, name: 'Cup', price: 9, quantity: 6 })
  await addPhoto(
    shop.db,
    await addProduct(shop.db, {
      category: bowls,
      name: 'Amphora',
      description: 'x'.repeat(300),
      price: 100,
      quantity: 1,
    }),
  )
})

const list = (query = '') => shop.get<CatalogueEntry[]>(`/product/all-products${query}`, { token })
const names = async (query: string) => (await list(query)).body.map(({ name }) => name)

describe('GET /product/all-products', () => {
  it('answers the newest first, with the state of the stock and the beginning of the description', async () => {
    const { body, headers } = await list()
    expect(headers['x-total-count']).toBe('4')
    expect(body.map(({ name, stock }) => [name, stock])).toEqual([
      ['Amphora', 'low'],
      ['Cup', 'in'],
      ['beaker', 'low'],
      ['Élan', 'out'],
    ])
    expect(body[0]).toMatchObject({
      description: 'x'.repeat(81),
      price: 100,
      quantity: 1,
      photo: 'v1',
      category: { name: 'Bowls' },
    })
  })

  it.each([
    ['created', ['Élan', 'beaker', 'Cup', 'Amphora']],
    ['name', ['Amphora', 'beaker', 'Cup', 'Élan']],
    ['price', ['Élan', 'Cup', 'beaker', 'Amphora']],
    ['quantity', ['Élan', 'Amphora', 'beaker', 'Cup']],
    ['category', ['beaker', 'Amphora', 'Élan', 'Cup']],
  ])('sorts by %s, and the other way round', async (sort, expected) => {
    expect(await names(`?sort=${sort}`)).toEqual(expected)
    expect(await names(`?sort=-${sort}`)).toEqual(expected.toReversed())
  })

  it.each([
    ['?stock=in', ['Amphora', 'Cup', 'beaker']],
    ['?stock=low', ['Amphora', 'beaker']],
    ['?stock=out', ['Élan']],
    ['?q=ELAN', ['Élan']],
    ['?q=e&sort=name', ['beaker', 'Élan']],
    ['?stock=low&sort=category', ['beaker', 'Amphora']],
    ['?page=2', []],
    ['?stock=low&page=2', []],
  ])('finds by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  it('finds the products of a category, and says how many', async () => {
    const { body, headers } = await list(`?category=${cups.id}&sort=category&stock=out`)
    expect([body.length, headers['x-total-count']]).toEqual([1, '1'])
    const pageTwo = await list('?stock=low&page=2')
    expect(pageTwo.headers['x-total-count']).toBe('2')
  })
})

describe('a product with variants', () => {
  it('is listed with the stock of all, the least stock of them, and whether its own is more', async () => {
    const { load, make, save } = variantCallsOf(shop, () => token)
    const { id, slug } = await addProduct(shop.db, { category: cups, quantity: 9 })
    const { variants } = await make(id, [option(1, 'Size', 'S', 'M')], { quantity: 9 })
    const [first, second] = variants
    const listed = async (row: typeof first, to: number) => {
      const { _id = '', updatedAt = '', quantity = 0 } = row ?? {}
      await save(id, { changed: [{ _id, updatedAt, quantity: { from: quantity, to } }] })
      const found = (await list()).body.find((one) => one.slug === slug)
      return [found?.quantity, found?.quantityOfAll, found?.stock, found?.isStockOfVariant]
    }
    expect(await listed(first, 8)).toEqual([8, 17, 'in', false])
    expect(await listed(second, 2)).toEqual([8, 10, 'low', true])
    const now = (await load(id)).variants
    expect(await listed(now[1], 0)).toEqual([8, 8, 'out', true])
    expect(await listed(now[0], 0)).toEqual([0, 0, 'out', false])
    await shop.db.deleteFrom('products').where('id', '=', id).execute()
  })
})

describe('GET /category/all-categories', () => {
  it('answers each category with the number of its products', async () => {
    await addCategory(shop.db, 'Vases')
    const { body, headers } = await shop.get<object[]>('/category/all-categories', { token })
    expect(headers['x-total-count']).toBe('3')
    expect(body).toMatchObject([
      { name: 'Bowls', products: 2 },
      { name: 'cups', products: 2 },
      { name: 'Vases', products: 0 },
    ])
    const found = await shop.get<object[]>('/category/all-categories?q=UP', { token })
    expect(found.body).toMatchObject([{ name: 'cups' }])
  })
})
