/** What the page of a product says about its delivery in the country of the shop. */

import type { DetailedProduct } from '#app/products/contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { formatMinor } from '#app/shared/server/money-text.ts'
import type { DeliveryDays } from '#app/shipping/contract.ts'
import { countryName } from '#app/shipping/model.ts'
import { daysOf, deliveryOf } from '#app/shipping/server/rates.ts'
import type { Database } from '#db/schema.ts'
import { selectDelivered } from './store.ts'

/** The days as customers read them: 2–4 working days. */
function daysText({ least, most }: DeliveryDays): string {
  if (most === 0) return 'on the same working day'
  const range = least === most ? most : `${least}–${most}`
  return `${range} working ${range === 1 ? 'day' : 'days'}`
}

/**
 * The product with its delivery, where it is shipped, and zones say what that costs. Its text is made here, where names
 * of countries and formats of money cost a visitor nothing.
 */
export async function withDelivery(
  db: Database,
  product: DetailedProduct,
): Promise<DetailedProduct> {
  if (product.shipping === 0) return product
  const { settings, rules, pieces } = await selectDelivered(db, product._id)
  const { country, currencyDisplay, locale } = settings
  const offer = deliveryOf(rules, country, pieces)
  if (!offer) return product
  const { rate, amountMinor } = offer
  const place = countryName(country)
  const cost =
    amountMinor === 0
      ? `Free delivery to ${place}`
      : `Delivered to ${place} from ${formatMinor(amountMinor, currencyDisplay, locale)}`
  const { days } = daysOf(rate)
  const text = days ? `${cost}, ${daysText(days)}` : cost
  return {
    ...product,
    delivery: {
      country,
      price: toMajor(amountMinor, currencyDisplay),
      ...(days && { days }),
      text,
    },
  }
}
