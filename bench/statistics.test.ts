import { expect, it } from 'vitest'
import { median, medianRatio, quantile } from './statistics.ts'

it('finds the quantiles of a list', () => {
  const numbers = Array.from({ length: 200 }, (_, at) => 200 - at)
  expect(median([3, 1, 2])).toBe(2)
  expect(quantile(numbers, 0.99)).toBe(199)
  expect(quantile(numbers, 1)).toBe(200)
  expect(median([])).toBe(0)
})

it('takes the median of the ratios of the rounds', () => {
  // other work slowed both sides in the second round
  expect(medianRatio([90, 9, 80], [100, 10, 100])).toBe(0.9)
})
