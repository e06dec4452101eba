/** Payments promise that money which came in makes exactly one order, or goes back. */
import { v7 as uuidv7 } from 'uuid'
import { type CartLine, priceCart, requireStock, totalOf } from '#app/products/server/service.ts'
import { invalid, priceChanged } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { AMOUNT_INVALID } from '../contract.ts'
import type { PaymentProvider } from './provider.ts'
import { insertPayment, insertPaymentLines } from './store.ts'

/** The most that is asked for at once, in minor units; a provider may stop earlier. */
const MOST = 1_000_000_000_000

type Start = { userId: string; amount: number; cart?: { _id: string }[] }

/** What the customer's dialog needs to take the money; `amount` is in minor units. */
type Started = { id: string; amount: number; currency: string; key: string; checkout: string }

const isPayable = (amount: number) => Number.isSafeInteger(amount) && amount > 0 && amount <= MOST

/** The cart at today's prices; throws unless it is in stock and costs `amount`. */
async function lineUp(db: Database, amount: number, cart: { _id: string }[]): Promise<CartLine[]> {
  const lines = await priceCart(
    db,
    cart.map(({ _id }) => _id),
  )
  if (!isPayable(amount) || lines.length === 0) throw invalid(AMOUNT_INVALID)
  await requireStock(db, lines)
  if (totalOf(lines) !== amount)
    throw priceChanged('A price has changed. Look at your cart again before you pay.')
  return lines
}

/**
 * Asks the provider for a payment of `amount` minor units and remembers what it is for. With a
 * cart, its products are sold at the prices of this moment. Throws `invalid` (a product that is
 * none, an empty cart, an amount that is none: spec §5), `out_of_stock`, `price_changed` when the
 * amount is not the cart's, and `unavailable` when the provider does not answer.
 */
export async function startPayment(
  db: Database,
  { provider, currency }: { provider: PaymentProvider; currency: string },
  { userId, amount, cart }: Start,
): Promise<Started> {
  const lines = cart && (await lineUp(db, amount, cart))
  if (!isPayable(amount)) throw invalid(AMOUNT_INVALID)
  const id = uuidv7()
  const orderId = await provider.createOrder({ amountMinor: amount, currency, receipt: id })
  await db.transaction().execute(async (tx) => {
    await insertPayment(tx, {
      id,
      user_id: userId,
      provider: provider.name,
      provider_order_id: orderId,
      amount_minor: amount,
      currency,
      priced_cart: lines !== undefined,
    })
    if (lines)
      await insertPaymentLines(
        tx,
        lines.map((line, position) => ({ payment_id: id, position, ...line })),
      )
  })
  const { publicKey, checkoutScript } = provider
  return { id: orderId, amount, currency, key: publicKey, checkout: checkoutScript }
}
