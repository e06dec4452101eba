/** Starting and cancelling payments. The amount is priced here, and the stock reserved, before any money moves. */
import { v7 as uuidv7 } from 'uuid'
import type { Choices } from '#app/checkout/choices-contract.ts'
import {
  presentQuote,
  type Quote,
  type QuoteRequest,
  quoteCart,
} from '#app/checkout/server/service.ts'
import { requireStock } from '#app/products/server/service.ts'
import { customer } from '#app/shared/server/actor/actor.ts'
import { invalid, notFound, priceChanged, unavailable } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { AMOUNT_INVALID, CANNOT_TAKE_PAYMENTS } from '../contract.ts'
import type { PaymentContext } from './context.ts'
import { PRICE_CHANGED, release, reserve } from './reservations.ts'
import { insertPayment, type NewPayment, setProviderOrder } from './start-store.ts'
import { selectPayment } from './store.ts'

/** The largest amount, in minor units; a provider may have a lower limit. */
const MAX_AMOUNT = 1_000_000_000_000

/** Retry-After of a shop whose payments have to be set up by its operator first. */
const NOT_SET_UP_SECONDS = 600

type Start = Choices & { userId: string; amount: number; cart?: { _id: string }[] }

/** What the buyer's dialog needs; `amount` is in minor units. */
type Started = { id: string; amount: number; currency: string; key: string; checkout: string }

const isPayable = (amount: number) =>
  Number.isSafeInteger(amount) && amount > 0 && amount <= MAX_AMOUNT

/** The quote of the cart, when it costs the amount that the buyer saw. */
async function agreedQuote(
  db: Database,
  { currency }: PaymentContext,
  { amount, ...request }: Start & QuoteRequest,
): Promise<Quote> {
  const quote = await quoteCart(db, currency, request)
  if (quote.lines.length === 0 || !isPayable(amount)) throw invalid(AMOUNT_INVALID)
  if (quote.totalMinor === amount) return quote
  await requireStock(db, quote.lines)
  throw priceChanged(PRICE_CHANGED, presentQuote(quote))
}

/** Stores the payment, and with a quote reserves its stock. */
async function openPayment(db: Database, context: PaymentContext, start: Start) {
  const { provider, currency, reservationMinutes, retrySeconds } = context
  const { userId, amount, cart } = start
  const quote = cart ? await agreedQuote(db, context, { ...start, cart }) : null
  if (!isPayable(amount)) throw invalid(AMOUNT_INVALID)
  const payment: NewPayment = {
    id: uuidv7(),
    userId,
    provider: provider.name,
    publicKey: provider.publicKey,
    providerOrderId: provider.chooseOrderId?.() ?? null,
    amountMinor: amount,
    currency,
    test: provider.mode === 'test',
    quote,
    reservedMinutes: reservationMinutes,
    pollSeconds: retrySeconds,
  }
  if (quote) await reserve(db, { ...payment, quote })
  else await insertPayment(db, payment)
  return payment
}

/** Creates the order at the provider. When that fails, the payment is over and its stock is released. */
async function createOrder(db: Database, { provider }: PaymentContext, payment: NewPayment) {
  const { id, userId, amountMinor, currency, pollSeconds } = payment
  try {
    const providerOrderId = await provider.createOrder({ amountMinor, currency, receipt: id })
    await setProviderOrder(db, { id, providerOrderId, pollSeconds })
    return providerOrderId
  } catch (error) {
    await release(db, customer(userId), id, { state: 'failed' })
    throw error
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
  const { provider, currency } = context
  if (provider.mode === 'none') throw unavailable(CANNOT_TAKE_PAYMENTS, NOT_SET_UP_SECONDS)
  const payment = await openPayment(db, context, start)
  const id = payment.providerOrderId ?? (await createOrder(db, context, payment))
  const { publicKey: key, checkoutScript: checkout } = provider
  return { id, amount: start.amount, currency, key, checkout }
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
  const ending = releaseOnly
    ? { state: 'expired' as const }
    : { state: 'failed' as const, isCancelled: true }
  await release(db, customer(userId), payment.id, ending)
}
