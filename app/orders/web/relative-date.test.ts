import { expect, it } from 'vitest'
import { relativeDate } from './relative-date.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')

it.each([
  ['2026-06-15T12:00:20Z', 'just now'],
  ['2026-06-15T11:59:01Z', 'just now'],
  ['2026-06-15T11:58:00Z', '2 minutes ago'],
  ['2026-06-15T10:30:00Z', '1 hour ago'],
  ['2026-06-14T11:00:00Z', 'yesterday'],
  ['2026-06-10T12:00:00Z', '5 days ago'],
  ['2026-05-01T12:00:00Z', 'last month'],
  ['2024-06-01T12:00:00Z', '2 years ago'],
])('says of %s that it was %s', (date, words) => {
  expect(relativeDate(date, NOW)).toBe(words)
})
