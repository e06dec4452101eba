/** The lists of the slow tests have a row for each page and each call. */

import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { variantCalls } from '#app/products/variant-contract.ts'
import { isForStaff } from '#app/shared/contract/access.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { Id } from '#app/shared/contract/fields.ts'
import { checkOf } from '#app/shared/server/input/validation.ts'
import { propertiesOf } from './attacks/support/requests.ts'
import { addFixtures, knownBy } from './fuzz/fixtures.ts'
import { ADMIN_CALLS } from './support/admin-calls/all.ts'
import { BACK_OFFICE } from './support/back-office-states.ts'
import { declared } from './support/declared.ts'
import { pagePatterns } from './support/page-patterns.ts'
import { testShop } from './support/shop.ts'
import { STOREFRONT } from './support/storefront-states.ts'

const shop = testShop()

const PAGES = { ...STOREFRONT, ...BACK_OFFICE }

/** The names of the files that load after a page. */
const lateFiles = globSync('app/{layouts,back-office,*/web}/**/*.{ts,tsx}').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/\bimport\('[^']*?([\w.-]+)\.tsx?'\)/g)].map(
    ([, name = '']) => name,
  ),
)

/** Calls that only other programs make: the page of a product sends variants with the product. */
const OF_PROGRAMS: Endpoint[] = [variantCalls.saveVariants]

const titleOf = ({ method, path }: Endpoint) => `${method} ${path}`

it('storefront-states.ts or back-office-states.ts has each page', () => {
  expect(Object.keys(PAGES).toSorted()).toEqual(pagePatterns.toSorted())
})

it('their states show each file that loads after its page', () => {
  const shown = Object.values(PAGES).flatMap(({ late = [], lateElsewhere = [] }) => [
    ...late,
    ...lateElsewhere,
  ])
  expect(shown.toSorted()).toEqual([...new Set(lateFiles)].toSorted())
})

it('admin-calls/ has each call of the back office', () => {
  const made = new Set([...ADMIN_CALLS.map(({ call }) => call), ...OF_PROGRAMS].map(titleOf))
  const missing = declared.filter(
    ([, endpoint]) => isForStaff(endpoint.access) && !made.has(titleOf(endpoint)),
  )
  expect(missing.map(([name]) => name)).toEqual([])
})

it('fuzz/fixtures.ts has what a path or an id may name', async () => {
  const fixtures = await addFixtures(shop)
  const missing = declared.flatMap(([name, endpoint]) => {
    const { params, query, body } = endpoint
    const known = knownBy(endpoint, fixtures)
    const ids = [query, body]
      .flatMap(propertiesOf)
      .filter(([, { pattern }]) => pattern === Object(Id).pattern)
    return [...propertiesOf(params), ...ids]
      .filter(([, schema]) => !schema.enum)
      .filter(([field, schema]) => !known[field]?.some((value) => checkOf(schema)(value) === null))
      .map(([field]) => `${field} of ${name}`)
  })
  expect(missing).toEqual([])
})
