/** Fair shares promise that nobody keeps pieces from others for ever, nor very many from one place. */
import type { CartLine } from '#app/products/server/service.ts'
import { rateLimited } from '#app/shared/server/failure.ts'
import { tooSoon } from '#app/shared/server/limits/limits.ts'
import type { Database } from '#db/schema.ts'
import { continueSpells, deleteOldSpells, secondsOfPause } from './store.ts'

/**
 * The most pieces that the unpaid holds of one network have together: a hundred buyers of an
 * office, or of a telephone company that shows them under one address, each with five in the cart.
 * One account has one hold, of a cart (`MOST_PIECES_A_CART`).
 */
export const MOST_OF_NETWORK = 500

/**
 * For how many minutes a buyer may hold a product without paying for it, however often they start
 * anew; and for how many they then have to leave it to others.
 */
export const longestOf = (holdMinutes: number) => 4 * holdMinutes

type Keeping = { userId: string; lines: CartLine[]; minutes: number }

/** Throws `rate_limited` when the buyer has held one of the products for too long without a pause. */
export async function goOnHolding(
  tx: Database,
  { userId, lines, minutes }: Keeping,
): Promise<void> {
  const longest = longestOf(minutes)
  const productIds = lines.map(({ product_id }) => product_id)
  const allowed = await continueSpells(tx, { userId, productIds, minutes, longest })
  const refused = lines.find(({ product_id }) => !allowed.includes(product_id))
  if (!refused) return
  const productId = refused.product_id
  const seconds = await secondsOfPause(tx, { userId, productId, longest })
  const why = `${refused.name} was kept for you, unpaid, for ${longest} minutes in all. It is open to others now.`
  throw tooSoon(why, seconds * 1000)
}

/** The failure of whoever is one of very many at their address. */
export const tooManyThere = () =>
  rateLimited('Very many pieces are kept for buyers at your address. Try again in a minute.', 60)

/** Lets go of what is remembered of buyers whose pause is over. */
export const forgetOldSpells = (db: Database, { holdMinutes }: { holdMinutes: number }) =>
  deleteOldSpells(db, longestOf(holdMinutes))
