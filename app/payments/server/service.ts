/** Payments promise that money which came in makes exactly one order, or goes back. */
import { v7 as uuidv7 } from 'uuid'
import { type CartLine, priceCart, totalOf } from '#app/products/server/service.ts'
import { customer } from '#app/shared/server/actor/actor.ts'
import { Failure, invalid, priceChanged, unavailable } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { AMOUNT_INVALID, CANNOT_TAKE_PAYMENTS } from '../contract.ts'
import type { Desk } from './desk.ts'
import { endExpiredHolds, endHold, takeHold } from './holds.ts'
import { askLessAboutOlder } from './reconciliation-store.ts'
import { insertPayment, insertPaymentLines, setProviderOrder } from './store.ts'

/** How long the prices of the start are honoured after the stock is no longer held. */
const HONOURED_MINUTES = 60

/** The most that is asked for at once, in minor units; a provider may stop earlier. */
const MOST = 1_000_000_000_000

/** When to try again a shop that takes no payments: somebody has to set them up. */
const NOT_YET_SECONDS = 600

type Start = {
  userId: string
  /** Where the buyer is, as the limits see addresses. */
  network: string
  amount: number
  cart?: { _id: string }[]
}

/** What the customer's dialog needs to take the money; `amount` is in minor units. */
type Started = { id: string; amount: number; currency: string; key: string; checkout: string }

const isPayable = (amount: number) => Number.isSafeInteger(amount) && amount > 0 && amount <= MOST

/** The cart at today's prices. */
async function lineUp(tx: Database, { amount, cart = [] }: Start): Promise<CartLine[]> {
  const lines = await priceCart(
    tx,
    cart.map(({ _id }) => _id),
  )
  if (!isPayable(amount) || lines.length === 0) throw invalid(AMOUNT_INVALID)
  return lines
}

/** Writes down what is to be paid and holds it, all or nothing. */
const open = (db: Database, { provider, currency, holdMinutes }: Desk, id: string, start: Start) =>
  inTransaction(db, customer(start.userId), async (tx) => {
    const { userId, network, amount, cart } = start
    const lines = cart && (await lineUp(tx, start))
    if (!isPayable(amount)) throw invalid(AMOUNT_INVALID)
    await insertPayment(tx, {
      ...{ id, user_id: userId, provider: provider.name, public_key: provider.publicKey },
      ...{ amount_minor: amount, currency, priced_cart: lines !== undefined },
      pricesMinutes: holdMinutes + HONOURED_MINUTES,
      test: provider.mode === 'test',
    })
    await askLessAboutOlder(tx, userId)
    if (!lines) return
    await insertPaymentLines(
      tx,
      lines.map((line, position) => ({ payment_id: id, position, ...line })),
    )
    await takeHold(tx, { paymentId: id, userId, network, lines, minutes: holdMinutes })
    if (totalOf(lines) !== amount)
      throw priceChanged('A price has changed. Look at your cart again before you pay.')
  })

/** Does the work again when it found too little stock and some of it was held beyond its time. */
async function withAllStock(db: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isShort = error instanceof Failure && error.code === 'out_of_stock'
    if (!isShort || (await endExpiredHolds(db)) === 0) throw error
    await work()
  }
}

/**
 * Asks the provider for a payment of `amount` minor units and remembers what it is for. With a
 * cart, its products are sold at the prices of this moment, and held until the payment ends or its
 * time is over. Throws `invalid` (a product that is none, an empty cart, an amount that is none:
 * spec §5), `out_of_stock`, `price_changed` when the amount is not the cart's, `rate_limited` when
 * it was kept for too long where its buyer is, and `unavailable` when payments are not set up or the
 * provider does not answer; then nothing is held.
 */
export async function startPayment(db: Database, desk: Desk, start: Start): Promise<Started> {
  const { provider, currency, retrySeconds } = desk
  if (provider.mode === 'none') throw unavailable(CANNOT_TAKE_PAYMENTS, NOT_YET_SECONDS)
  const { userId, amount } = start
  const id = uuidv7()
  await withAllStock(db, () => open(db, desk, id, start))
  try {
    const demand = { amountMinor: amount, currency, receipt: id }
    const providerOrderId = await provider.createOrder(demand)
    await inTransaction(db, customer(userId), (tx) =>
      setProviderOrder(tx, { id, providerOrderId, seconds: retrySeconds }),
    )
    const { publicKey: key, checkoutScript: checkout } = provider
    return { id: providerOrderId, amount, currency, key, checkout }
  } catch (error) {
    await endHold(db, customer(userId), id)
    throw error
  }
}
