import { settingsOf } from '#app/settings/server/service.ts'
import type { Database } from '#db/schema.ts'
import { selectBestSellers, selectDays, selectRunningLow, selectTaxes } from './figures-store.ts'
import { memoize } from './memoize.ts'

/** Returns a memoized function that reads sales by day, best sellers, taxes and products running low. */
export const salesFigures = (db: Database) =>
  memoize(async () => {
    const [days, bestSellers, taxes, runningLow] = await Promise.all([
      selectDays(db),
      selectBestSellers(db),
      selectTaxes(db),
      settingsOf(db).then(({ lowStock }) => selectRunningLow(db, lowStock)),
    ])
    return { days, bestSellers, taxes, runningLow }
  })
