import { expect, it } from 'vitest'
import { restartDelays } from './worker.ts'

const MINUTE = 60_000

it('a worker that lived long is restarted at once', () => {
  const delay = restartDelays()
  expect([delay(MINUTE), delay(MINUTE)]).toEqual([0, 0])
})

it('each early crash doubles the delay, up to half a minute', () => {
  const delay = restartDelays()
  expect(Array.from({ length: 9 }, () => delay(100))).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
  expect(delay(MINUTE)).toBe(0)
  expect(delay(100)).toBe(500)
})
