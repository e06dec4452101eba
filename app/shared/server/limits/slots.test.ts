import { expect, it } from 'vitest'
import { boundedSlots } from './slots.ts'

/** A task that the test ends. */
function controlled() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let started = false
  const run = () => {
    started = true
    return promise
  }
  return { run, resolve, reject, hasStarted: () => started }
}

it('runs so many at once, lets so many wait in turn, and refuses the rest', async () => {
  const limit = boundedSlots({ concurrency: 1, queue: 1 })
  const first = controlled()
  const second = controlled()
  const third = controlled()
  const results = [limit(first.run), limit(second.run)]
  await expect(limit(third.run)).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '5' },
  })
  expect([first, second, third].map(({ hasStarted }) => hasStarted())).toEqual([true, false, false])
  first.resolve('one')
  second.resolve('two')
  expect(await Promise.all(results)).toEqual(['one', 'two'])
})

it('goes on after a failure', async () => {
  const limit = boundedSlots({ concurrency: 1, queue: 1 })
  const failing = controlled()
  const failed = limit(failing.run)
  failing.reject(new Error('no'))
  await expect(failed).rejects.toThrow('no')
  expect(await limit(async () => 'next')).toBe('next')
})

it('lets a task leave that waits, and gives its place to another', async () => {
  const limit = boundedSlots({ concurrency: 1, queue: 1 })
  const [first, left, next] = [controlled(), controlled(), controlled()]
  const leaving = new AbortController()
  const results = [limit(first.run)]
  const leaves = limit(left.run, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(leaves).rejects.toThrow('left')
  results.push(limit(next.run))
  first.resolve('one')
  next.resolve('two')
  expect(await Promise.all(results)).toEqual(['one', 'two'])
  expect(left.hasStarted()).toBe(false)
  await expect(limit(left.run, leaving.signal)).rejects.toThrow('left')
})
