/** What the page of a product says about its delivery in the country of the shop. */
import { toMajor } from '#app/shared/server/minor-units.ts'
import { countryName } from '#app/shipping/model.ts'
import { daysOf, deliveryOf } from '#app/shipping/server/rates.ts'
import type { Database } from '#db/schema.ts'
import type { DetailedProduct } from '../contract.ts'
import { selectDelivered } from './delivery-store.ts'

/** The product with its delivery, where it is shipped, and zones say what that costs. */
export async function withDelivery(
  db: Database,
  product: DetailedProduct,
): Promise<DetailedProduct> {
  if (product.shipping === 0) return product
  const { country, rules, pieces } = await selectDelivered(db, product._id)
  const offer = deliveryOf(rules, country, pieces)
  if (!country || !offer) return product
  const { rate, amountMinor } = offer
  return {
    ...product,
    delivery: {
      country,
      countryName: countryName(country),
      price: toMajor(amountMinor),
      ...daysOf(rate),
    },
  }
}
