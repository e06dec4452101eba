import { expect, it } from 'vitest'
import { gate } from './gate.ts'

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let started = false
  const run = () => {
    started = true
    return promise
  }
  return { run, resolve, reject, hasStarted: () => started }
}

it('runs so much at once, lets so much wait in turn, and refuses the rest', async () => {
  const enter = gate({ running: 1, waiting: 1, seconds: 5 })
  const [first, second, third] = [work(), work(), work()]
  const answers = [enter(first.run), enter(second.run)]
  await expect(enter(third.run)).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '5' },
  })
  expect([first, second, third].map(({ hasStarted }) => hasStarted())).toEqual([true, false, false])
  first.resolve('one')
  second.resolve('two')
  expect(await Promise.all(answers)).toEqual(['one', 'two'])
})

it('gives the place on after a failure', async () => {
  const enter = gate({ running: 1, waiting: 1, seconds: 5 })
  const failing = work()
  const failed = enter(failing.run)
  failing.reject(new Error('no'))
  await expect(failed).rejects.toThrow('no')
  expect(await enter(async () => 'next')).toBe('next')
})
