/** Stock reservations: the pieces of a started payment are not for sale until it is paid, cancelled or expired. */
import { PRICE_CHANGED } from '#app/checkout/server/price-change.ts'
import type { Quote } from '#app/checkout/server/service.ts'
import { CONCURRENT_USE } from '#app/coupons/server/uses.sql.ts'
import { releaseCoupons, reserveCoupons } from '#app/coupons/server/uses.ts'
import { arePricesOfToday, exchangeStock, returnStock } from '#app/products/server/service.ts'
import { type Actor, customer, SHOP } from '#app/shared/server/actor/actor.ts'
import { isUniqueViolation } from '#app/shared/server/database-errors.ts'
import { Failure, logInFirst, priceChanged } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { lockBuyer } from '#db/locks.ts'
import type { Database } from '#db/schema.ts'
import { selectUndecided } from './capture-store.ts'
import type { Providers } from './context.ts'
import { returnCapture } from './refunds/refund-store.ts'
import { CANCELLED } from './refusals.ts'
import {
  insertPayment,
  insertReserved,
  lockExpired,
  lockReserved,
  lockSame,
  markCancelled,
  type NewPayment,
  reserveAgain,
} from './start-store.ts'
import {
  isReserved,
  lockPaymentById,
  lockWithAccount,
  markEnded,
  type Payment,
  pollNow,
} from './store.ts'
import { PAYABLE } from './transitions.ts'
import { deleteNeverPaid, forgetNetworks, selectYielding } from './unpaid-store.ts'

type Ending = {
  state: 'expired' | 'cancelled'
  isByBuyer?: boolean
  /** The providers of its money, when it is cancelled. */
  providers?: Providers
}

type Reservation = NewPayment & { quote: Quote }

/** Two starts of a payment by the same buyer at the same time: the later one replaces the other. */
const ATTEMPTS = 3

/** Whether two purchases of a buyer reserved at the same time: one of them may try again. */
const isConcurrentReservation = (error: unknown) =>
  isUniqueViolation(error, 'payments_reserved') || isUniqueViolation(error, CONCURRENT_USE)

const attempt = (db: Database, payment: Reservation) =>
  insertReserved(db, payment).catch((error) => {
    if (isConcurrentReservation(error)) return false
    throw error
  })

/** The stored payment: the new one, or the same that the buyer has started before. */
export type Reserved = Pick<NewPayment, 'id' | 'providerOrderId'>

/** Runs in the transaction that has stored a payment. */
type Callback<Result> = (tx: Database, reserved: Reserved) => Promise<Result>

/**
 * Stores a payment with its reservation, which replaces a reservation of the buyer. An open payment of the
 * same cart is reserved again: its order at the provider can be paid once only, however many attempts the
 * bank completes late.
 */
const replaceReservation = <Result>(
  db: Database,
  payment: Reservation,
  callback: Callback<Result>,
) =>
  inTransaction(db, customer(payment.userId), async (tx) => {
    await lockBuyer(tx, payment.userId)
    const same = payment.allowsRetries ? await lockSame(tx, payment) : undefined
    const former = await lockReserved(tx, payment.userId)
    const { lines } = payment.quote
    const { id, providerOrderId } = same ?? payment
    // coupons are locked before the stock, everywhere
    await reserveCoupons(tx, { ...payment, id }, former)
    await exchangeStock(tx, { taken: lines, returned: former?.quote?.lines ?? [] })
    if (!(await arePricesOfToday(tx, lines))) throw priceChanged(PRICE_CHANGED)
    // last: another start of the buyer that has locked the stock would wait for the updated row
    if (former && former.id !== id) await markEnded(tx, former.id, 'expired')
    if (same) await reserveAgain(tx, id, payment)
    else if (!(await insertPayment(tx, payment))) throw logInFirst()
    return callback(tx, { id, providerOrderId })
  })

/** Runs an attempt to take stock again, as long as it finds too little, and reservations can be released for it. */
export async function releasingFor<Result>(
  db: Database,
  payment: NewPayment,
  take: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await take()
    } catch (error) {
      const isShort =
        error instanceof Failure && ['out_of_stock', 'price_changed'].includes(error.code)
      if (!isShort) throw error
      if ((await releaseExpired(db)) === 0 && !(await releaseYielding(db, payment))) throw error
    }
  }
}

/**
 * Stores a payment, reserves its stock and coupons, and then does the rest, in one transaction.
 * A reservation that the buyer has already is replaced: a buyer has one cart. Throws as `reserve` does.
 */
export async function reserveAnd<Result>(
  db: Database,
  payment: Reservation,
  callback: Callback<Result>,
): Promise<Result> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await releasingFor(db, payment, () => replaceReservation(db, payment, callback))
    } catch (error) {
      if (left === 1 || !isConcurrentReservation(error)) throw error
    }
  }
}

/**
 * Stores a payment, and reserves its stock and coupons. Throws `out_of_stock`, and `price_changed`
 * when a price has changed since the quote, or a coupon is used up.
 */
export const reserve = async (db: Database, payment: Reservation): Promise<Reserved> =>
  // one statement never takes a discount for a first order
  !payment.quote.hasFirstOrderDiscount && (await attempt(db, payment))
    ? payment
    : reserveAnd(db, payment, async (_tx, reserved) => reserved)

/** Returns the stock, and the coupons that a payment with a reservation has reserved. */
async function returnReserved(tx: Database, payment: Payment): Promise<void> {
  if (!isReserved(payment)) return
  await releaseCoupons(tx, payment)
  await returnStock(tx, payment.quote?.lines ?? [])
}

/** Ends a payment that was not paid, and returns the stock that it has reserved. The caller has locked it. */
export async function end(tx: Database, payment: Payment, state: 'expired' | 'cancelled') {
  await returnReserved(tx, payment)
  await markEnded(tx, payment.id, state)
}

/**
 * Ends a payment that is not decided on, and returns the stock that it has reserved; false when it was
 * decided already. Of a cancelled one, money that waits to be decided on goes back.
 */
export const release = (db: Database, actor: Actor, id: string, ending: Ending): Promise<boolean> =>
  inTransaction(db, actor, async (tx) => {
    // a second update of a payment checks its keys again, and would lock the account after it
    const lock = ending.state === 'cancelled' ? lockWithAccount : lockPaymentById
    const payment = await lock(tx, id)
    if (!payment || !PAYABLE.includes(payment.state) || payment.state === ending.state) return false
    if (ending.isByBuyer) await markCancelled(tx, id)
    await end(tx, payment, ending.state)
    if (ending.state === 'expired') return true
    const undecided = await selectUndecided(tx, id)
    for (const capture of undecided)
      await returnCapture(tx, capture.id, CANCELLED, ending.providers?.get(capture.provider))
    // money that the provider has not confirmed yet
    if (undecided.length > 0) await pollNow(tx, id)
    return true
  })

/** Releases one reservation that yields to this payment; false when there is none. */
async function releaseYielding(db: Database, payment: NewPayment): Promise<boolean> {
  const id = await selectYielding(db, payment)
  if (id !== undefined) await release(db, SHOP, id, { state: 'expired' })
  return id !== undefined
}

const releaseOneExpired = (db: Database): Promise<boolean> =>
  inTransaction(db, SHOP, async (tx) => {
    const expired = await lockExpired(tx)
    return expired !== undefined && release(tx, SHOP, expired.id, { state: 'expired' })
  })

/** Releases expired reservations until none is left, or it is aborted; answers how many. */
export async function releaseExpired(db: Database, stop?: AbortSignal): Promise<number> {
  let released = 0
  while (!stop?.aborted && (await releaseOneExpired(db))) released += 1
  return released
}

/** Deletes what is left of payments that nobody paid, until nothing is left or it is aborted. */
export async function forgetUnpaid(db: Database, stop?: AbortSignal): Promise<void> {
  await forgetNetworks(db)
  while (!stop?.aborted && (await deleteNeverPaid(db)) > 0);
}
