import type { Standing, Tally } from '#app/shared/server/limits/tally.ts'
import type { Counting } from './messages.ts'

/** Does in a tally what somebody else asked for. */
export async function countFor(tally: Tally, counting: Counting): Promise<Standing> {
  if ('add' in counting) return tally.add(...counting.add)
  await tally.forget(counting.forget)
  return { count: 0, leftMs: 0 }
}

/** A tally that somebody else keeps, who is asked each time. */
export const askedTally = (ask: (counting: Counting) => Promise<Standing>): Tally => ({
  add: (...add) => ask({ add }),
  async forget(key) {
    await ask({ forget: key })
  },
})
