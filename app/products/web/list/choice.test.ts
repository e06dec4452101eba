import { describe, expect, it } from 'vitest'
import { bandKey, MAX_CATEGORIES, priceBandsFrom } from '#app/products/model.ts'
import {
  type Choice,
  categoryPlace,
  choiceIn,
  choicePath,
  HOME,
  type ListPlace,
  paramsOf,
  SEARCH,
  withoutFilters,
} from './choice.ts'

const read = (path: string, place: ListPlace) =>
  choiceIn(new URL(path, 'http://shop').searchParams, place)

const NOTHING: Choice = {
  keyword: '',
  categories: [],
  price: null,
  inStock: false,
  facets: [],
  order: 'newest',
}

describe('the choice in the address', () => {
  it('is read as it was written, for each of the six bands', () => {
    for (const band of priceBandsFrom([0, 20, 40, 60, 80, 100])) {
      const categories = [crypto.randomUUID(), crypto.randomUUID()].sort()
      const choice: Choice = { ...NOTHING, categories, price: bandKey(band) }
      expect(read(choicePath(choice, HOME), HOME)).toEqual(choice)
    }
  })

  it('has facets in one order, each once, and without what is no facet', () => {
    const choice = read('/search?f=size:m&f=colour:red&f=size:m&f=none&f=:x', SEARCH)
    expect(choice.facets).toEqual(['colour:red', 'size:m'])
    expect(choicePath(choice, SEARCH)).toBe('/search?q=&f=colour%3Ared&f=size%3Am')
    expect(read('/?f=colour:red', HOME).facets).toEqual([])
  })

  it('is read as it was written, with keyword, stock and order', () => {
    const choice: Choice = {
      keyword: 'c++ & "50%"',
      categories: [crypto.randomUUID(), crypto.randomUUID()].sort(),
      price: '100-9999',
      inStock: true,
      facets: [],
      order: 'price-down',
    }
    expect(read(choicePath(choice, SEARCH), SEARCH)).toEqual(choice)
    expect(choicePath(withoutFilters({ ...choice, order: 'relevance' }), SEARCH)).toBe(
      `/search?${new URLSearchParams({ q: choice.keyword })}`,
    )
  })

  it('leaves the plain address when nothing is chosen', () => {
    expect(choicePath(NOTHING, HOME)).toBe('/')
    expect(read('/', HOME)).toEqual(NOTHING)
  })

  it('is written shortly where a category shows it', () => {
    const place = categoryPlace({ slug: 'mugs' })
    const choice = read('/category/mugs?stock=in', place)
    expect(choicePath(choice, place)).toBe('/category/mugs?stock=in')
    expect(choicePath(withoutFilters(choice), place)).toBe('/category/mugs')
    expect(choicePath({ ...choice, order: 'price-up' }, place)).toBe(
      '/category/mugs?stock=in&sort=price-up',
    )
  })

  it.each([
    ['/?category=x&category=&category=%00', HOME],
    ['/?q=mug&stock=in&sort=price-up', HOME],
    ['/search?category=x&price=2-1&stock=all&sort=best', SEARCH],
    [
      `/category/mugs?q=mug&sort=relevance&category=${crypto.randomUUID()}`,
      categoryPlace({ slug: 'mugs' }),
    ],
  ])('passes over what there is not: %s', (path, place) => {
    expect(read(path, place)).toEqual({ ...NOTHING, order: place.orders[0] })
  })

  it('takes what is no band for none', () => {
    for (const price of ['', '0', '20-0', '020-39', '100-', '-1', '__proto__']) {
      expect(choiceIn(new URLSearchParams({ price }), HOME).price).toBeNull()
    }
  })

  it('has at most as many categories as the call', () => {
    const ids = Array.from({ length: MAX_CATEGORIES + 1 }, () => ['category', crypto.randomUUID()])
    const { categories } = choiceIn(new URLSearchParams(ids), HOME)
    expect(categories).toHaveLength(MAX_CATEGORIES)
    expect(paramsOf({ ...NOTHING, categories }, HOME).size).toBe(MAX_CATEGORIES)
  })
})

describe('the bands of the settings', () => {
  it('end below the next one, and the last at the end of the specification', () => {
    expect(priceBandsFrom([0, 50])).toEqual([
      [0, 49],
      [50, 9999],
    ])
  })

  it('have a higher end where they are higher', () => {
    expect(priceBandsFrom([0, 9000, 20_000])).toEqual([
      [0, 8999],
      [9000, 19_999],
      [20_000, 100_000_000],
    ])
  })
})
