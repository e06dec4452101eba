import { beforeAll, describe, expect, it } from 'vitest'
import type { Category } from '#app/categories/contract.ts'
import type { Row } from '#db/schema.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import type { Product } from '../contract.ts'

const shop = testShop()

type Detail = { success: true; message: string; product: Product }
type Related = { success: true; products: Product[] }
type Shelf = { success: true; products: Product[]; category: Category; total: number }

const UNKNOWN = '01900000-0000-7000-8000-000000000000'

let shelf: Row<'categories'>
let corner: Row<'categories'>
const cups: Row<'products'>[] = []
let alone: Row<'products'>

beforeAll(async () => {
  shelf = await addCategory(shop.db, 'Shelf')
  corner = await addCategory(shop.db, 'Corner')
  for (let n = 1; n <= 14; n += 1) {
    cups.push(await addProduct(shop.db, { category: shelf, name: `Cup ${n}` }))
  }
  alone = await addProduct(shop.db, { category: corner, name: 'Lamp', price: 0.07 })
})

const asCategory = ({ id, name, slug }: Row<'categories'>) => ({ _id: id, name, slug })
const newest = (count: number) =>
  cups
    .slice(-count)
    .map(({ id }) => id)
    .toReversed()
const idsOf = (products: Product[]) => products.map(({ _id }) => _id)

describe('GET /product/get-product/:slug', () => {
  it('answers the product with its category and nothing but declared fields', async () => {
    const { status, body } = await shop.get<Detail>(`/product/get-product/${alone.slug}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      product: {
        _id: alone.id,
        name: 'Lamp',
        slug: alone.slug,
        description: alone.description,
        price: 0.07,
        quantity: 10,
        category: asCategory(corner),
        shipping: 0,
        photo: null,
        createdAt: alone.created_at.toISOString(),
        updatedAt: alone.updated_at.toISOString(),
      },
    })
  })

  it('answers a former slug with the present one', async () => {
    const former = { slug: 'old-lamp', product_id: alone.id }
    await shop.db.insertInto('product_slugs').values(former).execute()
    const { body } = await shop.get<Detail>('/product/get-product/old-lamp')
    expect(body.product.slug).toBe(alone.slug)
  })

  it.each(['nothing', '%25', 'a%20%26%20b', "'", '%F0%9F%98%80', 'x'.repeat(401)])(
    'answers 404 to the unknown slug %s',
    async (slug) => {
      const { status, body } = await shop.get(`/product/get-product/${slug}`)
      expect([status, body.code]).toEqual([404, 'not_found'])
    },
  )
})

describe('GET /product/related-product/:productId/:categoryId', () => {
  const related = (productId: string, categoryId: string) =>
    shop.get<Related>(`/product/related-product/${productId}/${categoryId}`)

  it('answers at most four others of the category, populated', async () => {
    const [viewed = ''] = newest(1)
    const { status, body } = await related(viewed, shelf.id)
    expect([status, idsOf(body.products)]).toEqual([200, newest(5).slice(1)])
    expect(body.products[0]?.category).toEqual(asCategory(shelf))
  })

  it('never answers the product itself, whatever the case of its id', async () => {
    const { body } = await related(alone.id.toUpperCase(), corner.id)
    expect(body).toEqual({ success: true, products: [] })
  })

  it('answers an empty list to an unknown product or category', async () => {
    expect((await related(UNKNOWN, shelf.id)).body.products).toEqual([])
    expect((await related(alone.id, UNKNOWN)).body.products).toEqual([])
  })

  it('answers 404 to malformed ids', async () => {
    expect((await related('x', shelf.id)).status).toBe(404)
    expect((await related(alone.id, `${shelf.id}0`)).status).toBe(404)
  })
})

describe('GET /product/product-category/:slug', () => {
  const category = (slug: string, page = '') =>
    shop.get<Shelf>(`/product/product-category/${slug}${page && `?page=${page}`}`)

  it('answers the category, its total and twelve of its products, newest first', async () => {
    const { status, body } = await category(shelf.slug)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, category: asCategory(shelf), total: 14 })
    expect(idsOf(body.products)).toEqual(newest(12))
    expect(body.products[0]?.category).toEqual(asCategory(shelf))
  })

  it('pages', async () => {
    const second = (await category(shelf.slug, '2')).body
    expect(idsOf(second.products)).toEqual(newest(14).slice(12))
    const past = await category(shelf.slug, String(10 ** 12))
    expect([past.status, past.body.products, past.body.total]).toEqual([200, [], 14])
    for (const page of ['0', '-1', 'x', '1.5', '%20']) {
      expect((await category(shelf.slug, page)).status).toBe(400)
    }
  })

  it('answers an empty category', async () => {
    const empty = await addCategory(shop.db, 'Empty')
    const { body } = await category(empty.slug)
    const facets = { prices: [], inStock: 0, options: [], areCut: false }
    const nothing = { success: true, products: [], total: 0, facets }
    expect(body).toEqual({ ...nothing, category: asCategory(empty) })
  })

  it('answers a former slug with the present one, and 404 to an unknown one', async () => {
    const former = { slug: 'old-shelf', category_id: shelf.id }
    await shop.db.insertInto('category_slugs').values(former).execute()
    expect((await category('old-shelf')).body.category.slug).toBe(shelf.slug)
    expect((await category('nothing')).status).toBe(404)
  })
})
