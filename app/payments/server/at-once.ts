/** Orders that a start places by itself: those that cost nothing, and unpaid ones. No money moves. */
import { isDeepStrictEqual } from 'node:util'
import { v7 as uuidv7 } from 'uuid'
import type { Agreement } from '#app/checkout/contract.ts'
import type { Quote, QuoteRequest } from '#app/checkout/server/service.ts'
import { hasPiecesOf, isQuoteOf } from '#app/checkout/server/stored-quote.ts'
import type { Order } from '#app/orders/contract.ts'
import { orderOfPayment, type PlacedOrder, presentPlaced } from '#app/orders/server/service.ts'
import { customer } from '#app/shared/server/actor/actor.ts'
import { conflict, logInFirst } from '#app/shared/server/failure.ts'
import type { DeliveryAddress } from '#app/shipping/contract.ts'
import { formatAddress } from '#app/shipping/model.ts'
import { requireAddress } from '#app/shipping/server/service.ts'
import type { Database, StoredAgreement } from '#db/schema.ts'
import { placeFree, placeUnpaid } from './completion-store.ts'
import type { OpenProvider, PaymentContext } from './context.ts'
import { release, reserveAnd } from './reservations.ts'
import { countOwed, type NewPayment, selectPayable, selectRecentPlaced } from './start-store.ts'

/**
 * How long the same cart is a repeated request of the buyer, who did not receive the answer to the first one.
 */
const REPEAT_SECONDS = 300

/** How many unpaid orders hold stock for one buyer. */
const MAX_UNPAID = 3
/** Those of the buyers of an IPv4 address or IPv6 /64, of a /56 and of a /48, in a day. */
const MAX_UNPAID_OF_NETWORKS = [10, 20, 40]

export type Start = Omit<QuoteRequest, 'cart' | 'delivery'> & {
  userId: string
  amount: number
  delivery?: DeliveryAddress
  /** Absent: the address of the delivery. */
  billing?: DeliveryAddress | undefined
  /** The address of the profile as the buyer saw it. */
  shownAddress?: string
  /** The networks of the buyer's address, narrowest first, where reservations of networks are limited. */
  networks?: string[] | null
  cart?: { _id: string }[]
  /** The legal texts to which the buyer has agreed. */
  agreements?: Agreement[]
}

type Addresses = Pick<Start, 'delivery' | 'billing'>

export type CartStart = Start & QuoteRequest

/** The facts for the buyer's dialog; `amount` is in minor units. An order without a payment is there already. */
export type Started = {
  id: string
  amount: number
  currency: string
  key: string
  checkout: string
  order?: Order
}

/** The delivery or billing address as a payment stores it. Throws `invalid` for a country that there is not. */
function storedAddress(start: Addresses, kind: keyof Addresses): NewPayment['delivery'] {
  const given = start[kind]
  if (!given) return null
  const address = requireAddress(given, kind)
  return { ...address, text: formatAddress(address) }
}

/** Whether a stored payment has the addresses of a request. */
export const hasAddressesOf = (
  { delivery, billing }: Pick<NewPayment, 'delivery' | 'billing'>,
  start: Addresses,
): boolean =>
  delivery?.text === storedAddress(start, 'delivery')?.text &&
  isDeepStrictEqual(billing, storedAddress(start, 'billing'))

/** Null where the client did not ask: that of the specification knows no texts. */
const storedAgreement = ({ agreements }: Start): StoredAgreement | null =>
  agreements && agreements.length > 0
    ? Object.fromEntries(agreements.map(({ page, version }) => [page, version]))
    : null

export const newPayment = (
  context: PaymentContext,
  { mode, allowsRetries }: Pick<OpenProvider, 'mode' | 'allowsRetries'>,
  { currency, ...start }: Start & { currency: string },
) => ({
  id: uuidv7(),
  userId: start.userId,
  amountMinor: start.amount,
  delivery: storedAddress(start, 'delivery'),
  billing: storedAddress(start, 'billing'),
  agreed: storedAgreement(start),
  currency,
  test: mode === 'test',
  networks: start.networks ?? null,
  allowsRetries: allowsRetries(currency),
  reservedMinutes: context.reservationMinutes,
  pollSeconds: context.retrySeconds,
})

const placedAs = (id: string, amount: number, currency: string, order: Order): Started => ({
  id,
  amount,
  currency,
  key: '',
  checkout: '',
  order,
})

/**
 * The order of the same cart that the buyer placed just now. A request that is repeated must not order
 * twice, also when its coupon is used up by the first one.
 */
export async function repeatedOrder(db: Database, start: CartStart): Promise<Started | null> {
  const { userId, amount, paymentMethod } = start
  const mayBePlaced = amount === 0 || paymentMethod !== undefined
  if (!mayBePlaced || !Number.isSafeInteger(amount)) return null
  const recent = await selectRecentPlaced(db, userId, {
    provider: paymentMethod ?? 'none',
    amountMinor: amount,
    seconds: REPEAT_SECONDS,
  })
  const same = recent.find(
    ({ quote, ...stored }) => quote && hasAddressesOf(stored, start) && isQuoteOf(quote, start),
  )
  if (!same) return null
  const { id, currency, provider_order_id } = same
  return placedAs(provider_order_id ?? id, amount, currency, await orderOfPayment(db, id))
}

type Place = (
  tx: Database,
  ids: { id: string; orderId: string },
) => Promise<PlacedOrder | undefined>

/** Stores the payment with its stock, and places its order, in one transaction. */
async function placeAtOnce(
  db: Database,
  start: CartStart,
  payment: NewPayment & { quote: Quote; providerOrderId: string },
  place: Place,
): Promise<Started> {
  const placed = await reserveAnd(db, payment, async (tx) => {
    // the buyer is locked: a request at the same time has ended
    if (await repeatedOrder(tx, start)) throw conflict('This order is placed already.')
    return place(tx, { id: payment.id, orderId: uuidv7() })
  })
  if (!placed) throw logInFirst()
  const { providerOrderId: id, amountMinor, currency } = payment
  return placedAs(id, amountMinor, currency, presentPlaced(placed))
}

type Quoted = { start: CartStart; quote: Quote }

/** Places the order of a quote that costs nothing: no provider is asked. */
export function placeFreeOrder(
  db: Database,
  context: PaymentContext,
  provider: OpenProvider,
  { start, quote }: Quoted,
): Promise<Started> {
  const payment = newPayment(context, provider, { ...start, currency: quote.currency })
  const without = { provider: 'none', publicKey: null, providerOrderId: `free_${payment.id}` }
  return placeAtOnce(db, start, { ...payment, ...without, quote }, placeFree)
}

/** Throws `conflict` where the buyer, or a network, has as many unpaid orders as may hold stock. */
async function requireFewUnpaid(tx: Database, { userId, networks }: Start) {
  const { own, ofNetworks } = await countOwed(tx, userId, networks ?? [])
  if (own >= MAX_UNPAID)
    throw conflict(
      `You have ${own} orders that are not paid yet. Order again when one is paid, or ask us to cancel one.`,
    )
  if (ofNetworks.some((count, width) => count >= (MAX_UNPAID_OF_NETWORKS[width] ?? 0)))
    throw conflict(
      'Too many orders of your network are not paid yet. Please choose another way to pay.',
    )
}

/**
 * Cancels what the buyer has started for the same cart: money that a bank completes late goes back, and does not
 * place a second order.
 */
export async function cancelStarted(
  db: Database,
  { providers }: PaymentContext,
  start: Pick<CartStart, 'userId' | 'cart'>,
) {
  const { userId } = start
  for (const { id, quote } of await selectPayable(db, userId))
    if (quote && hasPiecesOf(quote, start))
      await release(db, customer(userId), id, {
        state: 'cancelled',
        isByBuyer: true,
        providers,
      })
}

/**
 * Places the order of a cart that is paid without a provider, unpaid. Throws `conflict` for a buyer who has too
 * many unpaid orders.
 */
export async function placeUnpaidOrder(
  db: Database,
  context: PaymentContext,
  provider: OpenProvider,
  { start, quote, days }: Quoted & { days: number },
): Promise<Started> {
  await cancelStarted(db, context, start)
  const payment = newPayment(context, provider, { ...start, currency: quote.currency })
  const { id: receipt, amountMinor, currency } = payment
  const providerOrderId = await provider.start({ receipt, amountMinor, currency })
  const without = { provider: provider.name, publicKey: null, providerOrderId }
  return placeAtOnce(db, start, { ...payment, ...without, quote }, async (tx, ids) => {
    await requireFewUnpaid(tx, start)
    return placeUnpaid(tx, { ...ids, days })
  })
}
