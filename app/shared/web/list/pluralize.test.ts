import { expect, it } from 'vitest'
import { pluralize } from './pluralize.ts'

it.each([
  [0, false, '0 orders'],
  [1, true, '1 order'],
  [999, true, '999 orders'],
  [1000, false, '1,000 orders'],
  [1000, true, 'The newest 1,000 orders'],
])('says of %i orders, searched: %s, that they are %s', (total, isSearch, text) => {
  expect(pluralize(total, 'order', isSearch)).toBe(text)
})
