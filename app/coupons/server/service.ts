/** Coupons: what they take off a cart, and their editing. */
import { v7 as uuidv7 } from 'uuid'
import type { Notice } from '#app/checkout/contract.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { isCheckViolation, isUniqueViolation } from '#app/shared/server/database-errors.ts'
import { conflict, Failure, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { toMinor } from '#app/shared/server/minor-units.ts'
import type { Database } from '#db/schema.ts'
import type { CouponTerms, NewCoupon } from '../admin-contract.ts'
import { codeKey, type DiscountedLine } from './coupon.ts'
import { applyCoupons, type Discounted } from './discount.ts'
import type { GuessLimit } from './guesses.ts'
import {
  CODE_TAKEN,
  deleteUnused,
  insertCoupon,
  markDeleted,
  momentsOf,
  OVERUSED,
  selectByKeys,
  selectCoupon,
  updateCoupon,
} from './store.ts'

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
async function findCoupons(db: Database, { codes, buyerId, limitGuesses = unlimited }: Given) {
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
 * The lines less their discounts. Codes that do not apply have a notice; after too many wrong codes all
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

const noSuchCoupon = () => notFound('There is no such coupon.')

function columnsOf(terms: CouponTerms) {
  const { percent = null, amount, minimum = 0, maxUses = null, maxUsesEach = null } = terms
  const { products = [], categories = [], combinable = false, from, to } = terms
  return {
    percent,
    amount_minor: amount === undefined ? null : toMinor(amount),
    minimum_minor: toMinor(minimum),
    product_ids: products,
    category_ids: categories,
    max_uses: maxUses,
    max_uses_each: maxUsesEach,
    is_combinable: combinable,
    ...momentsOf(from, to),
  }
}

/** The coupon of an id, as the API returns it. Throws `not_found`. */
export async function findCoupon(db: Database, id: string) {
  const coupon = await selectCoupon(db, id)
  if (!coupon) throw noSuchCoupon()
  return coupon
}

/** Adds a coupon. Throws `invalid`, or `conflict` when another has the code. */
export function addCoupon(db: Database, actor: Actor, { code: given, ...terms }: NewCoupon) {
  const id = uuidv7()
  const code = given.trim()
  return inTransaction(db, actor, async (tx) => {
    await insertCoupon(tx, { id, code, ...columnsOf(terms) })
    return findCoupon(tx, id)
  }).catch((error) => {
    if (!isUniqueViolation(error, CODE_TAKEN)) throw error
    throw conflict(`There is a coupon with the code ${code} already.`, 'code')
  })
}

/** Replaces the terms of a coupon. Throws `not_found`, `invalid`, or `conflict` with fewer uses than it has. */
export const changeCoupon = (db: Database, actor: Actor, id: string, terms: CouponTerms) =>
  inTransaction(db, actor, async (tx) => {
    if (!(await updateCoupon(tx, id, columnsOf(terms)))) throw noSuchCoupon()
    return findCoupon(tx, id)
  }).catch((error) => {
    if (!isCheckViolation(error, OVERUSED)) throw error
    throw conflict('This coupon has been used more often than that.', 'maxUses')
  })

/**
 * Deletes a coupon: its code can be used no more, and may be given to another. One with uses stays in the
 * export and in the history. Throws `not_found`.
 */
export const removeCoupon = (db: Database, actor: Actor, id: string): Promise<void> =>
  inTransaction(db, actor, async (tx) => {
    if (!((await deleteUnused(tx, id)) || (await markDeleted(tx, id)))) throw noSuchCoupon()
  })
