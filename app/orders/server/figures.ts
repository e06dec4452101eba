import type { Database } from '#db/schema.ts'
import { selectBestSellers, selectDays, selectRunningLow } from './figures-store.ts'
import { memoize } from './memoize.ts'

/** Returns a memoized function that reads sales by day, best sellers and products running low. */
export const salesFigures = (db: Database) =>
  memoize(async () => {
    const [days, bestSellers, runningLow] = await Promise.all([
      selectDays(db),
      selectBestSellers(db),
      selectRunningLow(db),
    ])
    return { days, bestSellers, runningLow }
  })
