/** The quote: what a cart costs, part by part. Nobody else adds prices up. */
import { MOST_DESCRIBED } from '#app/orders/contract.ts'
import { type CartLine, priceCart } from '#app/products/server/service.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import type { Place } from '#app/shipping/places-contract.ts'
import { withTaxes } from '#app/taxes/server/service.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import type { Choices } from '../choices-contract.ts'
import type { Notice } from '../contract.ts'
import { selectRules } from './store.ts'

export { presentQuote } from './presenter.ts'

export type Adjustment = StoredQuote['adjustments'][number]

/** A line with its share of the discounts, and the tax of what is left. */
export type QuoteLine = CartLine & {
  discount_minor: number
  tax_minor: number
  /** In thousandths of a percent; null when no rate applies. */
  tax_rate: number | null
}

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
  /** Where it is delivered; without it, the default place of the tax settings. */
  place?: Place | null
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
  lines: lines.map(({ category_id: _, needs_shipping: __, tax_class_id: ___, ...line }) => line),
  adjustments,
})

/** The quote of a cart today. Throws `invalid` for an unknown product. */
export async function quoteCart(
  db: Database,
  currency: string,
  { cart, place = null }: QuoteRequest,
): Promise<Quote> {
  const priced = await priceCart(
    db,
    cart.map(({ _id }) => _id),
  )
  const lines = priced.map(({ description, ...line }) => ({
    ...line,
    description: firstCharacters(description, MOST_DESCRIBED),
    discount_minor: 0,
  }))
  const rules = await selectRules(db, place)
  const quote = withTaxes(rules.taxes, { lines, adjustments: [], place, at: new Date() })
  const notices: Notice[] = []
  const subtotalMinor = subtotalOf(quote)
  return { currency, ...quote, subtotalMinor, totalMinor: totalOf(quote), notices }
}
