import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import type { Row } from '#db/schema.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import { parseText } from './words-store.ts'

const shop = testShop()

/**
 * Oldest first; products that mention a word in the description must rank behind those with it in
 * the name.
 */
const CATALOGUE: [name: string, description: string][] = [
  ['Coffee mug', 'Keeps a drink warm.'],
  ['Wireless headphones', 'Quiet on every train.'],
  ['Oak table', 'Room for four, and a kettle.'],
  ['Copper kettle', 'Sings when the water boils.'],
  ['Enamel mug', 'For the garden and the mountains.'],
  ['Crème brûlée torch', 'A small, steady flame.'],
  ['Primer of C++', 'Pointers, gently.'],
  ['Salt & pepper 50% off', 'Two shakers.'],
  ['Cat cushion', 'Washable.'],
  ['The Who', 'A record of 1970.'],
  ["Men's T-shirt black/white", 'Cotton, 0.5 mm.'],
  ['Tin of biscuits', 'Good with coffee; comes with no mug.'],
  ['Catalogue stand', 'Holds a heavy book open.'],
  ['Чайник', 'Для чая.'],
]

let category: Row<'categories'>
let headphones: Row<'products'>

beforeAll(async () => {
  category = await addCategory(shop.db, 'Everything')
  for (const [name, description] of CATALOGUE) {
    const product = await addProduct(shop.db, { category, name, description })
    if (name === 'Wireless headphones') headphones = product
  }
})

const search = (keyword: string, query = '') =>
  shop.get<ListedProduct[]>(`/product/search/${encodeURIComponent(keyword)}${query}`)
const found = async (keyword: string) => (await search(keyword)).body.map(({ name }) => name)

describe('the text of a search', () => {
  it('is as long as it is when its characters are folded into several', async () => {
    const { text } = await parseText(shop.db, '\ufdfa'.repeat(5000))
    expect(text.length).toBeGreaterThan(900)
    expect(text.length).toBeLessThanOrEqual(1000)
  })
})

describe('GET /product/search/:keyword', () => {
  it('answers a bare array of listed products with nothing but declared fields', async () => {
    const { status, headers, body } = await search('headphones')
    expect([status, headers['x-total-count']]).toEqual([200, '1'])
    expect(body).toEqual([
      {
        _id: headphones.id,
        name: 'Wireless headphones',
        slug: headphones.slug,
        description: 'Quiet on every train.',
        price: 12.5,
        quantity: 10,
        category: category.id,
        shipping: 0,
        photo: null,
        createdAt: headphones.created_at.toISOString(),
        updatedAt: headphones.updated_at.toISOString(),
      },
    ])
  })

  it.each([
    ['kettle', ['Copper kettle', 'Oak table'], 'the name before the description'],
    ['KETTLES', ['Copper kettle', 'Oak table'], 'any case, the plural'],
    ['headphone', ['Wireless headphones'], 'the singular'],
    ['cat', ['Cat cushion', 'Catalogue stand'], 'the word before what begins with it'],
    ['headph', ['Wireless headphones'], 'the beginning of a word'],
    ['table oak', ['Oak table'], 'any order'],
    ['creme brulee', ['Crème brûlée torch'], 'without accents'],
    ['CRÈME', ['Crème brûlée torch'], 'with accents'],
    ['the who', ['The Who'], 'nothing but stop words'],
    ['white t-shirt', ["Men's T-shirt black/white"], 'what stands beside a slash'],
    ['hedphones', ['Wireless headphones'], 'a misspelt word'],
    ['headfones', ['Wireless headphones'], 'another misspelt word'],
    ['tshirt', ["Men's T-shirt black/white"], 'a missing hyphen'],
    ['чайник', ['Чайник'], 'other scripts'],
    ['торт', [], 'nothing in other scripts'],
    ['æ𑲲', [], 'nothing in letters of two places'],
    ['𐐷𐐷𐐷𐐷𐐷𐐷𐐷𐐷', [], 'nothing in many of them'],
    ['zzzqqq', [], 'nothing'],
  ])('finds %s: %j (%3$s)', async (keyword, names) => {
    expect(await found(keyword)).toEqual(names)
  })

  it('puts all words before any, in the name before elsewhere', async () => {
    const all = ['Coffee mug', 'Tin of biscuits', 'Enamel mug']
    expect(await found('coffee mug')).toEqual(all)
    expect(await found('mugs coffee')).toEqual(all)
  })

  it('corrects only the misspelt word of several', async () => {
    expect((await found('cofee mug'))[0]).toBe('Coffee mug')
    expect((await found('copper ketle'))[0]).toBe('Copper kettle')
  })

  it('leaves a word alone that some product has', async () => {
    expect(await found('book')).toEqual(['Catalogue stand'])
  })

  it.each([
    ['c++', 'Primer of C++'],
    ['salt & pepper', 'Salt & pepper 50% off'],
    ['50%', 'Salt & pepper 50% off'],
    ["men's", "Men's T-shirt black/white"],
    ['mug | kettle', 'Copper kettle'],
    ["'mug':*A & !kettle", 'Enamel mug'],
    ['coffee\\mug', 'Coffee mug'],
    ['who/the', 'The Who'],
    [`kettle ${'x '.repeat(2500)}`, 'Copper kettle'],
  ])('takes every character of %s as data', async (keyword, name) => {
    const { status, body } = await search(keyword)
    expect(status).toBe(200)
    expect(body.map((one) => one.name)).toContain(name)
  })

  it.each(['%', "'", '_', '\\', '&', '!()', '<->', ' ', '...', '😀', "';--"])(
    'finds nothing for %s, which has no word',
    async (keyword) => {
      const { status, headers, body } = await search(keyword)
      expect([status, body, headers['x-total-count']]).toEqual([200, [], '0'])
    },
  )

  it('finds nothing for no keyword', async () => {
    for (const path of ['/product/search/', '/product/search/?page=1']) {
      const { status, body } = await shop.get(path)
      expect([status, body]).toEqual([200, []])
    }
  })

  it('takes 5,000 characters, of words, of one word, or of emoji', async () => {
    for (const keyword of [
      '😀'.repeat(5000),
      'x'.repeat(5000),
      'word '.repeat(1000),
      'a1 b2 c3 '.repeat(555),
    ]) {
      const { status, body, headers } = await search(keyword)
      expect([status, body, headers.link]).toEqual([200, [], undefined])
    }
  })

  it('refuses what is no text', async () => {
    for (const path of ['a%00b', '%ED%A0%80', '%']) {
      const { status, body } = await shop.get(`/product/search/${path}`)
      expect([400, 404]).toContain(status)
      expect(body.success).toBe(false)
    }
  })
})

describe('GET /product/search/:keyword?page=', () => {
  beforeAll(async () => {
    for (let n = 0; n < 30; n += 1) await addProduct(shop.db, { category, name: 'Garden gnome' })
  })

  it('pages through all that matches, each once, equals newest first', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => search('gnome', `?page=${page}`)))
    expect(pages.map(({ body }) => body.length)).toEqual([12, 12, 6])
    const ids = pages.flatMap(({ body }) => body.map(({ _id }) => _id))
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed())
    const [first] = pages
    expect(first?.headers['x-total-count']).toBe('30')
    expect(first?.headers.link).toContain('</api/v1/product/search/gnome?page=2>; rel="next"')
  })

  it('answers an empty list past the end, with the total', async () => {
    const { status, body, headers } = await search('gnome', `?page=${10 ** 12}`)
    expect([status, body, headers['x-total-count']]).toEqual([200, [], '30'])
  })
})
