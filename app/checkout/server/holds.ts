/**
 * Holds: what a payment holds besides its stock, as long as its stock is reserved, and what an order keeps.
 * Payments know them only by these functions.
 */
import {
  isUsedTwice,
  returnCoupons,
  returnTestCoupons,
  takeCoupons,
} from '#app/coupons/server/service.ts'
import type { Database, StoredQuote } from '#db/schema.ts'

type Quote = Pick<StoredQuote, 'adjustments'>

type Holder = { id: string; userId: string; quote: Quote }

/** The ids of the coupons in a quote. */
export const couponsIn = ({ adjustments }: Quote): string[] =>
  adjustments.flatMap(({ coupon_id }) => coupon_id ?? [])

/**
 * Takes what a quote needs, instead of what the payment `former` holds, inside the caller's transaction.
 * Throws `price_changed` when something cannot be had any more.
 */
export async function takeHolds(
  tx: Database,
  { id, userId, quote }: Holder,
  former?: { id: string; quote: Quote | null },
): Promise<void> {
  const couponIds = couponsIn(quote)
  if (former) await returnHolds(tx, former, couponIds)
  await takeCoupons(tx, { paymentId: id, userId, couponIds })
}

/** Returns what a payment holds, inside the caller's transaction. */
export async function returnHolds(
  tx: Database,
  { id, quote }: { id: string; quote: Quote | null },
  next: string[] = [],
): Promise<void> {
  if (quote && couponsIn(quote).length > 0) await returnCoupons(tx, id, next)
}

/** Returns what test orders keep besides their stock, and answers how much it was. */
export const returnTestHolds = returnTestCoupons

/** Whether two payments took the same hold at the same time: one of them may try again. */
export const isHeldTwice = isUsedTwice
