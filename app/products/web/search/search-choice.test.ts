import { expect, it } from 'vitest'
import { type SearchChoice, searchChoiceOf, searchPath, withoutFilters } from './search-choice.ts'

const read = (path: string) => searchChoiceOf(new URL(path, 'http://shop').searchParams)

it('is read as it was written', () => {
  const choice: SearchChoice = {
    keyword: 'c++ & "50%"',
    categories: [crypto.randomUUID(), crypto.randomUUID()].sort(),
    price: '100-9999',
    inStock: true,
    sort: 'price-down',
  }
  expect(read(searchPath(choice))).toEqual(choice)
  expect(searchPath(withoutFilters({ ...choice, sort: 'relevance' }))).toBe(
    `/search?${new URLSearchParams({ q: choice.keyword })}`,
  )
})

it('passes over what there is not', () => {
  expect(read('/search?category=x&price=2-1&stock=all&sort=best')).toEqual({
    keyword: '',
    categories: [],
    price: null,
    inStock: false,
    sort: 'relevance',
  })
})

it('is written shortly where a category shows it', () => {
  const place = { path: '/category/mugs', usual: 'newest' } as const
  const choice = searchChoiceOf(new URLSearchParams('?stock=in'), place)
  expect(searchPath(choice, place)).toBe('/category/mugs?stock=in')
  expect(searchPath(withoutFilters(choice), place)).toBe('/category/mugs')
  expect(searchPath({ ...choice, sort: 'price-up' }, place)).toBe(
    '/category/mugs?stock=in&sort=price-up',
  )
})
