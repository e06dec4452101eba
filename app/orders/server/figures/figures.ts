import { LRUCache } from 'lru-cache'
import type { FiguresQuery } from '#app/orders/admin-contract.ts'
import { settingOf } from '#app/settings/server/service.ts'
import { memoize } from '#app/shared/server/cache/memoize.ts'
import { invalid } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import {
  countPaymentsInNeed,
  type Period,
  selectBestSellers,
  selectBuckets,
  selectOwed,
  selectPeriod,
  selectRunningLow,
  selectTaxes,
  selectTotals,
} from './figures-store.ts'

/** The longest period, ten years, in days. */
const MAX_DAYS = 3660
/** How many periods are cached: anyone may think up more. */
const MAX_PERIODS = 50

async function requirePeriod(db: Database, query: FiguresQuery): Promise<Period> {
  const period = await selectPeriod(db, query)
  if (period.days < 1) throw invalid('The period ends before it begins.', 'to')
  if (period.days > MAX_DAYS) throw invalid('The period must be at most ten years.', 'from')
  return period
}

async function periodFigures(db: Database, currency: string, period: Period) {
  const [days, totals, before, bestSellers, taxes] = await Promise.all([
    selectBuckets(db, currency, period),
    selectTotals(db, currency, period),
    selectTotals(db, currency, period, 'before'),
    selectBestSellers(db, currency, period),
    selectTaxes(db, currency, period),
  ])
  const { from, to, unit } = period
  return { period: { from, to, unit }, days, totals, before, bestSellers, taxes }
}

type PeriodFigures = Awaited<ReturnType<typeof periodFigures>>

/**
 * Returns a function that reads what of the sales figures takes long, in the shop's currency; it is
 * memoized by period. Throws `invalid` for a period that ends before it begins, or is too long.
 */
export function salesFigures(db: Database) {
  const periods = new LRUCache<string, () => Promise<PeriodFigures>>({ max: MAX_PERIODS })
  const present = memoize(async () => {
    const currency = await settingOf(db, 'currencyDisplay')
    const [owed, runningLow] = await Promise.all([selectOwed(db, currency), selectRunningLow(db)])
    return { owed, runningLow }
  })
  return async (query: FiguresQuery) => {
    const period = await requirePeriod(db, query)
    const currency = await settingOf(db, 'currencyDisplay')
    const key = `${period.from} ${period.to} ${currency}`
    const figures = periods.get(key) ?? memoize(() => periodFigures(db, currency, period))
    periods.set(key, figures)
    const [ofPeriod, ofNow, paymentsInNeed] = await Promise.all([
      figures(),
      present(),
      // at once: somebody has just resolved one
      countPaymentsInNeed(db),
    ])
    return { currency, ...ofPeriod, ...ofNow, paymentsInNeed }
  }
}
