import type { OfferShippingDetails, Product, WithContext } from 'schema-dts'
import { photoUrl, productPath } from '#app/products/contract.ts'
import { type CatalogueRow, selectCatalogueProduct } from '#app/products/server/catalogue.sql.ts'
import { plainText } from '#app/products/server/description.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { zonesOf } from '#app/shipping/server/service.ts'
import type { Database } from '#db/schema.ts'
import { type ShippingOffer, shippingOffersOf } from './shipping-offers.ts'
import { priceText, type ShopFacts } from './shop-facts.ts'

const shippingDetails = (
  { country, region, priceMinor }: ShippingOffer,
  currency: string,
): OfferShippingDetails => ({
  '@type': 'OfferShippingDetails',
  shippingRate: { '@type': 'MonetaryAmount', value: priceText(priceMinor), currency },
  shippingDestination: {
    '@type': 'DefinedRegion',
    addressCountry: country,
    ...(region !== null && { addressRegion: region }),
  },
})

/** A product with its offer. URLs are omitted without the shop's own, because they must be absolute. */
function describe(
  row: CatalogueRow,
  offers: ShippingOffer[],
  { name, url, currency }: ShopFacts,
): WithContext<Product> {
  const page = url === null ? {} : { url: url + productPath(row) }
  const photo = { _id: row.id, photo: row.photo_version }
  const isPictured = url !== null && row.photo_version !== null
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: row.name,
    description: plainText(row.description),
    sku: row.id,
    category: row.category_name,
    ...page,
    ...(isPictured && { image: [url + photoUrl(photo, 1280)] }),
    ...(row.weight_grams !== null && {
      weight: { '@type': 'QuantitativeValue', value: row.weight_grams, unitCode: 'GRM' },
    }),
    offers: {
      '@type': 'Offer',
      ...page,
      price: priceText(row.price_minor),
      priceCurrency: currency,
      availability:
        row.quantity > 0 ? 'https://schema.org/InStock' : 'https://schema.org/OutOfStock',
      itemCondition: 'https://schema.org/NewCondition',
      seller: { '@type': 'Organization', name },
      ...(offers.length > 0 && {
        shippingDetails: offers.map((offer) => shippingDetails(offer, currency)),
      }),
    },
  }
}

/** A product as structured data. Throws `not_found`. */
export async function describeProduct(db: Database, shop: ShopFacts, id: string) {
  const row = await selectCatalogueProduct(db, id)
  if (!row) throw notFound('There is no such product.')
  return describe(row, shippingOffersOf(await zonesOf(db), row), shop)
}
