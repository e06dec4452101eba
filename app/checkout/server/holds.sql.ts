/** SQL that takes what a payment holds besides its stock, inside the statement that stores it. */
import { type RawBuilder, sql } from 'kysely'
import { areUsable, couponsLocked, couponsUsed } from '#app/coupons/server/uses.sql.ts'
import { couponsIn } from './holds.ts'
import type { Quote } from './service.ts'

/** Parts of a statement; each is empty for a quote that holds nothing. */
type HoldsSql = {
  /** Common table expressions that lock, before the stock is locked. */
  locked: RawBuilder<unknown>
  /** Whether everything can be held. */
  condition: RawBuilder<boolean>
  /** Common table expressions that take, after the stock is taken. */
  taken: RawBuilder<unknown>
}

type Holder = { id: string; userId: string; quote: Pick<Quote, 'adjustments'> }

/** Nothing is locked unless `before` is true, and nothing is taken unless `isTaken` is. */
export function holdsTaken(
  { id, userId, quote }: Holder,
  before: RawBuilder<boolean>,
  isTaken: RawBuilder<boolean>,
): HoldsSql {
  const couponIds = couponsIn(quote)
  if (couponIds.length === 0) return { locked: sql``, condition: before, taken: sql`` }
  const use = { paymentId: id, userId, couponIds }
  return {
    locked: sql`${couponsLocked(use, before)},`,
    condition: areUsable(use),
    taken: sql`, ${couponsUsed(use, isTaken)}`,
  }
}
