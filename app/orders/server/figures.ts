import { settingsOf } from '#app/settings/server/service.ts'
import type { Database } from '#db/schema.ts'
import { selectBestSellers, selectDays, selectRunningLow, selectTaxes } from './figures-store.ts'
import { memoize } from './memoize.ts'

/**
 * Returns a memoized function that reads sales by day, best sellers and taxes in this currency, and products
 * running low.
 */
export const salesFigures = (db: Database, currency: string) =>
  memoize(async () => {
    const [days, bestSellers, taxes, runningLow] = await Promise.all([
      selectDays(db, currency),
      selectBestSellers(db, currency),
      selectTaxes(db, currency),
      settingsOf(db).then(({ lowStock }) => selectRunningLow(db, lowStock)),
    ])
    return { days, bestSellers, taxes, runningLow }
  })
