import type { CatalogueRow } from '#app/products/server/catalogue.sql.ts'
import { shippingOf, type Zone } from '#app/shipping/server/rates.ts'

/** The price of delivering one unit of a product to a place, and the name of the rate. */
export type ShippingOffer = {
  country: string
  region: string | null
  name: string
  priceMinor: number
}

/** Google reads at most a hundred for a product, with all its variants. */
const MAX_OFFERS = 100

type Shipped = Pick<CatalogueRow, 'price_minor' | 'shipping' | 'weight_grams'>

/** The cheapest delivery of one piece in a zone; undefined when it is only for pick-up. */
function rateOf(zone: Zone, { price_minor, weight_grams }: Shipped) {
  const line = { price_minor, weight_grams, quantity: 1, discount_minor: 0, needs_shipping: true }
  const { chosen } =
    shippingOf([{ ...zone, is_default: true }], { lines: [line], place: null }) ?? {}
  return chosen?.isPickup ? undefined : chosen
}

/**
 * The shipping of a product to each place of the zones. The default zone names no places, so what it
 * costs there is not said. Of several variants that are described together, each has its share of the offers.
 */
export function shippingOffersOf(zones: Zone[], product: Shipped, variants = 1): ShippingOffer[] {
  if (!product.shipping) return []
  const offers = zones.flatMap((zone) => {
    const rate = rateOf(zone, product)
    if (!rate) return []
    return zone.places.map((place) => ({
      ...place,
      name: rate.label,
      priceMinor: rate.amountMinor,
    }))
  })
  return offers.slice(0, Math.floor(MAX_OFFERS / variants))
}
