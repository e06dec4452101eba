/** Coupons: what they take off a cart, and their editing. */

import { v7 as uuidv7 } from 'uuid'
import type { Notice } from '#app/checkout/contract.ts'
import { shopCurrencyOf } from '#app/settings/server/currency.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { isCheckViolation, isUniqueViolation } from '#app/shared/server/database-errors.ts'
import { conflict, Failure, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { givenPrice } from '#app/shared/server/input/given-money.ts'
import type { Shipping } from '#app/shipping/server/rates.ts'
import type { Database } from '#db/schema.ts'
import type { CouponTerms, NewCoupon } from '../admin-contract.ts'
import { type Coupon, codeKey, type DiscountedLine } from './coupon.ts'
import { applyBest, type Discounted } from './discount.ts'
import type { GuessLimit } from './guesses.ts'
import {
  CODE_TAKEN,
  countAutomatic,
  deleteUnused,
  insertCoupon,
  markDeleted,
  momentsOf,
  OVERUSED,
  selectByKeys,
  selectCoupon,
  titleOf,
  updateCoupon,
} from './store.ts'

type Given<Line> = {
  codes: string[]
  /** The automatic discounts of today. */
  automatic: Coupon[]
  /** The shipping of lines, which depends on what they cost after their discounts. */
  shippingFor: (lines: Line[]) => Shipping | null
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
  {
    codes,
    buyerId,
    limitGuesses = unlimited,
  }: Pick<Given<never>, 'codes' | 'buyerId' | 'limitGuesses'>,
) {
  if (codes.length === 0) return []
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
 * The lines less their discounts, with the shipping that is left of them. Codes that do not apply have a notice;
 * after too many wrong codes all have. Reads nothing where no code is given.
 */
export async function discountLines<Line extends DiscountedLine>(
  db: Database,
  lines: Line[],
  given: Given<Line>,
): Promise<Discounted<Line>> {
  const { automatic, currency, shippingFor } = given
  const cart = { now: new Date(), currency, shippingFor }
  if (lines.length === 0) return { lines, discounts: [], notices: [], shipping: shippingFor(lines) }
  try {
    const codes = await findCoupons(db, given)
    return applyBest(lines, { codes, automatic }, cart)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rate_limited') throw error
    const { message } = error
    const notices = given.codes.map((source): Notice => ({ about: 'coupon', source, message }))
    return { ...applyBest(lines, { codes: [], automatic }, cart), notices }
  }
}

const noSuchCoupon = () => notFound('There is no such discount.')

function columnsOf(terms: CouponTerms, currency: string) {
  const { percent = null, amount, minimum = 0, maxUses = null, maxUsesEach = null } = terms
  const { products = [], categories = [], combinable = false, from, to } = terms
  const { freeShipping = false, audience = 'everybody', customers = [] } = terms
  return {
    percent,
    amount_minor: amount === undefined ? null : givenPrice(amount, currency, 'amount'),
    minimum_minor: givenPrice(minimum, currency, 'minimum'),
    product_ids: products,
    category_ids: categories,
    max_uses: maxUses,
    max_uses_each: maxUsesEach,
    is_combinable: combinable,
    is_free_shipping: freeShipping,
    audience,
    user_ids: customers,
    ...momentsOf(from, to),
  }
}

/** The coupon of an id, as the API returns it; `mails`: whether the shop sends e-mails. Throws `not_found`. */
export async function findCoupon(db: Database, id: string, mails: boolean) {
  const coupon = await selectCoupon(db, id, mails)
  if (!coupon) throw noSuchCoupon()
  return coupon
}

const MAX_AUTOMATIC = 20

/** Every automatic discount is read, and compared, with each cart. */
async function requireFewAutomatic(tx: Database) {
  if ((await countAutomatic(tx)) >= MAX_AUTOMATIC)
    throw conflict(
      `At most ${MAX_AUTOMATIC} automatic discounts can run or wait at a time. Delete one that is not needed.`,
      'title',
    )
}

/**
 * Adds a coupon, or an automatic discount. Throws `invalid`, or `conflict` when another has the code, or there
 * are too many automatic ones.
 */
export function addCoupon(
  db: Database,
  actor: Actor,
  { code: given, ...terms }: NewCoupon,
  mails: boolean,
) {
  const id = uuidv7()
  const code = given?.trim() ?? id
  const title = terms.title?.trim() ?? null
  return inTransaction(db, actor, async (tx) => {
    if (title !== null) await requireFewAutomatic(tx)
    const columns = columnsOf(terms, await shopCurrencyOf(tx))
    await insertCoupon(tx, { id, code, title, ...columns })
    return findCoupon(tx, id, mails)
  }).catch((error) => {
    if (!isUniqueViolation(error, CODE_TAKEN)) throw error
    throw conflict(`There is a coupon with the code ${code} already.`, 'code')
  })
}

/** Replaces the terms of a coupon. Throws `not_found`, `invalid`, or `conflict` with fewer uses than it has. */
export const changeCoupon = (
  db: Database,
  actor: Actor,
  id: string,
  terms: CouponTerms,
  mails: boolean,
) =>
  inTransaction(db, actor, async (tx) => {
    const title = titleOf(terms.title?.trim())
    const columns = columnsOf(terms, await shopCurrencyOf(tx))
    if (!(await updateCoupon(tx, id, { ...columns, title }))) throw noSuchCoupon()
    return findCoupon(tx, id, mails)
  }).catch((error) => {
    if (!isCheckViolation(error, OVERUSED)) throw error
    throw conflict('This discount has been used more often than that.', 'maxUses')
  })

/**
 * Deletes a coupon: its code can be used no more, and may be given to another. One with uses stays in the
 * export and in the history. Throws `not_found`.
 */
export const removeCoupon = (db: Database, actor: Actor, id: string): Promise<void> =>
  inTransaction(db, actor, async (tx) => {
    if (!((await deleteUnused(tx, id)) || (await markDeleted(tx, id)))) throw noSuchCoupon()
  })
