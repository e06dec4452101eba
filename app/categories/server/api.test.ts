import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Category } from '#app/categories/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
})
beforeEach(async () => {
  await shop.db.deleteFrom('products').execute()
  await shop.db.deleteFrom('categories').execute()
})

type Named = { success: true; message: string; category: Category }

const create = (name: unknown) =>
  shop.post<Named>('/category/create-category', { token, body: { name } })
const rename = (id: string, name: unknown) =>
  shop.put<Named>(`/category/update-category/${id}`, { token, body: { name } })
const remove = (id: string) =>
  shop.delete<{ message: string }>(`/category/delete-category/${id}`, { token })

const created = async (name: string) => (await create(name)).body.category
const names = async () =>
  (await shop.get<{ category: Category[] }>('/category/get-category')).body.category.map(
    ({ name }) => name,
  )
/** The name of the category at a URL, as a guest sees it. */
const at = async (slug: string) =>
  (await shop.get<Named>(`/product/product-category/${slug}`)).body.category

const NOBODY = '0197f9a0-0000-7000-8000-000000000000'

describe('GET /category/get-category', () => {
  it('answers an empty list when there are none', async () => {
    const { status, body } = await shop.get<{ success: true; category: Category[] }>(
      '/category/get-category',
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, category: [] })
  })

  it('answers every category by name, with nothing but its declared fields', async () => {
    const toys = await addCategory(shop.db, 'toys')
    const books = await addCategory(shop.db, 'Books')
    const zips = await addCategory(shop.db, 'Zips')
    const { body } = await shop.get<{ success: true; category: Category[] }>(
      '/category/get-category',
    )
    expect(body.category).toEqual(
      [books, toys, zips].map(({ id, name, slug }) => ({ _id: id, name, slug })),
    )
  })
})

describe('POST /category/create-category', () => {
  it('adds a category, which everybody sees at once', async () => {
    const { status, body } = await create('  Kitchen & Pantry ')
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'Kitchen & Pantry is created',
      category: { _id: expect.any(String), name: 'Kitchen & Pantry', slug: 'kitchen-and-pantry' },
    })
    expect(await names()).toEqual(['Kitchen & Pantry'])
    expect(await at('kitchen-and-pantry')).toEqual(body.category)
  })

  it('refuses a name that there is, whatever its case and blanks', async () => {
    await create('Garden  Tools')
    for (const same of ['garden tools', ' GARDEN\tTOOLS\n', 'Garden\u00a0Tools']) {
      expect(await create(same), same).toMatchObject({
        status: 409,
        body: { success: false, code: 'conflict', message: expect.stringContaining('already') },
      })
    }
    await create('Straße')
    expect((await create('STRASSE')).status).toBe(409)
    expect(await names()).toEqual(['Garden  Tools', 'Straße'])
  })

  it('makes one of two that differ only in case and come at once', async () => {
    const replies = await Promise.all(['Books', 'BOOKS', 'books'].map(create))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(await names()).toHaveLength(1)
  })

  it('gives names with the same address one each, also when they come at once', async () => {
    const replies = await Promise.all(['C', 'C++', 'C#', 'C!'].map(create))
    const slugs = replies.map(({ body }) => body.category.slug)
    expect(slugs.toSorted()).toEqual(['c', 'c-2', 'c-3', 'c-4'])
    for (const { body } of replies) expect(await at(body.category.slug)).toEqual(body.category)
  })

  it('finds an address however many there are like it', async () => {
    const slugs = []
    for (let marks = 1; marks <= 24; marks++)
      slugs.push((await created(`C${'+'.repeat(marks)}`)).slug)
    expect(new Set(slugs).size).toBe(24)
    for (const slug of slugs) expect((await at(slug)).slug).toBe(slug)
  })

  it.each([
    '茶壺',
    'чайник',
    '🫖'.repeat(100),
    '<b>Markup</b>',
    "Robert'); drop table products;--",
  ])('takes %j as it is, with an address that works', async (name) => {
    const category = await created(name)
    expect(category).toMatchObject({ name, slug: expect.stringMatching(/^[a-z0-9-]+$/) })
    expect(await at(category.slug)).toEqual(category)
    expect(await names()).toEqual([name])
  })
})

describe('PUT /category/update-category/:id', () => {
  it('renames it with its address; the former one still answers', async () => {
    const { _id } = await created('Cups')
    const { status, body } = await rename(_id, ' Mugs ')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      message: 'Mugs is updated',
      category: { _id, name: 'Mugs', slug: 'mugs' },
    })
    expect([await at('mugs'), await at('cups')]).toEqual([body.category, body.category])
  })

  it('gives an old name its old address again', async () => {
    const first = await created('C++')
    const { _id } = await created('C#')
    await rename(_id, 'Sharp')
    expect((await rename(_id, 'C#')).body.category).toMatchObject({ slug: 'c-2' })
    expect(await at('sharp')).toMatchObject({ _id })
    expect(await at('c')).toEqual(first)
  })

  it('keeps an address from others that was ever given', async () => {
    const { _id } = await created('Cups')
    await rename(_id, 'Mugs')
    expect(await created('Cups')).toMatchObject({ slug: 'cups-2' })
    expect(await at('cups')).toMatchObject({ _id })
  })

  it('keeps the address when only case or blanks change', async () => {
    await created('C++')
    const { _id } = await created('C#')
    await remove((await created('C')).slug)
    expect((await rename(_id, 'c#')).body.category).toMatchObject({ name: 'c#', slug: 'c-2' })
  })

  it('refuses the name of another, and keeps the old one', async () => {
    await create('Books')
    const { _id } = await created('Toys')
    expect(await rename(_id, ' bOOKS')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await names()).toEqual(['Books', 'Toys'])
    expect((await shop.get('/product/product-category/books-2')).status).toBe(404)
  })

  it('answers 404 when there is none', async () => {
    for (const id of [NOBODY, 'x']) {
      expect(await rename(id, 'Toys')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect((await create('Toys')).status).toBe(201)
  })
})

describe('DELETE /category/delete-category/:id', () => {
  it('removes it with all its addresses', async () => {
    const { _id } = await created('Cups')
    await rename(_id, 'Mugs')
    expect(await remove(_id)).toMatchObject({
      status: 200,
      body: { success: true, message: 'category is deleted' },
    })
    expect(await names()).toEqual([])
    for (const slug of ['cups', 'mugs']) {
      expect((await shop.get(`/product/product-category/${slug}`)).status).toBe(404)
    }
    expect(await created('Cups')).toMatchObject({ slug: 'cups' })
  })

  it('refuses while it has products, and says how many', async () => {
    const { _id: id } = await created('Cups')
    await addProduct(shop.db, { category: { id }, price: 5 })
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: expect.stringMatching(/\b1 product\b/) },
    })
    await addProduct(shop.db, { category: { id }, price: 500 })
    expect((await remove(id)).body.message).toContain('2 products')
    expect(await names()).toEqual(['Cups'])
    await shop.db.deleteFrom('products').execute()
    expect((await remove(id)).status).toBe(200)
  })

  it('answers 404 when there is none, or no longer', async () => {
    const { _id } = await created('Cups')
    await remove(_id)
    for (const id of [_id, NOBODY, 'x']) {
      expect(await remove(id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })
})
