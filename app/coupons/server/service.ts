/** Coupons in a quote, and their uses. */
import type { Notice } from '#app/checkout/contract.ts'
import { isUniqueViolation } from '#app/shared/server/constraint-violation.ts'
import { Failure, priceChanged } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { codeKey, type DiscountedLine } from './coupon.ts'
import { applyCoupons, type Discounted, type GivenCode } from './discount.ts'
import type { GuessLimit } from './guesses.ts'
import { selectByKeys } from './store.ts'
import { USED_TWICE } from './uses.sql.ts'
import {
  deleteUses,
  deleteUsesOfTests,
  insertFormerUser,
  insertUses,
  lockCoupons,
} from './uses-store.ts'

export { codeKey } from './coupon.ts'
export type { Discount } from './discount.ts'
export { type GuessLimit, guessLimit } from './guesses.ts'

type Given = {
  codes: string[]
  /** Absent for a guest. */
  buyerId?: string | undefined
  /** Counts wrong codes. */
  limitGuesses?: GuessLimit | undefined
  currency: string
}

const unlimited: GuessLimit = async (_keys, find) => (await find()).found

/** The coupons of codes; a code without one is kept, too. */
async function findCoupons(
  db: Database,
  { codes, buyerId, limitGuesses = unlimited }: Given,
): Promise<GivenCode[]> {
  const keys = [...new Set(codes.map(codeKey))]
  return limitGuesses(keys, async () => {
    const coupons = new Map(
      (await selectByKeys(db, keys, buyerId)).map((coupon) => [coupon.code_key, coupon]),
    )
    const found = codes.map((code) => ({ code, coupon: coupons.get(codeKey(code)) }))
    return { found, wrong: keys.filter((key) => !coupons.has(key)) }
  })
}

/**
 * The lines less their discounts. Codes that do not hold have a notice; after too many wrong codes all
 * have. Reads nothing where no code is given.
 */
export async function discountLines<Line extends DiscountedLine>(
  db: Database,
  lines: Line[],
  given: Given,
): Promise<Discounted<Line>> {
  const none = { lines, discounts: [] }
  if (given.codes.length === 0 || lines.length === 0) return { ...none, notices: [] }
  try {
    const codes = await findCoupons(db, given)
    return applyCoupons(lines, codes, { now: new Date(), currency: given.currency })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rate_limited') throw error
    const { message } = error
    const notices = given.codes.map((source): Notice => ({ about: 'coupon', source, message }))
    return { ...none, notices }
  }
}

type Uses = { paymentId: string; userId: string; couponIds: string[] }

/**
 * Takes one use of each coupon, inside the caller's transaction. Throws `price_changed` when one of them
 * is used up, was used by this customer as often as possible, or was deleted.
 */
export async function takeCoupons(tx: Database, uses: Uses): Promise<void> {
  if (uses.couponIds.length === 0) return
  // a statement of its own: the next one sees the uses of a transaction that this one has waited for
  await lockCoupons(tx, uses.couponIds)
  if (await insertUses(tx, uses)) return
  throw priceChanged('A coupon code of your cart cannot be used any more.')
}

/** Returns the uses of a payment; `next` are the coupons that the transaction uses after that. */
export async function returnCoupons(
  tx: Database,
  paymentId: string,
  next: string[] = [],
): Promise<void> {
  await deleteUses(tx, paymentId, next)
}

/**
 * Keeps, of an account that is being closed, whose uses its own are, inside the caller's transaction: they
 * count when the address is registered again.
 */
export const keepCouponUses = async (tx: Database, userId: string): Promise<void> => {
  await insertFormerUser(tx, userId)
}

/** Returns the uses of all test orders, inside the caller's transaction, and answers how many they were. */
export const returnTestCoupons = (tx: Database): Promise<number> => deleteUsesOfTests(tx)

/** Whether two purchases of a customer took the same use at the same time: one of them may try again. */
export const isUsedTwice = (error: unknown): boolean => isUniqueViolation(error, USED_TWICE)
