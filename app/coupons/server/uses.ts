/** The uses of coupons, which a payment reserves with its stock, and an order keeps. */
import { priceChanged } from '#app/shared/server/failure.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import { couponIdsIn } from './coupon.ts'
import { deleteUses, insertUses, lockCoupons } from './uses.sql.ts'

type Quote = Pick<StoredQuote, 'adjustments'>

/**
 * Reserves one use of each coupon of a quote, instead of those of the payment `former`, inside the caller's
 * transaction. Throws `price_changed` when one of them is used up, was used by this customer as often as
 * possible, or was deleted.
 */
export async function reserveCoupons(
  tx: Database,
  { id, userId, quote }: { id: string; userId: string; quote: Quote },
  former?: { id: string; quote: Quote | null },
): Promise<void> {
  const couponIds = couponIdsIn(quote)
  if (former) await releaseCoupons(tx, former, couponIds)
  if (couponIds.length === 0) return
  // a statement of its own: the next one sees the uses of a transaction that this one has waited for
  await lockCoupons(tx, couponIds)
  if (await insertUses(tx, { paymentId: id, userId, couponIds })) return
  throw priceChanged('A discount of your cart cannot be used any more.')
}

/** Locks the coupons of payments, whose uses the transaction releases one after the other. */
export async function lockCouponsOf(
  tx: Database,
  payments: { quote: Quote | null }[],
): Promise<void> {
  const ids = payments.flatMap(({ quote }) => (quote ? couponIdsIn(quote) : []))
  if (ids.length > 0) await lockCoupons(tx, ids)
}

/** Releases the uses of a payment; `next` are the coupons that the transaction uses after that. */
export async function releaseCoupons(
  tx: Database,
  { id, quote }: { id: string; quote: Quote | null },
  next: string[] = [],
): Promise<void> {
  if (quote && couponIdsIn(quote).length > 0) await deleteUses(tx, id, next)
}
