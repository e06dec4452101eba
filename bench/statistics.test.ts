import { expect, it } from 'vitest'
import { median, medianRatio, quantile } from './statistics.ts'

it('says what a share of the numbers does not exceed', () => {
  const numbers = Array.from({ length: 200 }, (_, at) => 200 - at)
  expect(median([3, 1, 2])).toBe(2)
  expect(quantile(numbers, 0.99)).toBe(199)
  expect(quantile(numbers, 1)).toBe(200)
  expect(median([])).toBe(0)
})

it('compares round by round', () => {
  // the second round is slower for both
  expect(medianRatio([90, 9, 80], [100, 10, 100])).toBe(0.9)
})
