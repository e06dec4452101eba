import { expect, it } from 'vitest'
import { pausesOf } from './restarts.ts'

const MINUTE = 60_000

it('who has lived for long is replaced at once', () => {
  const pauseOf = pausesOf()
  expect([pauseOf(MINUTE), pauseOf(MINUTE)]).toEqual([0, 0])
})

it('one after the other that ends at once is waited for longer each time, never for ever', () => {
  const pauseOf = pausesOf()
  expect(Array.from({ length: 9 }, () => pauseOf(100))).toEqual([
    ...[500, 1000, 2000, 4000, 8000, 16_000],
    ...[30_000, 30_000, 30_000],
  ])
  expect(pauseOf(MINUTE)).toBe(0)
  expect(pauseOf(100)).toBe(500)
})
