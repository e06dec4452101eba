import { expect, it } from 'vitest'
import { cut } from './cut.ts'

it('keeps so many characters and sets dots', () => {
  expect(cut('Holds tea, and holds it well.', 9)).toBe('Holds tea...')
})

it('leaves alone what is short enough', () => {
  expect(cut('Holds tea', 9)).toBe('Holds tea')
})

it('does not cut through an emoji', () => {
  expect(cut('🍵🍵🍵', 2)).toBe('🍵🍵...')
})
