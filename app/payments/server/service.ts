import { addressOf } from '#app/accounts/server/customer.ts'
import type { Agreement } from '#app/checkout/contract.ts'
import { quoteChanged } from '#app/checkout/server/price-change.ts'
import { hasSurcharges, type Quote, quoteCart } from '#app/checkout/server/service.ts'
import { requireStock } from '#app/products/server/service.ts'
import { moneyTextOf } from '#app/settings/server/money-text.ts'
import { settingOf } from '#app/settings/server/service.ts'
import { customer } from '#app/shared/server/actor/actor.ts'
import {
  conflict,
  Failure,
  invalid,
  invalidFields,
  logInFirst,
  notFound,
  unavailable,
} from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { AMOUNT_INVALID, CANNOT_TAKE_PAYMENTS } from '../contract.ts'
import {
  type CartStart,
  newPayment,
  placeFreeOrder,
  placeUnpaidOrder,
  repeatedOrder,
  type Start,
  type Started,
} from './at-once.ts'
import type { OpenProvider, PaymentContext } from './context.ts'
import { release, reserve } from './reservations.ts'
import { insertPayment, type NewPayment, selectReserved, setProviderOrder } from './start-store.ts'
import { selectPayment } from './store.ts'

/** The largest amount, in minor units; a provider may have a lower limit. */
const MAX_AMOUNT = 1_000_000_000_000

/** Retry-After of a shop whose payments have to be set up by its operator first. */
const NOT_SET_UP_SECONDS = 600

const NOT_TAKEN = 'The payment provider does not take this payment.'

const AMOUNT_ONLY =
  'In this shop a total may include shipping or tax. Send the cart with the amount to start a payment.'

const TEXTS_CHANGED =
  'The texts to which you agree were changed meanwhile. Please read them, and agree again.'

const ADDRESS_CHANGED =
  'The address in your profile was changed meanwhile. Please check where we deliver, and pay again.'

const isPayable = (amount: number) =>
  Number.isSafeInteger(amount) && amount > 0 && amount <= MAX_AMOUNT

/** Whether a discount is as large as the cart. A cart without a price of its own cannot be ordered. */
const isFree = ({ totalMinor, adjustments }: Quote) =>
  totalMinor === 0 && adjustments.some(({ kind }) => kind === 'discount')

/** Throws `conflict` where the profile has another address than the buyer saw. */
async function requireShownAddress(db: Database, { userId, shownAddress }: Start) {
  if (shownAddress === undefined || shownAddress === (await addressOf(db, userId))) return
  throw conflict(ADDRESS_CHANGED)
}

/** Throws `conflict` for a text that was changed since the buyer could read it. */
function requirePresentTexts(quote: Quote, agreements: Agreement[]) {
  const isPresent = ({ page, version }: Agreement) =>
    quote.agreements.some((one) => one.page === page && one.version === version)
  if (!agreements.every(isPresent)) throw conflict(TEXTS_CHANGED)
}

/** The quote of the cart, when it has a place, can be delivered, and costs the amount that the buyer saw. */
async function agreedQuote(
  db: Database,
  { amount, agreements = [], ...request }: CartStart,
): Promise<Quote> {
  const quote = await quoteCart(db, request)
  const { couponCodes = [], automaticDiscounts = false } = request
  const mayBeFree = amount === 0 && (couponCodes.length > 0 || automaticDiscounts)
  if (quote.lines.length === 0 || !(isPayable(amount) || mayBeFree)) throw invalid(AMOUNT_INVALID)
  if (quote.missing) throw invalidFields([quote.missing])
  requirePresentTexts(quote, agreements)
  const { refusal = null, isRateGone = false } = quote.shipping ?? {}
  if (refusal !== null) throw invalid(refusal)
  const isChosen = quote.paymentMethod === request.paymentMethod
  if (quote.totalMinor === amount && !isRateGone && isChosen) return quote
  // a start replaces what the buyer has reserved
  const reserved = await selectReserved(db, request.userId)
  await requireStock(db, quote.lines, reserved?.quote?.lines ?? [])
  throw await quoteChanged(db, quote)
}

/** Throws `invalid` for an amount that the provider does not take. */
async function requirePayable(
  db: Database,
  currency: string,
  { minimumMinor, stepMinor, label }: OpenProvider,
  amount: number,
) {
  if (!isPayable(amount)) throw invalid(AMOUNT_INVALID)
  const min = minimumMinor(currency)
  const step = stepMinor?.(currency) ?? 1
  if (amount >= min && amount % step === 0) return
  const money = await moneyTextOf(db)
  if (amount < min)
    throw invalid(`The smallest amount that can be paid is ${money(min, currency)}.`)
  throw invalid(
    `${label} takes amounts in steps of ${money(step, currency)}, so this total cannot be paid by it. Please choose another way to pay, or contact the shop.`,
  )
}

/** Stores the payment, and with a quote reserves its stock. The same cart again has the same payment. */
async function openPayment(
  db: Database,
  context: PaymentContext,
  provider: OpenProvider,
  { start, quote }: { start: Start; quote: Quote | null },
): Promise<NewPayment> {
  const currency = quote?.currency ?? (await settingOf(db, 'currencyDisplay'))
  await requirePayable(db, currency, provider, start.amount)
  const payment: NewPayment = {
    ...newPayment(context, provider, { ...start, currency }),
    provider: provider.name,
    publicKey: provider.publicKey,
    providerOrderId: provider.newOrderId?.() ?? null,
    quote,
  }
  if (quote) return { ...payment, ...(await reserve(db, { ...payment, quote })) }
  if (!(await insertPayment(db, payment))) throw logInFirst()
  return payment
}

/**
 * Starts the payment at the provider. When that fails, the payment is over and its stock is released; the buyer
 * reads why the provider refuses it.
 */
async function startAt(db: Database, provider: OpenProvider, payment: NewPayment) {
  const { id, userId, amountMinor, currency, pollSeconds } = payment
  try {
    const providerOrderId = await provider.start({ amountMinor, currency, receipt: id })
    await setProviderOrder(db, { id, providerOrderId, pollSeconds })
    return providerOrderId
  } catch (error) {
    await release(db, customer(userId), id, { state: 'cancelled' })
    const isRefused = error instanceof Failure && error.code === 'not_found'
    throw isRefused ? conflict(`${NOT_TAKEN} ${error.message}`) : error
  }
}

/** Reserves the stock where there is a quote, and opens the order at the provider, unless it has it. */
async function openOrder(
  db: Database,
  context: PaymentContext,
  provider: OpenProvider,
  { start, quote }: { start: Start; quote: Quote | null },
): Promise<Started> {
  const payment = await openPayment(db, context, provider, { start, quote })
  const id = payment.providerOrderId ?? (await startAt(db, provider, payment))
  const { publicKey: key, script: checkout } = provider
  const currency = context.providerCurrency ?? payment.currency
  return { id, amount: start.amount, currency, key, checkout }
}

/** Starts the payment of a cart, or orders it where it is free, or is paid without a provider. */
async function startCart(
  db: Database,
  context: PaymentContext,
  provider: OpenProvider,
  start: CartStart,
): Promise<Started> {
  await requireShownAddress(db, start)
  const quote = await agreedQuote(db, start)
  const { paymentMethod, paymentChoices } = quote
  if (provider.isByHand) {
    const { days } = paymentChoices.find(({ method }) => method === paymentMethod) ?? { days: 0 }
    return placeUnpaidOrder(db, context, provider, { start, quote, days })
  }
  const open = isFree(quote) ? placeFreeOrder : openOrder
  return open(db, context, provider, { start, quote })
}

/** The failure with today's quote, where a price or a coupon has changed since the quote. */
async function withQuote(db: Database, start: CartStart, error: unknown): Promise<unknown> {
  const isQuoted = !(error instanceof Failure) || error.code !== 'price_changed'
  if (isQuoted || error.details.quote) return error
  return quoteChanged(db, await quoteCart(db, start), error.message)
}

/**
 * Opens an order of `amount` minor units at the provider. With a cart, its products are reserved,
 * and sold at the prices of this moment. Another attempt at the same cart has the same order, as long as it
 * is not paid. A cart that a discount makes free, or that is paid without a provider, is ordered at once; repeated
 * within five minutes it answers the same order. Throws `invalid` (an unknown product, an empty cart, a wrong amount: spec §5, a place that is missing or not
 * delivered to), `out_of_stock`, `price_changed` with the new quote when the amount is not the cart's or the shipping
 * rate is gone, `conflict` for another address than the buyer saw, and for an amount without a cart where it may not be the whole total, and
 * `unavailable` when payments are not set up or the provider does not answer; then nothing is reserved.
 */
export async function startPayment(
  db: Database,
  context: PaymentContext,
  start: Start,
): Promise<Started> {
  const { paymentMethod } = start
  const { providers } = context
  const provider = paymentMethod ? providers.get(paymentMethod) : providers.current
  if (!provider) throw unavailable(CANNOT_TAKE_PAYMENTS, NOT_SET_UP_SECONDS)
  const { cart } = start
  if (!cart) {
    if (paymentMethod) throw invalid(AMOUNT_INVALID)
    if (await hasSurcharges(db)) throw conflict(AMOUNT_ONLY)
    await requireShownAddress(db, start)
    return openOrder(db, context, provider, { start, quote: null })
  }
  const cartStart = { ...start, cart }
  try {
    return await startCart(db, context, provider, cartStart)
  } catch (error) {
    // also where its coupon or its stock went to the first request
    const placed = await repeatedOrder(db, cartStart)
    if (placed) return placed
    throw await withQuote(db, cartStart, error)
  }
}

type Cancellation = { userId: string; providerOrderId: string; releaseOnly?: boolean | undefined }

/**
 * Cancels a payment: its stock is released, and money that comes in later is released or refunded. With
 * `releaseOnly` the payment stays open. Throws `not_found` when it is not the user's payment.
 */
export async function cancelPayment(
  db: Database,
  { providers }: Pick<PaymentContext, 'providers'>,
  { userId, providerOrderId, releaseOnly = false }: Cancellation,
): Promise<void> {
  const payment = await selectPayment(db, providerOrderId)
  if (payment?.user_id !== userId) throw notFound('There is no such payment.')
  const ending = releaseOnly
    ? { state: 'expired' as const }
    : { state: 'cancelled' as const, isByBuyer: true, providers }
  await release(db, customer(userId), payment.id, ending)
}
