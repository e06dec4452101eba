import { expect, it } from 'vitest'
import { selectPage } from './pagination.ts'

const oldestFirst = Array.from({ length: 11 }, (_, n) => ({ id: `${n}` }))
const newestFirst = oldestFirst.map(({ id }) => id).reverse()

it.each([1, 2, 3, 4, 5, 10, 11, 12])(
  'takes every page of %i as if it came from the front',
  async (limit) => {
    let farthest = 0
    for (let offset = 0; offset <= 24; offset += limit) {
      const page = await selectPage(
        { limit, offset },
        oldestFirst.length,
        async (direction, slice) => {
          farthest = Math.max(farthest, slice.offset)
          const list = direction === 'asc' ? oldestFirst : oldestFirst.toReversed()
          return list.slice(slice.offset, slice.offset + slice.limit)
        },
      )
      expect(page).toEqual({ ids: newestFirst.slice(offset, offset + limit), total: 11 })
    }
    expect(farthest).toBeLessThanOrEqual(5)
  },
)
