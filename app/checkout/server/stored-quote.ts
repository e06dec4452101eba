/** Quotes as payments store them, compared with a cart and with the prices of today. */
import { codeKey, isAutomatic } from '#app/coupons/server/coupon.ts'
import { quantitiesIn } from '#app/products/server/service.ts'
import { Failure } from '#app/shared/server/failure.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import type { Choices } from '../contract.ts'
import { type Adjustment, type Quote, type QuoteRequest, quoteCart } from './service.ts'

/** The part of a quote that a payment stores and an order copies. */
export const storedQuote = ({ lines, adjustments }: Quote): StoredQuote => ({
  lines: lines.map((line) => ({
    product_id: line.product_id,
    variant_id: line.variant_id,
    cart_id: line.cart_id,
    sku: line.sku,
    options: line.options,
    quantity: line.quantity,
    name: line.name,
    slug: line.slug,
    description: line.description,
    price_minor: line.price_minor,
    discount_minor: line.discount_minor,
    tax_minor: line.tax_minor,
    tax_rate: line.tax_rate,
  })),
  adjustments,
})

/** The id of a line in the cart; one of before 0.6.0 was the product's. */
const cartIdOf = ({ cart_id, product_id }: StoredQuote['lines'][number]) => cart_id ?? product_id

/** Whether a stored quote has the pieces of this cart. */
export function hasPiecesOf({ lines }: StoredQuote, { cart }: Pick<QuoteRequest, 'cart'>): boolean {
  const quantities = quantitiesIn(cart.map(({ _id }) => _id))
  return (
    lines.length === quantities.size &&
    lines.every((line) => quantities.get(cartIdOf(line)) === line.quantity)
  )
}

/** Whether a stored quote is of this cart, with these coupons and this shipping rate, whatever was automatic. */
export function isQuoteOf(
  quote: StoredQuote,
  { cart, couponCodes = [], shippingRate }: Pick<QuoteRequest, 'cart' | keyof Choices>,
): boolean {
  const codes = couponCodes.map(codeKey)
  return (
    hasPiecesOf(quote, { cart }) &&
    quote.adjustments.every(
      (row) =>
        (row.kind !== 'discount' || isAutomatic(row) || codes.includes(codeKey(row.source))) &&
        (row.kind !== 'shipping' || row.source === (shippingRate ?? row.source)),
    )
  )
}

/**
 * The total of a stored quote's cart today, with its coupons and its shipping rate; null
 * when one of them does not apply any more, or the total depends on a place that is missing.
 */
export async function totalOfToday(
  db: Database,
  {
    quote: { lines, adjustments },
    ...buyer
  }: { quote: StoredQuote } & Pick<QuoteRequest, 'delivery' | 'userId'>,
): Promise<Pick<Quote, 'totalMinor' | 'currency'> | null> {
  const sources = (wanted: Adjustment['kind']) =>
    adjustments.flatMap(({ kind, source }) => (kind === wanted ? [source] : []))
  const cart = lines.flatMap((line) =>
    Array.from({ length: line.quantity }, () => ({ _id: cartIdOf(line) })),
  )
  const [shippingRate] = sources('shipping')
  const automatic = adjustments.filter(isAutomatic).map(({ source }) => source)
  const request = {
    cart,
    couponCodes: sources('discount').filter((source) => !automatic.includes(source)),
    automaticDiscounts: automatic.length > 0,
    shippingRate,
    ...buyer,
  }
  const today = await quoteCart(db, request).catch((error) => {
    if (error instanceof Failure) return null
    throw error
  })
  const isPossible =
    today && !today.missing && !today.shipping?.refusal && !today.shipping?.isRateGone
  return isPossible ? today : null
}
