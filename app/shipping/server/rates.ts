/** Shipping rates of a cart, from the zones of the shop: pure functions. */
import type { ProductAsSold } from '#app/products/server/products-as-sold.sql.ts'
import type { Line as QuotedLine, Row } from '#db/schema.ts'
import type { DeliveryDays } from '../contract.ts'
import { type Place, placeName } from '../model.ts'

/** A tier ends at a weight in grams or an amount in minor units, which it includes; they ascend. */
export type Rate = Omit<Row<'shipping_rates'>, 'zone_id' | 'position'>

/** A zone, with its places in the country of the delivery, and its rates in their order. */
export type Zone = { is_default: boolean; places: Place[]; rates: Rate[] }

/** The zones of a shop, of which those that may take a place; null in a shop that charges no shipping. */
export type ShippingRules = {
  zones: Zone[]
  /** Whether there is a zone beside the default. */
  vary_by_place: boolean
  /** Whether a region of the country of the place is in a zone. */
  has_regions: boolean
} | null

/** Whether a delivery somewhere may cost something, or may be refused. */
export const mayCharge = (rules: ShippingRules): boolean =>
  rules !== null &&
  (rules.vary_by_place ||
    rules.zones.some(
      ({ rates }) => rates.length === 0 || rates.some(({ price_minor }) => price_minor !== 0),
    ))

/** The weight and the price of a line. */
export type Line = Pick<QuotedLine, 'price_minor' | 'quantity' | 'discount_minor'> &
  Pick<ProductAsSold, 'needs_shipping' | 'weight_grams'>

type Goods = { amountMinor: number; grams: number }

export type Choice = { id: string; label: string; amountMinor: number; isPickup: boolean }

export type Shipping = {
  /** In the order of the zone. */
  choices: Choice[]
  /** The rate that is charged. Undefined when the cart cannot be delivered. */
  chosen: Choice | undefined
  /** Whether the requested rate is none of the choices. */
  isRateGone: boolean
  /** The reason why the cart cannot be delivered. */
  refusal: string | null
}

/** A product without a weight counts as 0 g. */
const goodsOf = (lines: Line[]): Goods => ({
  amountMinor: lines.reduce(
    (sum, { price_minor, quantity, discount_minor }) =>
      sum + price_minor * quantity - discount_minor,
    0,
  ),
  grams: lines.reduce(
    (sum, { needs_shipping, weight_grams, quantity }) =>
      needs_shipping ? sum + (weight_grams ?? 0) * quantity : sum,
    0,
  ),
})

/** The zone of a place: the most specific wins, and the default takes the rest. */
export function zoneOf(zones: Zone[], place: Place | null): Zone | undefined {
  const having = (region: string | null) =>
    zones.find(({ places }) =>
      places.some((one) => one.country === place?.country && one.region === region),
    )
  return (
    (place?.region != null ? having(place.region) : undefined) ??
    having(null) ??
    zones.find(({ is_default }) => is_default)
  )
}

/** The price of a rate in minor units; null when the goods are above its last tier. */
export function priceOf(rate: Rate, { amountMinor, grams }: Goods): number | null {
  const measure = rate.kind === 'weight' ? grams : amountMinor
  const price =
    rate.tiers === null
      ? rate.price_minor
      : rate.tiers.find(({ up_to }) => up_to === null || measure <= up_to)?.price_minor
  if (price == null) return null
  const isFree = rate.free_from_minor !== null && amountMinor >= rate.free_from_minor
  return isFree ? 0 : price
}

const choicesOf = (zone: Zone | undefined, goods: Goods): Choice[] =>
  (zone?.rates ?? []).flatMap((rate) => {
    const amountMinor = priceOf(rate, goods)
    if (amountMinor === null) return []
    return [{ id: rate.id, label: rate.name, amountMinor, isPickup: rate.kind === 'pickup' }]
  })

const cheapestOf = (choices: Choice[]) =>
  choices.toSorted((a, b) => a.amountMinor - b.amountMinor)[0]

/** The cheapest that is no pick-up; of equally cheap ones the first. */
export const cheapestDelivery = (choices: Choice[]): Choice | undefined =>
  cheapestOf(choices.filter(({ isPickup }) => !isPickup))

export const ADDRESS_MISSING = 'Please enter your delivery address with its country.'

function refusalOf(zone: Zone | undefined, place: Place | null): string {
  if (zone) {
    const where = place === null ? 'your address' : placeName(place)
    return `This cart is too large to be delivered to ${where}.`
  }
  return place === null ? ADDRESS_MISSING : `We do not deliver to ${placeName(place)} yet.`
}

type Request = {
  lines: Line[]
  place: Place | null
  /** The id of the rate that the customer has chosen. */
  requested?: string | undefined
}

/**
 * The shipping of a cart: the rates to choose from, and the chosen one, which is the cheapest by
 * default. Null when there is nothing to choose: the shop has no zones, or the cart has nothing to ship.
 */
export function shippingOf(
  zones: Zone[] | null,
  { lines, place, requested }: Request,
): Shipping | null {
  if (zones === null || !lines.some(({ needs_shipping }) => needs_shipping)) return null
  const zone = zoneOf(zones, place)
  const choices = choicesOf(zone, goodsOf(lines))
  const wanted = choices.find(({ id }) => id === requested?.toLowerCase())
  return {
    choices,
    chosen: wanted ?? cheapestDelivery(choices) ?? cheapestOf(choices),
    isRateGone: requested !== undefined && wanted === undefined,
    refusal: choices.length === 0 ? refusalOf(zone, place) : null,
  }
}

/** How long a delivery by the rate takes, where that is said. */
export const daysOf = ({ least_days: least, most_days: most }: Rate): { days?: DeliveryDays } =>
  least === null || most === null ? {} : { days: { least, most } }

/** A piece of a product that is shipped. */
type Piece = Pick<Line, 'price_minor' | 'weight_grams'>

/** A rate, and what it costs. */
type Offer = { rate: Rate; amountMinor: number }

/** The cheapest delivery of one piece by itself in a whole country. */
function offerFor(zones: Zone[], country: string, piece: Piece): Offer | undefined {
  const line = { ...piece, quantity: 1, discount_minor: 0, needs_shipping: true }
  const shipping = shippingOf(zones, { lines: [line], place: { country, region: null } })
  const choice = cheapestDelivery(shipping?.choices ?? [])
  const rate = zones.flatMap(({ rates }) => rates).find(({ id }) => id === choice?.id)
  return rate && choice && { rate, amountMinor: choice.amountMinor }
}

/**
 * The least that is paid for the delivery of one piece in a country, of which `pieces` has each variant; it is free
 * only where it is for all. Null where one of them is not delivered, and where regions have rates of their own.
 */
export function deliveryOf(rules: ShippingRules, country: string, pieces: Piece[]): Offer | null {
  if (!rules || !country || rules.has_regions) return null
  const offers = pieces.map((piece) => offerFor(rules.zones, country, piece))
  const known = offers.filter((offer) => offer !== undefined)
  if (known.length < pieces.length) return null
  const paid = known.filter(({ amountMinor }) => amountMinor > 0)
  return (paid.length > 0 ? paid : known).sort((a, b) => a.amountMinor - b.amountMinor)[0] ?? null
}
