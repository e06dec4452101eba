import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoize } from './memoize.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Counts its runs, each of which takes so many milliseconds. */
function slowWork(ms: number) {
  let runs = 0
  const read: ReturnType<typeof memoize<number>> = memoize(async () => {
    runs += 1
    const result = runs
    await new Promise((done) => setTimeout(done, ms))
    return result
  })
  const next = async (fresh = false) => {
    const result = read(fresh)
    await vi.advanceTimersByTimeAsync(ms)
    return result
  }
  return { read, next }
}

it('keeps a result for a hundred times as long as the work took', async () => {
  const { next, read } = slowWork(20)
  expect(await next()).toBe(1)
  vi.advanceTimersByTime(1999)
  expect(await read()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await next()).toBe(2)
})

it('works again for a fresh result, and keeps that', async () => {
  const { next, read } = slowWork(20)
  expect(await next()).toBe(1)
  expect(await next(true)).toBe(2)
  expect(await read()).toBe(2)
})

it('keeps a result for a minute at most', async () => {
  const { next, read } = slowWork(5000)
  expect(await next()).toBe(1)
  vi.advanceTimersByTime(59_999)
  expect(await read()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await next()).toBe(2)
})

it('shares a run with those who ask meanwhile', async () => {
  const { next, read } = slowWork(20)
  expect(await Promise.all([read(), read(), next()])).toEqual([1, 1, 1])
})

it('keeps no failure', async () => {
  const work = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue('up')
  const read = memoize<string>(work)
  await expect(read()).rejects.toThrow('down')
  expect(await read()).toBe('up')
})
