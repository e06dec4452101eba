/**
 * Holds: what a payment holds besides its stock, as long as its stock is reserved, and what an order keeps.
 * Payments know them only by these functions.
 */
import { isUsedTwice, returnCoupons, takeCoupons } from '#app/coupons/server/service.ts'
import type { Database, StoredQuote } from '#db/schema.ts'

type Quote = Pick<StoredQuote, 'adjustments'>

type Holder = { id: string; userId: string; quote: Quote }

/** The codes of the coupons in a quote. */
export const codesIn = ({ adjustments }: Quote): string[] =>
  adjustments.filter(({ kind }) => kind === 'discount').map(({ source }) => source)

/**
 * Takes what a quote needs, instead of what the payment `former` holds, inside the caller's transaction.
 * Throws `price_changed` when something cannot be had any more.
 */
export async function takeHolds(
  tx: Database,
  { id, userId, quote }: Holder,
  former?: { id: string; quote: Quote | null },
): Promise<void> {
  const codes = codesIn(quote)
  if (former) await returnHolds(tx, former, codes)
  await takeCoupons(tx, { paymentId: id, userId, codes })
}

/** Returns what a payment holds, inside the caller's transaction. */
export async function returnHolds(
  tx: Database,
  { id, quote }: { id: string; quote: Quote | null },
  next: string[] = [],
): Promise<void> {
  if (quote && codesIn(quote).length > 0) await returnCoupons(tx, id, next)
}

/** Whether two payments took the same hold at the same time: one of them may try again. */
export const isHeldTwice = isUsedTwice
