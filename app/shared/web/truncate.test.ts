import { expect, it } from 'vitest'
import { truncate } from './truncate.ts'

it('keeps so many characters and sets dots', () => {
  expect(truncate('Holds tea, and holds it well.', 9)).toBe('Holds tea...')
})

it('leaves alone what is short enough', () => {
  expect(truncate('Holds tea', 9)).toBe('Holds tea')
})

it('does not cut through an emoji', () => {
  expect(truncate('🍵🍵🍵', 2)).toBe('🍵🍵...')
})
