import { beforeAll, describe, expect, it } from 'vitest'
import type { FacetCounts } from '#app/products/facet-contract.ts'
import { keysParam } from '#app/products/facet-model.ts'
import { memoryCounters } from '#app/shared/server/limits/counters.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { shopOn, testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'
import { readFacets } from './facets.ts'

const shop = testShop()
let token = ''
let category = { id: '', slug: '' }
let coat = ''
const { load, make, save } = variantCallsOf(shop, () => token)

type Listed = {
  products: { name: string }[]
  total: number
  facets: { options: FacetCounts; areCut: boolean }
}
const listed = (path: string, keys: string[]) =>
  shop.get<Listed>(`${path}facets=${encodeURIComponent(keysParam(keys))}`)
const inCategory = (...keys: string[]) =>
  listed(`/product/product-category/${category.slug}?`, keys)
const found = (...keys: string[]) => listed('/product/search-results?keyword=garment&', keys)
const countsIn = ({ facets }: Listed) =>
  Object.fromEntries(facets.options.map(({ key, count }) => [key, count]))
const namesIn = ({ products }: Listed) => products.map(({ name }) => name).sort()

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Garments')
  const add = async (name: string, ...options: ReturnType<typeof option>[]) =>
    make(
      (await addProduct(shop.db, { category, name: `${name} garment`, quantity: 3 })).id,
      options,
    )
  const shirt = await add('Shirt', option(1, 'Colour', 'Red', 'Blue'), option(2, 'Size', 'S', 'M'))
  // red is there, and M is there, but not together
  const { _id, updatedAt } = variantOf(shirt, 'Red', 'M')
  const saved = await save(shirt.product._id, {
    changed: [{ _id, updatedAt, quantity: { from: 10, to: 0 } }],
  })
  expect(saved.status).toBe(200)
  const coats = await add('Coat', option(1, 'colour', 'RED'), option(2, 'Size', 'M', 'L'))
  coat = coats.product._id
  // misses both red and M: counted for neither
  await add('Cap', option(1, 'Colour', 'Green'), option(2, 'Size', 'XL'))
  await add('Scarf', option(1, 'Pattern: "all" & more', 'A,B <c>', '100 %'))
  await addProduct(shop.db, { category, name: 'Plain garment', quantity: 3 })
})

describe('facets of a category and a search', () => {
  it('are the options over all products, in any case', async () => {
    for (const list of [inCategory, found]) {
      const { body } = await list()
      expect(countsIn(body)).toEqual({
        'colour:red': 2,
        'colour:blue': 1,
        'colour:green': 1,
        'size:xl': 1,
        'size:s': 1,
        'size:m': 2,
        'size:l': 1,
        'pattern  "all" & more:a,b <c>': 1,
        'pattern  "all" & more:100 %': 1,
      })
      expect(body.facets.options.find(({ key }) => key === 'colour:red')?.value).toBe('Red')
      expect(body.total).toBe(5)
    }
  })

  it('mean one variant that is in stock, and leave their own group out of its counts', async () => {
    for (const list of [inCategory, found]) {
      const { body } = await list('colour:red', 'size:m')
      expect([namesIn(body), body.total]).toEqual([['Coat garment'], 1])
      // sizes of what is red, colours of what is M
      expect(countsIn(body)).toEqual({
        'colour:red': 1,
        'colour:blue': 1,
        'size:s': 1,
        'size:m': 1,
        'size:l': 1,
      })
    }
  })

  it('of one group mean any of them', async () => {
    const { body } = await inCategory('size:l', 'size:s')
    expect(namesIn(body)).toEqual(['Coat garment', 'Shirt garment'])
  })

  it('may have any characters', async () => {
    const { status, body } = await inCategory('pattern  "all" & more:a,b <c>')
    expect([status, namesIn(body)]).toEqual([200, ['Scarf garment']])
  })

  it('follow the stock: a sold-out variant leaves, one that is back returns', async () => {
    const coats = async () => countsIn((await inCategory()).body)['size:l']
    const stock = async (from: number, to: number) => {
      const { _id, updatedAt } = variantOf(await load(coat), 'RED', 'L')
      await save(coat, { changed: [{ _id, updatedAt, quantity: { from, to } }] })
    }
    await stock(10, 0)
    expect(await coats()).toBeUndefined()
    await stock(0, 2)
    expect(await coats()).toBe(1)
  })

  it('are ignored when unknown, and not kept then, nor out of order, nor for three', async () => {
    const kept = async (...keys: string[]) => {
      const { status, headers } = await inCategory(...keys)
      expect(status).toBe(200)
      return headers['cache-control'] !== 'no-store'
    }
    expect((await inCategory('colour:mauve', 'colour:blue')).body.total).toBe(1)
    expect(await kept('colour:red', 'size:m')).toBe(true)
    expect(await kept('colour:mauve')).toBe(false)
    expect(await kept('size:m', 'colour:red')).toBe(false)
    expect(await kept('colour:red', 'size:l', 'size:m')).toBe(false)
    for (const sent of ['%', '%00:%00', ':', ',,', "x:';--", '%E0%A4%A'])
      expect(
        (
          await shop.get(
            `/product/product-category/${category.slug}?facets=${encodeURIComponent(sent)}`,
          )
        ).status,
      ).toBe(200)
  })
})

describe('lists of combinations of facets, which are made for each request', () => {
  const THREE = encodeURIComponent(keysParam(['colour:red', 'size:l', 'size:m']))

  it('are limited more than others, all lists of an address together', async () => {
    const limited = await shopOn(shop.db, { RATE_LIMIT: 'on' })
    const statusOf = async (path: string, facets = THREE, from = '203.0.113.1') =>
      (await limited.get(`/product/${path}facets=${facets}`, { from })).status
    const LISTS = [
      `product-category/${category.slug}?`,
      `category-products/${category.slug}?`,
      'search/garment?',
      'search-results?keyword=garment&',
    ]
    // more than a visitor clicks in a minute
    const statuses: number[] = []
    for (let n = 0; n < 25; n++) for (const path of LISTS) statuses.push(await statusOf(path))
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const path of LISTS) {
      expect(await statusOf(path), path).toBe(429)
      expect(await statusOf(path, 'colour%3Amade-up'), path).toBe(429)
      expect(await statusOf(path, 'colour%253Ared'), path).toBe(200)
      expect(await statusOf(path, THREE, '203.0.113.2'), path).toBe(200)
    }
    await limited.app.close()
  })

  it('are limited for a /48 of IPv6 to twice as many', async () => {
    const context = { db: shop.db, counters: memoryCounters() }
    const networks = Array.from({ length: 201 }, (_, n) => `2001:db8:1:${n.toString(16)}00::1`)
    const read = (ip: string) => readFacets(context, { ip }, 'made:up')
    for (const ip of networks.slice(1)) expect(await read(ip)).toMatchObject({ isKept: false })
    await expect(read(networks[0] ?? '')).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
