import { expect, it } from 'vitest'
import { pluralize, truncate } from './texts.ts'

it('keeps so many characters and sets dots', () => {
  expect(truncate('Holds tea, and holds it well.', 9)).toBe('Holds tea...')
})

it('leaves alone what is short enough', () => {
  expect(truncate('Holds tea', 9)).toBe('Holds tea')
})

it('does not cut through an emoji', () => {
  expect(truncate('🍵🍵🍵', 2)).toBe('🍵🍵...')
})

it.each([
  [0, false, '0 orders'],
  [1, true, '1 order'],
  [999, true, '999 orders'],
  [1000, false, '1,000 orders'],
  [1000, true, 'The newest 1,000 orders'],
])('says of %i orders, searched: %s, that they are %s', (total, isSearch, text) => {
  expect(pluralize(total, 'order', isSearch)).toBe(text)
})
