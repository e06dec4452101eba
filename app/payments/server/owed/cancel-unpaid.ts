/** The end of orders that were placed unpaid: for the service of orders, which payments call. */
import { lockCouponsOf, releaseCoupons } from '#app/coupons/server/uses.ts'
import type { Database } from '#db/schema.ts'
import { cancelOwed, lockAllOwed, type Owed, selectNeverPaid } from './owed-store.ts'

export type { Owed } from './owed-store.ts'

/**
 * The payments of those of these orders that are not paid in full, locked with their coupons for `cancelUnpaid`. The
 * caller's transaction locks the orders after that.
 */
export async function lockUnpaid(tx: Database, orderIds: string[]): Promise<Owed[]> {
  const owed = (await lockAllOwed(tx, orderIds)).filter(({ state }) => state === 'owed')
  await lockCouponsOf(tx, owed)
  return owed
}

/** Ends payments that `lockUnpaid` has locked, and releases their coupons. */
export async function cancelUnpaid(tx: Database, owed: Owed[]): Promise<void> {
  for (const one of owed) await releaseCoupons(tx, one)
  await cancelOwed(tx, ...owed)
}

/** Those of these orders that were cancelled before they were paid: their stock is for sale again. */
export const findNeverPaid = async (tx: Database, orderIds: string[]): Promise<Set<string>> =>
  new Set((await selectNeverPaid(tx, orderIds)).map(({ id }) => id))
