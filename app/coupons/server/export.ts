import { type CsvRow, csvText } from '#app/shared/server/csv/write.ts'
import { toMajor } from '#app/shared/server/money.ts'
import type { Database } from '#db/schema.ts'
import { selectCouponsAfter } from './store.ts'

/** Coupons in memory at a time. */
const PAGE = 500

const COLUMNS = [
  'code',
  'percent',
  'amount',
  'minimum',
  'products',
  'categories',
  'first_day',
  'last_day',
  'max_uses',
  'max_uses_each',
  'combinable',
  'uses',
  'orders',
  'discounted',
  'deleted',
]

type Row = Awaited<ReturnType<typeof selectCouponsAfter>>[number]

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')

const cellsOf = (coupon: Row): CsvRow => [
  coupon.code,
  coupon.percent ?? '',
  coupon.amount_minor === null ? '' : toMajor(coupon.amount_minor),
  toMajor(coupon.minimum_minor),
  coupon.product_ids.join(' '),
  coupon.category_ids.join(' '),
  coupon.first_day ?? '',
  coupon.last_day ?? '',
  coupon.max_uses ?? '',
  coupon.max_uses_each ?? '',
  yesOrNo(coupon.is_combinable),
  coupon.uses,
  coupon.orders,
  toMajor(coupon.discounted_minor),
  yesOrNo(coupon.deleted_at !== null),
]

async function* pages(db: Database) {
  let coupons = await selectCouponsAfter(db, null, PAGE)
  while (coupons.length > 0) {
    yield coupons.map(cellsOf)
    coupons = await selectCouponsAfter(db, coupons.at(-1)?.id ?? null, PAGE)
  }
}

/**
 * Exports every coupon as CSV, oldest first, with its uses, the orders among them, and what these were
 * discounted in all, in major units. Deleted coupons that were used are included.
 */
export const exportCoupons = (db: Database) => csvText(COLUMNS, pages(db))
