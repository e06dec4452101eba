import { describe, expect, it } from 'vitest'
import { addCategory } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import type { Category } from '../contract.ts'

const shop = testShop()

type Categories = { success: true; message: string; category: Category[] }

describe('GET /category/get-category', () => {
  it('answers an empty list when there are none', async () => {
    const { status, body } = await shop.get<Categories>('/category/get-category')
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, category: [] })
  })

  it('answers every category by name, with nothing but its declared fields', async () => {
    const toys = await addCategory(shop.db, 'toys')
    const books = await addCategory(shop.db, 'Books')
    const zips = await addCategory(shop.db, 'Zips')
    const { body } = await shop.get<Categories>('/category/get-category')
    expect(body.category).toEqual(
      [books, toys, zips].map(({ id, name, slug }) => ({ _id: id, name, slug })),
    )
  })
})
