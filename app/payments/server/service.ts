/** Starting and cancelling payments. The amount is priced here, and the stock reserved, before any money moves. */
import { v7 as uuidv7 } from 'uuid'
import { type CartLine, priceCart, totalOf } from '#app/products/server/service.ts'
import { customer } from '#app/shared/server/actor/actor.ts'
import {
  Failure,
  invalid,
  notFound,
  priceChanged,
  unavailable,
} from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { AMOUNT_INVALID, CANNOT_TAKE_PAYMENTS } from '../contract.ts'
import type { PaymentContext } from './context.ts'
import { release, releaseExpired, reserve } from './reservations.ts'
import {
  insertPayment,
  insertPaymentLines,
  markCancelled,
  selectPayment,
  setProviderOrder,
} from './store.ts'

/** How long the prices of the start are honoured after its reservation has expired. */
const HONOURED_MINUTES = 60

/** The largest amount, in minor units; a provider may have a lower limit. */
const MAX_AMOUNT = 1_000_000_000_000

/** Retry-After of a shop whose payments have to be set up by its operator first. */
const NOT_SET_UP_SECONDS = 600

type Start = { userId: string; amount: number; cart?: { _id: string }[] }

/** What the buyer's dialog needs; `amount` is in minor units. */
type Started = { id: string; amount: number; currency: string; key: string; checkout: string }

const isPayable = (amount: number) =>
  Number.isSafeInteger(amount) && amount > 0 && amount <= MAX_AMOUNT

/** The cart at today's prices. */
async function priceLines(tx: Database, { amount, cart = [] }: Start): Promise<CartLine[]> {
  const lines = await priceCart(
    tx,
    cart.map(({ _id }) => _id),
  )
  if (!isPayable(amount) || lines.length === 0) throw invalid(AMOUNT_INVALID)
  return lines
}

/** Stores the payment and reserves its stock, in one transaction. */
const openPayment = (
  db: Database,
  { provider, currency, reservationMinutes }: PaymentContext,
  id: string,
  start: Start,
) =>
  inTransaction(db, customer(start.userId), async (tx) => {
    const { userId, amount, cart } = start
    const lines = cart && (await priceLines(tx, start))
    if (!isPayable(amount)) throw invalid(AMOUNT_INVALID)
    await insertPayment(tx, {
      id,
      user_id: userId,
      provider: provider.name,
      public_key: provider.publicKey,
      amount_minor: amount,
      currency,
      priced_cart: lines !== undefined,
      pricesMinutes: reservationMinutes + HONOURED_MINUTES,
      test: provider.mode === 'test',
    })
    if (!lines) return
    await insertPaymentLines(
      tx,
      lines.map((line, position) => ({ payment_id: id, position, ...line })),
    )
    await reserve(tx, { paymentId: id, userId, lines, minutes: reservationMinutes })
    if (totalOf(lines) !== amount)
      throw priceChanged('A price has changed. Please check your cart before you pay.')
  })

/** Retries the work once when the stock was too low and expired reservations could be released. */
async function withExpiredReleased(db: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isShort = error instanceof Failure && error.code === 'out_of_stock'
    if (!isShort || (await releaseExpired(db)) === 0) throw error
    await work()
  }
}

/**
 * Opens an order of `amount` minor units at the provider. With a cart, its products are reserved,
 * and sold at the prices of this moment. Throws `invalid` (an unknown product, an empty cart, a wrong
 * amount: spec §5), `out_of_stock`, `price_changed` when the amount is not the cart's, and
 * `unavailable` when payments are not set up or the provider does not answer; then nothing is reserved.
 */
export async function startPayment(
  db: Database,
  context: PaymentContext,
  start: Start,
): Promise<Started> {
  const { provider, currency, retrySeconds } = context
  if (provider.mode === 'none') throw unavailable(CANNOT_TAKE_PAYMENTS, NOT_SET_UP_SECONDS)
  const { userId, amount } = start
  const id = uuidv7()
  await withExpiredReleased(db, () => openPayment(db, context, id, start))
  try {
    const order = { amountMinor: amount, currency, receipt: id }
    const providerOrderId = await provider.createOrder(order)
    await inTransaction(db, customer(userId), (tx) =>
      setProviderOrder(tx, { id, providerOrderId, seconds: retrySeconds }),
    )
    const { publicKey: key, checkoutScript: checkout } = provider
    return { id: providerOrderId, amount, currency, key, checkout }
  } catch (error) {
    await release(db, customer(userId), id)
    throw error
  }
}

type Cancellation = { userId: string; providerOrderId: string; releaseOnly?: boolean | undefined }

/**
 * Cancels a payment: its stock is released, and money that comes in later is refunded. With
 * `releaseOnly` the payment stays open. Throws `not_found` when it is not the user's payment.
 */
export async function cancelPayment(
  db: Database,
  { userId, providerOrderId, releaseOnly = false }: Cancellation,
): Promise<void> {
  const payment = await selectPayment(db, providerOrderId)
  if (payment?.user_id !== userId) throw notFound('There is no such payment.')
  await inTransaction(db, customer(userId), async (tx) => {
    // the payment is locked before its reservation, as in settlement
    if (!releaseOnly) await markCancelled(tx, payment.id)
    await release(tx, customer(userId), payment.id)
  })
}
