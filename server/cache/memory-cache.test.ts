import { expect, it } from 'vitest'
import { EVERYTHING_TAG } from '#app/shared/server/cache/change-feed-store.ts'
import { keepIn, openValues } from './memory-cache.ts'

const change = (tag: string) => [{ tag, stale_ms: 10_000 }]

/** Values of a process whose change feed is up to date, and a count that says how often it was made. */
function counting(isFollowing = true) {
  const values = openValues(2 ** 20, () => isFollowing)
  let behind: Parameters<typeof values.apply>[0] = []
  const keep = keepIn(values, async () => values.apply(behind, performance.now()))
  let made = 0
  const total = (key = 'all') =>
    keep(key, ['products'], async () => {
      made += 1
      return made
    })
  return {
    keep,
    total,
    apply: (tag: string) => values.apply(change(tag), performance.now()),
    commit: (tag: string) => {
      behind = change(tag)
    },
  }
}

it('makes a value once, until one of its tags changes', async () => {
  const { total, apply } = counting()
  expect([await total(), await total()]).toEqual([1, 1])
  expect(await total('cheap')).toBe(2)
  apply('settings')
  expect(await total()).toBe(1)
  apply('products')
  expect([await total(), await total(), await total('cheap')]).toEqual([3, 3, 4])
  apply(EVERYTHING_TAG)
  expect(await total()).toBe(5)
})

it('makes a value again when one of its tags changed since the last poll', async () => {
  const { total, commit } = counting()
  expect(await total()).toBe(1)
  commit('products')
  expect(await total()).toBe(2)
})

it('makes a value once for all who wait for it', async () => {
  const { total } = counting()
  expect(await Promise.all([total(), total()])).toEqual([1, 1])
})

it('keeps no value that changed while it was made', async () => {
  const { keep, total, apply } = counting()
  const { promise, resolve } = Promise.withResolvers<number>()
  const begun = Promise.withResolvers<void>()
  const late = keep('all', ['products'], () => {
    begun.resolve()
    return promise
  })
  await begun.promise
  apply('products')
  resolve(0)
  expect(await late).toBe(0)
  expect(await total()).toBe(1)
})

it('keeps nothing while changes may be missed, or that could not be made', async () => {
  const { total } = counting(false)
  expect([await total(), await total()]).toEqual([1, 2])
  const { keep, total: followed } = counting()
  await expect(keep('all', [], () => Promise.reject(new Error('x')))).rejects.toThrow('x')
  expect(await followed()).toBe(1)
})
