/** The quote: what a cart costs, part by part. Nobody else adds prices up. */
import { discountLines, type GuessLimit } from '#app/coupons/server/service.ts'
import { MOST_DESCRIBED } from '#app/orders/contract.ts'
import { type CartLine, priceCart } from '#app/products/server/service.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import type { Choices } from '../choices-contract.ts'
import type { Notice } from '../contract.ts'

export { guessLimit } from '#app/coupons/server/service.ts'
export { isHeldTwice, returnHolds, takeHolds } from './holds.ts'
export { presentQuote } from './presenter.ts'

export type Adjustment = StoredQuote['adjustments'][number]

/** A line with its share of the discounts, and the tax of what is left. */
export type QuoteLine = CartLine & { discount_minor: number; tax_minor: number }

/** A cart at the prices of a moment; amounts are in minor units of `currency`. */
export type Quote = {
  currency: string
  lines: QuoteLine[]
  adjustments: Adjustment[]
  /** The sum of the lines. */
  subtotalMinor: number
  /** The sum of the lines and the adjustments: what is charged. */
  totalMinor: number
  /** The choices that do not hold. */
  notices: Notice[]
}

/** What is asked for; `cart` has one entry a piece. */
export type QuoteRequest = Choices & {
  cart: { _id: string }[]
  /** Absent for a guest. */
  userId?: string | undefined
  /** Counts the wrong coupon codes of the caller. */
  limitGuesses?: GuessLimit | undefined
}

type Priced = {
  lines: { price_minor: number; quantity: number }[]
  adjustments: { amount_minor: number; is_included: boolean }[]
}

/** The sum of the lines in minor units. */
export const subtotalOf = ({ lines }: Pick<Priced, 'lines'>): number =>
  lines.reduce((sum, { price_minor, quantity }) => sum + price_minor * quantity, 0)

/** The sum of the lines, and of the adjustments that they do not contain already, in minor units. */
export const totalOf = (quote: Priced): number =>
  quote.adjustments.reduce(
    (sum, { amount_minor, is_included }) => (is_included ? sum : sum + amount_minor),
    subtotalOf(quote),
  )

/** The part of a quote that a payment stores and an order copies. */
export const storedQuote = ({ lines, adjustments }: Quote): StoredQuote => ({
  lines: lines.map(({ category_id: _, needs_shipping: __, ...line }) => line),
  adjustments,
})

/** The lines of the cart at today's prices, without discounts and tax. */
async function linesOf(db: Database, cart: QuoteRequest['cart']): Promise<QuoteLine[]> {
  const priced = await priceCart(
    db,
    cart.map(({ _id }) => _id),
  )
  return priced.map(({ description, ...line }) => ({
    ...line,
    description: firstCharacters(description, MOST_DESCRIBED),
    discount_minor: 0,
    tax_minor: 0,
  }))
}

/** The row of a coupon's discount. */
const discountRow = ({ code, amount_minor }: { code: string; amount_minor: number }) => ({
  kind: 'discount' as const,
  label: `Coupon ${code}`,
  source: code,
  amount_minor,
  is_included: false,
  tax_minor: 0,
})

/** The quote of a cart today. Throws `invalid` for an unknown product. */
export async function quoteCart(
  db: Database,
  currency: string,
  { cart, couponCodes = [], userId, limitGuesses }: QuoteRequest,
): Promise<Quote> {
  const goods = await linesOf(db, cart)
  const given = { codes: couponCodes, buyerId: userId, limitGuesses, currency }
  const { lines, discounts, notices } = await discountLines(db, goods, given)
  const quote = { lines, adjustments: discounts.map(discountRow) }
  const subtotalMinor = subtotalOf(quote)
  return { currency, ...quote, subtotalMinor, totalMinor: totalOf(quote), notices }
}
