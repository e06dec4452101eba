/** Orders that an admin places for a customer: paid by hand already, or to be paid without a provider. */
import { NIL, v7 as uuidv7 } from 'uuid'
import { type NewCustomer, openCustomer } from '#app/accounts/server/customer.ts'
import { PRICE_CHANGED, quoteChanged } from '#app/checkout/server/price-change.ts'
import { type Quote, type QuoteRequest, quoteCart } from '#app/checkout/server/service.ts'
import { isQuoteOf } from '#app/checkout/server/stored-quote.ts'
import { reserveCoupons } from '#app/coupons/server/uses.ts'
import type { Order, PaymentMethod } from '#app/orders/contract.ts'
import { changeStatus } from '#app/orders/server/handling/service.ts'
import { openOrder } from '#app/orders/server/service.ts'
import { AMOUNT_INVALID } from '#app/payments/contract.ts'
import type { ReceivedAs } from '#app/payments/order-admin-contract.ts'
import { arePricesOfToday, requireStock, takeStock } from '#app/products/server/service.ts'
import { settingOf } from '#app/settings/server/service.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import {
  conflict,
  invalid,
  invalidFields,
  notFound,
  priceChanged,
} from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { DeliveryAddress } from '#app/shipping/contract.ts'
import { lockBuyer } from '#db/locks.ts'
import type { Database } from '#db/schema.ts'
import { cancelStarted, hasAddressesOf, newPayment } from '../at-once.ts'
import { placeFree, placeUnpaid } from '../completion-store.ts'
import type { PaymentContext } from '../context.ts'
import { receiveAtOnce } from '../owed/owed.ts'
import { releasingFor } from '../reservations.ts'
import { insertPayment, type NewPayment } from '../start-store.ts'
import { isAccountOpen, selectPlacedBy } from './store.ts'

/** The cart of an order, and for whom. */
export type ManualCart = Omit<QuoteRequest, 'userId' | 'limitGuesses' | 'delivery'> & {
  buyerId?: string | undefined
  delivery?: DeliveryAddress | undefined
}

export type ManualOrder = ManualCart & {
  /** The same for a repeated request. */
  key: string
  buyer?: NewCustomer | undefined
  billing?: DeliveryAddress | undefined
  /** The total that the admin saw, in minor units. */
  amount: number
  receivedAs?: ReceivedAs | undefined
  mails: boolean
}

/** Days within which an order is to be paid that is paid at once. */
const PAID_AT_ONCE = 0

/** The quote of the cart for its customer. Throws as `quoteCart` does. */
export const quoteManual = (db: Database, { buyerId, ...cart }: ManualCart): Promise<Quote> =>
  quoteCart(db, { automaticDiscounts: true, ...cart, userId: buyerId })

/** The quote, when it is the one that the admin saw, and can be delivered. */
async function agreedQuote(db: Database, order: ManualOrder) {
  const quote = await quoteManual(db, order)
  if (quote.lines.length === 0 || order.amount < 0) throw invalid(AMOUNT_INVALID)
  if (quote.missing) throw invalidFields([quote.missing])
  const { refusal = null, isRateGone = false } = quote.shipping ?? {}
  if (refusal !== null) throw invalid(refusal, 'delivery.country')
  if (quote.totalMinor === order.amount && !isRateGone) return quote
  await requireStock(db, quote.lines, [])
  throw await quoteChanged(db, quote)
}

/** The provider of the order: none where it costs nothing; of money that came in, the one that is most alike. */
function providerOf({ amount, receivedAs, paymentMethod }: ManualOrder): PaymentMethod | 'none' {
  if (amount === 0) return 'none'
  if (receivedAs) return receivedAs === 'transfer' ? 'bank_transfer' : 'pay_on_delivery'
  if (paymentMethod) return paymentMethod
  throw invalid('Choose how the order was paid, or is to be paid.', 'receivedAs')
}

const noSuchCustomer = () => notFound('There is no such customer.')

type Placing = {
  order: ManualOrder
  quote: Quote
  payment: Omit<NewPayment, 'userId'>
  days: number
  adminId: string
}

/** Takes stock and coupons, and stores the payment with its order, for its money: all in the caller's transaction. */
async function place(tx: Database, placing: Placing): Promise<string> {
  const { order, quote, days, adminId } = placing
  const userId = order.buyerId ?? (await openCustomer(tx, order.buyer ?? { name: '' }))
  const payment = { ...placing.payment, userId, quote }
  await lockBuyer(tx, userId)
  await reserveCoupons(tx, payment)
  await takeStock(tx, quote.lines)
  if (!(await arePricesOfToday(tx, quote.lines))) throw priceChanged(PRICE_CHANGED)
  if (!(await insertPayment(tx, payment))) throw noSuchCustomer()
  const facts = { id: payment.id, orderId: uuidv7(), placedBy: adminId, mails: order.mails }
  const isFree = payment.provider === 'none'
  const placed = isFree ? await placeFree(tx, facts) : await placeUnpaid(tx, { ...facts, days })
  if (!placed) throw noSuchCustomer()
  const { receivedAs, key } = order
  if (receivedAs && !isFree)
    await receiveAtOnce(tx, { orderId: facts.orderId, key, userId: adminId, receivedAs })
  return facts.orderId
}

/** The order that this request has placed before. Throws `conflict` for the key of another order. */
async function repeated(db: Database, order: ManualOrder): Promise<Order | null> {
  const placed = await selectPlacedBy(db, order.key)
  if (!placed) return null
  const { quote, amount_minor, order_id, user_id, number } = placed
  const isBuyer = order.buyerId === undefined || order.buyerId.toLowerCase() === user_id
  const isSame = isBuyer && amount_minor === order.amount && hasAddressesOf(placed, order)
  if (!(isSame && quote && isQuoteOf(quote, order)))
    throw conflict(
      `This order is placed already, as #${number}, with other products, addresses or choices.`,
    )
  return openOrder(db, order_id)
}

/** Throws `invalid` unless there is one customer, and `not_found` for an account that there is not. */
async function requireBuyer(db: Database, { buyerId, buyer }: ManualOrder) {
  if ((buyerId === undefined) === (buyer === undefined))
    throw invalid('Choose a customer, or enter a new one.', 'buyerId')
  if (buyerId !== undefined && !(await isAccountOpen(db, buyerId))) throw noSuchCustomer()
}

/** Places an order whose request was not made before. Throws as `placeOrder` does. */
async function placeNew(
  db: Database,
  context: PaymentContext,
  actor: Actor & { id: string },
  order: ManualOrder,
): Promise<Order> {
  await requireBuyer(db, order)
  const quote = await agreedQuote(db, order)
  const { buyerId, cart } = order
  if (buyerId !== undefined) await cancelStarted(db, context, { userId: buyerId, cart })
  const provider = providerOf(order)
  const methods = await settingOf(db, 'paymentMethods')
  const days = provider === 'none' || order.receivedAs ? PAID_AT_ONCE : methods[provider].days
  const facts = { mode: 'live' as const, allowsRetries: () => false }
  const payment = {
    // a new customer has no account before the transaction
    ...newPayment(context, facts, { ...order, currency: quote.currency, userId: buyerId ?? NIL }),
    provider,
    publicKey: null,
    providerOrderId: `${provider}_${order.key.toLowerCase()}`,
    quote,
    reservedMinutes: null,
  }
  const placing = { order, quote, payment, days, adminId: actor.id }
  const take = () =>
    inTransaction(db, actor, async (tx) => {
      const id = await place(tx, placing)
      if (order.isHandedOver)
        await changeStatus(tx, actor, { orderId: id, status: 'deliverd', notify: false })
      return id
    })
  return openOrder(db, await releasingFor(db, payment, take))
}

/**
 * Places an order for a customer, who may be new: its stock and coupons are taken as by any order, and it is paid by
 * hand at once, or to be paid. No limit of unpaid orders applies, and what the customer has reserved stays. Idempotent
 * by `key`. Throws `invalid` for a cart that cannot be delivered, `out_of_stock` with the product, `price_changed` with
 * the new quote when the amount is not the cart's, `not_found` for an unknown customer, and `conflict` for the e-mail
 * of another customer.
 */
export async function placeOrder(
  db: Database,
  context: PaymentContext,
  actor: Actor & { id: string },
  order: ManualOrder,
): Promise<Order> {
  const before = await repeated(db, order)
  if (before) return before
  try {
    return await placeNew(db, context, actor, order)
  } catch (error) {
    // the first request may have taken its stock, its coupon or its e-mail at the same time
    const placed = await repeated(db, order)
    if (placed) return placed
    throw error
  }
}
