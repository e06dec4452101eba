import { toMajor } from '#app/shared/model/minor-units.ts'
import { type CsvColumns, csvText, pagesOf } from '#app/shared/server/csv/write.ts'
import type { Database } from '#db/schema.ts'
import { selectCouponsAfter } from './store.ts'

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')

const COLUMNS: CsvColumns<Awaited<ReturnType<typeof selectCouponsAfter>>[number]> = {
  code: ({ code, title }) => (title === null ? code : ''),
  percent: ({ percent }) => percent,
  amount: ({ amount_minor, currency }) =>
    amount_minor === null ? null : toMajor(amount_minor, currency),
  minimum: ({ minimum_minor, currency }) => toMajor(minimum_minor, currency),
  products: ({ product_ids }) => product_ids.join(' '),
  categories: ({ category_ids }) => category_ids.join(' '),
  first_day: ({ first_day }) => first_day,
  last_day: ({ last_day }) => last_day,
  max_uses: ({ max_uses }) => max_uses,
  max_uses_each: ({ max_uses_each }) => max_uses_each,
  combinable: ({ is_combinable }) => yesOrNo(is_combinable),
  title: ({ title }) => title,
  free_shipping: ({ is_free_shipping }) => yesOrNo(is_free_shipping),
  audience: ({ audience }) => audience,
  uses: ({ uses }) => uses,
  orders: ({ orders }) => orders,
  discounted: ({ discounted_minor, currency }) => toMajor(discounted_minor, currency),
  deleted: ({ deleted_at }) => yesOrNo(deleted_at !== null),
}

/**
 * Exports every coupon as CSV, oldest first, with its uses, the orders among them, and what these were
 * discounted in all, in major units. Deleted coupons that were used are included.
 */
export const exportCoupons = (db: Database) =>
  csvText(
    COLUMNS,
    pagesOf((id, limit) => selectCouponsAfter(db, id, limit)),
  )
