import { expect, it } from 'vitest'
import { apart, drawChart, tickOf } from './chart.ts'

it('takes round numbers for the scale', () => {
  expect([0.4, 7, 12, 61, 250].map(tickOf)).toEqual([0.1, 2, 5, 20, 50])
})

it('moves labels apart, in their order, and not out of the picture', () => {
  expect(apart([100, 101, 40], 15, 200)).toEqual([86, 101, 40])
  expect(apart([199, 205, 200], 15, 200)).toEqual([170, 200, 185])
})

it('draws every line at its place, sizes evenly by their powers of ten', () => {
  const points = [1000, 10_000, 100_000].map((products, at) => ({ products, ms: at }))
  const chart = drawChart('Times', [{ title: 'A & B', lines: [{ name: '<one>', points }] }])
  expect(chart).toContain('A &amp; B')
  expect(chart).toContain('&lt;one&gt;')
  expect(chart).toContain('prefers-color-scheme: dark')
  const [, path = ''] = /class="line"[^>]* d="M([^"]+)"/.exec(chart) ?? []
  const spots = path.split('L').map((spot) => spot.split(' ').map(Number))
  const [[left = 0, top = 0] = [], [middle = 0] = [], [right = 0, bottom = 0] = []] = spots
  expect(middle - left).toBeCloseTo(right - middle)
  expect(top).toBeGreaterThan(bottom)
})
