import { describe, expect, it } from 'vitest'
import { accountCalls } from '#app/accounts/contract.ts'
import { categoryCalls } from '#app/categories/contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import { seoCalls } from '#app/seo/contract.ts'
import { settingsCalls } from '#app/settings/contract.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { address, type CallInput } from '#app/shared/web/call.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { addCategory, addProduct, sellUntil } from '#tests/support/catalogue.ts'
import type { TestShop } from '#tests/support/shop.ts'

let category: { id: string; slug: string }
let product: { id: string; slug: string }
const shop = testCachedShop({
  settings: { RATE_LIMIT: 'on' },
  async fill(db) {
    category = await addCategory(db, 'Kitchen')
    product = await addProduct(db, { category, name: 'Cup', quantity: 3 })
  },
})

const IP = '203.0.113.7'

const callOf =
  ({ app }: Pick<TestShop, 'app'>) =>
  (endpoint: Endpoint, input: CallInput = {}, ip = IP) =>
    app.callForPage(endpoint, input, ip)

const call = (endpoint: Endpoint, input?: CallInput, ip?: string) =>
  callOf(shop)(endpoint, input, ip)

const keys = () => shop.app.pages?.values.values().map(({ key }) => key) ?? []

describe('a call of a page', () => {
  it('has the answer of the API, with a cache or without', async () => {
    const { id, slug } = product
    const calls: [Endpoint, CallInput?][] = [
      [categoryCalls.getCategories],
      [settingsCalls.getSettings],
      [settingsCalls.getSlides],
      [settingsCalls.getText, { params: { page: 'about' } }],
      [productCalls.listProducts, { params: { page: 1 } }],
      [productCalls.getProduct, { params: { slug } }],
      [productCalls.relatedProducts, { params: { productId: id, categoryId: category.id } }],
      [
        productCalls.productsOfCategory,
        { params: { slug: category.slug }, query: { stock: 'in' } },
      ],
      [searchCalls.searchShop, { query: { keyword: 'cup', page: 1, price: undefined } }],
      [seoCalls.structuredData, { params: { id: id.toUpperCase() } }],
    ]
    for (const [endpoint, input = {}] of calls) {
      const path = address(endpoint, input.params, input.query)
      const { body } = await shop.app.inject(path)
      expect((await call(endpoint, input)).answer, path).toEqual(JSON.parse(body))
      const { answer } = await callOf(shop.twin)(endpoint, input)
      expect(answer, path).toEqual(JSON.parse(body))
    }
  })

  it('has the total of a bare array', async () => {
    const found = await call(searchCalls.searchProducts, { params: { keyword: 'cup' } })
    expect(found).toMatchObject({ answer: [{ name: 'Cup' }], total: 1 })
  })

  it('shares its answer with others, which cannot change it', async () => {
    const [one, other] = await Promise.all([
      call(categoryCalls.getCategories),
      call(categoryCalls.getCategories),
    ])
    expect(other.answer).toBe(one.answer)
    expect((await call(categoryCalls.getCategories)).answer).toBe(one.answer)
    expect(() => Object(one.answer).category.push('x')).toThrow(TypeError)
    expect(() => Object.assign(Object(one.answer).category[0], { name: 'x' })).toThrow(TypeError)
  })

  it('is made anew after a change', async () => {
    const quantity = async () =>
      Object((await call(productCalls.getProduct, { params: { slug: product.slug } })).answer)
        .product.quantity
    expect(await quantity()).toBe(3)
    await sellUntil(shop.db, product, 2)
    await expect.poll(quantity).toBe(2)
  })

  it('past the end of a list is answered and not kept', async () => {
    const input = { params: { page: 999 } }
    const { answer, tags } = await call(productCalls.listProducts, input)
    expect([Object(answer).products, tags]).toEqual([[], null])
    expect(keys()).not.toContain(address(productCalls.listProducts, input.params))
  })

  it('is refused as by the API', async () => {
    const refused: [Endpoint, CallInput][] = [
      [productCalls.getProduct, { params: { slug: 'none' } }],
      [productCalls.getProduct, { params: { slug: '\0' } }],
      [productCalls.getProduct, { params: { slug: 'x'.repeat(1500) } }],
      [productCalls.listProducts, { params: { page: 0 } }],
      [productCalls.listProducts, { params: { page: '1e3' } }],
      [searchCalls.searchShop, { query: { keyword: 'cup', page: 1.5 } }],
      [searchCalls.searchShop, { query: { page: 1 } }],
      [settingsCalls.getText, { params: { page: 'none' } }],
    ]
    for (const [endpoint, input] of refused) {
      const path = address(endpoint, input.params, input.query)
      const { code, message } = (await shop.app.inject(path)).json()
      await expect(call(endpoint, input), path).rejects.toMatchObject({ code, message })
    }
  })

  it('is a public one that reads what is the same for everybody, or there is none', async () => {
    for (const endpoint of [
      accountCalls.getMyData,
      accountCalls.login,
      productCalls.filterProducts,
    ])
      await expect(call(endpoint)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('counts what is made for its visitor, and nothing that is kept', async () => {
    const search = searchCalls.searchShop
    const max = 300
    const ip = '203.0.113.8'
    const searchFor = (keyword: string, from = ip) => call(search, { query: { keyword } }, from)
    for (let n = 0; n < max; n++) await searchFor(`cup ${n}`)
    await expect(searchFor('cup and more')).rejects.toMatchObject({ code: 'rate_limited' })
    await searchFor('cup 0')
    await searchFor('cup and more', '203.0.113.9')
    await searchFor('cup and more')
  })
})
