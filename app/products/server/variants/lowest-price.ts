/**
 * The lowest price of the thirty days before a reduction, which shops in the EU have to state beside it (directive
 * 98/6/EC, article 6a). It is derived from the history of the variant.
 */

/** The regular price of a variant and its sale, in minor units and milliseconds; null without a sale. */
export type PriceState = {
  price: number
  salePrice: number | null
  saleFrom: number | null
  saleUntil: number | null
}

/** What an edit has changed: the values from before, and when it was made. */
export type PriceChange = { at: number; before: Partial<PriceState> }

/** The lowest price while a state lasted, from one time to another. */
function lowestIn(
  { price, salePrice, saleFrom, saleUntil }: PriceState,
  from: number,
  until: number,
): number {
  if (salePrice === null || saleFrom === null || saleUntil === null) return price
  return saleFrom < until && saleUntil > from ? Math.min(price, salePrice) : price
}

/**
 * The lowest price from one time to another, by the present state and the changes since the first of these, newest
 * first. Null when the time is empty.
 */
export function lowestPrice(
  now: PriceState,
  changes: PriceChange[],
  { from, until }: { from: number; until: number },
): number | null {
  let state = now
  let end = until
  let lowest: number | null = null
  for (const { at, before } of [...changes, { at: from, before: {} }]) {
    const start = Math.max(at, from)
    if (start < end) {
      const price = lowestIn(state, start, end)
      lowest = lowest === null ? price : Math.min(lowest, price)
      end = start
    }
    state = { ...state, ...before }
  }
  return lowest
}
