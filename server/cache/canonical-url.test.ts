import { expect, it } from 'vitest'
import { openCanonicalUrls } from './canonical-url.ts'

const urls = openCanonicalUrls()
urls.declare([
  {
    route: '/category/:slug',
    canonicalQuery: (query) => query.filter(([name]) => name === 'sort'),
  },
])

it.each([
  ['/category/tea?sort=price&utm=1', '/category/tea?sort=price'],
  ['/%63ategory/t%65a', '/category/tea'],
  // the second question mark belongs to the name, as for the framework
  ['/category/tea??sort=price', '/category/tea'],
])('has the canonical URL of %s', (given, url) => {
  expect(urls.find(given)?.url).toBe(url)
})

it.each([
  '/category/tea.data',
  '/category/tea%2Edata',
  '/category/%2e%2e',
  '/category/%',
  '/category/',
])('has none of %s', (given) => {
  expect(urls.find(given)).toBeUndefined()
})
