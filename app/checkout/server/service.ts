/** The quote: what a cart costs, part by part. Nobody else adds prices up. */
import type { Discount } from '#app/coupons/server/discount.ts'
import type { GuessLimit } from '#app/coupons/server/guesses.ts'
import { discountLines } from '#app/coupons/server/service.ts'
import { MAX_DESCRIPTION, type PaymentMethod } from '#app/orders/contract.ts'
import { plainText } from '#app/products/server/description.ts'
import {
  type CartLine,
  cartLines,
  quantitiesIn,
  requireNotRemoved,
} from '#app/products/server/service.ts'
import type { PaymentMethods } from '#app/settings/admin-contract.ts'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import type { DeliveryPlace } from '#app/shipping/contract.ts'
import type { Place } from '#app/shipping/model.ts'
import { mayCharge, type Shipping, shippingOf } from '#app/shipping/server/rates.ts'
import { missingPart, requirePlace } from '#app/shipping/server/service.ts'
import { type TaxRules, withTaxes } from '#app/taxes/server/tax.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import type { Agreement, Choices, Notice } from '../contract.ts'
import {
  type PaymentChoice,
  paymentChoicesOf,
  paymentNotices,
  varyByCountry,
} from './payment-methods.ts'
import { selectPrices } from './store.ts'

export type Adjustment = StoredQuote['adjustments'][number]

/** A line with its share of the discounts, and the tax of what is left. */
type QuoteLine = CartLine & {
  discount_minor: number
  tax_minor: number
  /** In thousandths of a percent; null when no rate applies. */
  tax_rate: number | null
}

/** A cart at the prices of a moment; amounts are in minor units of `currency`. */
export type Quote = {
  currency: string
  lines: QuoteLine[]
  /** The ids of the cart that are no longer sold: they have no line. */
  gone: string[]
  adjustments: Adjustment[]
  /** Whether a discount of these is for a first order: it is reserved with the buyer locked. */
  hasFirstOrderDiscount: boolean
  /** The sum of the lines. */
  subtotalMinor: number
  /** The sum of the lines and the adjustments: what is charged. */
  totalMinor: number
  /** The choices that do not apply. */
  notices: Notice[]
  /** Null when nothing has to be shipped, or shipping costs nothing in this shop. */
  shipping: Shipping | null
  /** The ways to pay without a provider. */
  paymentChoices: PaymentChoice[]
  /** The chosen one of these, whose fee is in the total. */
  paymentMethod: PaymentMethod | undefined
  /** Whether the place of the delivery decides about shipping, tax or the ways to pay. */
  needsDelivery: boolean
  /** The legal texts to which the buyer agrees, in their present versions. */
  agreements: Agreement[]
  /** The part of the place that the total depends on, and that is missing. */
  missing: FieldProblem | null
}

/** The parameters of a quote; `cart` has one entry a piece. */
export type QuoteRequest = Choices & {
  cart: { _id: string }[]
  delivery?: DeliveryPlace | undefined
  /** Absent for a guest. */
  userId?: string | undefined
  /** Whether the buyer takes it along: without shipping, and without a place. */
  isHandedOver?: boolean | undefined
  /** Counts the wrong coupon codes of the caller. */
  limitGuesses?: GuessLimit | undefined
}

type PricedCart = {
  lines: { price_minor: number; quantity: number }[]
  adjustments: { amount_minor: number; is_included: boolean }[]
}

/** The sum of the lines in minor units. */
const subtotalOf = ({ lines }: Pick<PricedCart, 'lines'>): number =>
  lines.reduce((sum, { price_minor, quantity }) => sum + price_minor * quantity, 0)

/** The sum of the lines, and of the adjustments that they do not contain already, in minor units. */
export const totalOf = (quote: PricedCart): number =>
  quote.adjustments.reduce(
    (sum, { amount_minor, is_included }) => (is_included ? sum : sum + amount_minor),
    subtotalOf(quote),
  )

/** An adjustment before its tax is computed. */
const UNTAXED = { is_included: false, tax_minor: 0, tax_rate: null, basis_minor: null }

/** The chosen shipping rate as a part of the total. */
function shippingAdjustments(shipping: Shipping | null): Adjustment[] {
  if (!shipping?.chosen) return []
  const { id: source, label, amountMinor: amount_minor } = shipping.chosen
  return [{ kind: 'shipping', label, source, amount_minor, ...UNTAXED }]
}

/** The fee of the chosen way to pay as a part of the total. */
function feeAdjustments(chosen: PaymentChoice | undefined): Adjustment[] {
  if (!chosen || chosen.feeMinor === 0) return []
  const { method: source, name: label, feeMinor: amount_minor } = chosen
  return [{ kind: 'fee', label, source, amount_minor, ...UNTAXED }]
}

type Untaxed = {
  lines: Omit<QuoteLine, 'tax_minor' | 'tax_rate'>[]
  adjustments: Adjustment[]
  place: Place | null
  taxes: TaxRules
}

type Payment = {
  methods: PaymentMethods
  currency: string
  /** The id of the shipping rate in the total. */
  shippingRate: string | undefined
  requested: PaymentMethod | undefined
}

/**
 * The lines and adjustments with their tax and with the fee of the chosen way to pay, which is taxed as
 * shipping is. Which ways there are depends on the total without a fee.
 */
function withPayment(
  { taxes, ...goods }: Untaxed,
  { methods, currency, shippingRate, requested }: Payment,
): Pick<Quote, 'lines' | 'adjustments' | 'paymentChoices' | 'paymentMethod'> {
  const { place, adjustments } = goods
  const withoutFee = withTaxes(taxes, goods)
  const totalMinor = totalOf(withoutFee)
  const paymentChoices = paymentChoicesOf(methods, { place, shippingRate, totalMinor, currency })
  const chosen = paymentChoices.find(({ method }) => method === requested)
  const fee = feeAdjustments(chosen)
  const priced =
    fee.length === 0
      ? withoutFee
      : withTaxes(taxes, { ...goods, adjustments: [...adjustments, ...fee] })
  return { ...priced, paymentChoices, paymentMethod: chosen?.method }
}

/** The notices of a place that is not complete, or to which nothing is delivered. */
function placeNotices(missing: FieldProblem | null, shipping: Shipping | null): Notice[] {
  if (missing) return [{ about: 'delivery', message: missing.message, source: missing.field }]
  return shipping?.refusal ? [{ about: 'shipping', message: shipping.refusal }] : []
}

/** A line without discounts and tax. */
const goodsLine = ({ description, ...line }: CartLine): QuoteLine => ({
  ...line,
  description: firstCharacters(plainText(description), MAX_DESCRIPTION),
  discount_minor: 0,
  tax_minor: 0,
  tax_rate: null,
})

/** The row of a discount. */
const discountRow = ({ code, title, isFreeShipping, amount_minor, coupon_id }: Discount) => ({
  kind: 'discount' as const,
  label: title ?? (isFreeShipping ? `Free delivery ${code}` : `Coupon ${code}`),
  source: code,
  amount_minor,
  coupon_id,
  ...UNTAXED,
})

/**
 * The quote of a cart today as `quoteAvailable` makes it. Throws `out_of_stock` for a variant that was removed, and
 * `invalid` for an unknown product, too.
 */
export async function quoteCart(db: Database, request: QuoteRequest) {
  const quote = await quoteAvailable(db, request)
  if (quote.gone.length === 0) return quote
  await requireNotRemoved(db, quote.gone)
  throw invalid('The cart contains an unknown product.', 'cart')
}

/**
 * The quote of what is still sold of a cart today. Throws `invalid` for a delivery to a country or a region
 * that there is not. While a part of the place is missing, the total is an estimate.
 */
export async function quoteAvailable(db: Database, request: QuoteRequest): Promise<Quote> {
  const { cart, couponCodes = [], delivery, userId: buyerId, limitGuesses } = request
  const place = delivery ? requirePlace(delivery) : null
  const quantities = quantitiesIn(cart.map(({ _id }) => _id))
  const automaticFor = request.automaticDiscounts ? { buyerId } : null
  const prices = await selectPrices(db, [...quantities.keys()], place, automaticFor)
  const { currency, shipping: rules, taxes, methods, automatic } = prices
  const { lines: available, gone } = cartLines(quantities, prices.products)
  const goods = available.map(goodsLine)
  const requested = request.shippingRate
  const zones = request.isHandedOver ? null : (rules?.zones ?? null)
  const shippingFor = (lines: typeof goods) => shippingOf(zones, { lines, place, requested })
  const given = { codes: couponCodes, automatic, buyerId, limitGuesses, currency, shippingFor }
  const discounted = await discountLines(db, goods, given)
  const { lines, discounts, shipping } = discounted
  const adjustments = [...discounts.map(discountRow), ...shippingAdjustments(shipping)]
  const varying = shipping && rules ? [taxes, rules] : [taxes]
  const missing = missingPart(place, request.isHandedOver ? [] : varying)
  const quote = withPayment(
    { lines, adjustments, place, taxes },
    {
      methods,
      currency,
      shippingRate: shipping?.chosen?.id,
      requested: request.paymentMethod,
    },
  )
  return {
    currency,
    ...quote,
    hasFirstOrderDiscount: discounts.some(({ isForFirstOrder }) => isForFirstOrder),
    gone,
    subtotalMinor: subtotalOf(quote),
    totalMinor: totalOf(quote),
    notices: [
      ...discounted.notices,
      ...placeNotices(missing, shipping),
      ...paymentNotices(methods, quote.paymentChoices, request.paymentMethod),
    ],
    shipping,
    needsDelivery:
      shipping !== null ||
      taxes.vary_by_place ||
      (place !== null && taxes.rates.length > 0) ||
      varyByCountry(methods),
    agreements: prices.agreements,
    missing,
  }
}

/**
 * Whether a cart may cost more than its goods, or has another tax in another place: shipping, or tax that
 * the prices do not contain. Then its price is not known without it.
 */
export async function hasSurcharges(db: Database): Promise<boolean> {
  const { shipping, taxes } = await selectPrices(db, [], null)
  return mayCharge(shipping) || taxes.vary_by_place
}
