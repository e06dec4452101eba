import type { Offer, OfferShippingDetails, Product, ProductGroup, WithContext } from 'schema-dts'
import { productPath } from '#app/products/contract.ts'
import { photoUrls } from '#app/products/photo-contract.ts'
import { type CatalogueRow, selectCatalogueProduct } from '#app/products/server/catalogue.sql.ts'
import { plainText } from '#app/products/server/description.ts'
import { selectVariantsOf } from '#app/products/server/variants/catalogue.sql.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { zonesOf } from '#app/shipping/server/service.ts'
import type { Database } from '#db/schema.ts'
import { type OfferedVariant, offersOf } from './offered-variant.ts'
import { type ShippingOffer, shippingOffersOf } from './shipping-offers.ts'
import { priceText, type ShopFacts } from './shop-facts.ts'

const shippingDetails = (
  { country, region, priceMinor }: ShippingOffer,
  currency: string,
): OfferShippingDetails => ({
  '@type': 'OfferShippingDetails',
  shippingRate: { '@type': 'MonetaryAmount', value: priceText(priceMinor, currency), currency },
  shippingDestination: {
    '@type': 'DefinedRegion',
    addressCountry: country,
    ...(region !== null && { addressRegion: region }),
  },
})

/** The most variants that are described in a page; of more only the first ones, and all of them in the feed. */
const MAX_DESCRIBED = 100
const FIRST_DESCRIBED = 10

type Facts = { offers: ShippingOffer[]; shop: ShopFacts }

/** An offer. URLs are omitted without the shop's own, because they must be absolute. */
const offerOf = (
  { path, price_minor, before_minor, quantity }: OfferedVariant,
  { offers, shop: { name, url, currency } }: Facts,
): Offer => ({
  '@type': 'Offer',
  ...(url !== null && { url: url + path }),
  price: priceText(price_minor, currency),
  priceCurrency: currency,
  ...(before_minor !== null && {
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      priceType: 'https://schema.org/StrikethroughPrice',
      price: priceText(before_minor, currency),
      priceCurrency: currency,
    },
  }),
  availability: quantity > 0 ? 'https://schema.org/InStock' : 'https://schema.org/OutOfStock',
  itemCondition: 'https://schema.org/NewCondition',
  seller: { '@type': 'Organization', name },
  ...(offers.length > 0 && {
    shippingDetails: offers.map((offer) => shippingDetails(offer, currency)),
  }),
})

/** What a variant has for itself. */
const ownFactsOf = (variant: OfferedVariant, facts: Facts) => ({
  sku: variant.sku ?? variant.id,
  ...(variant.barcode !== null && { gtin: variant.barcode }),
  ...(variant.weight_grams !== null && {
    weight: {
      '@type': 'QuantitativeValue' as const,
      value: variant.weight_grams,
      unitCode: 'GRM',
    },
  }),
  ...Object.fromEntries(variant.known.map(({ name, value }) => [name, value])),
  offers: offerOf(variant, facts),
})

/** The photos, whose URLs have to be absolute. */
const imageOf = (paths: string[], { url }: ShopFacts) =>
  url !== null && paths.length > 0 && { image: paths.map((path) => url + path) }

/** What variants have in common. */
function commonFactsOf(row: CatalogueRow, shop: ShopFacts) {
  const { url } = shop
  return {
    name: row.name,
    description: plainText(row.description),
    category: row.category_name,
    ...(row.brand !== null && { brand: { '@type': 'Brand' as const, name: row.brand } }),
    ...(row.mpn !== null && { mpn: row.mpn }),
    ...(url !== null && { url: url + productPath(row) }),
    ...imageOf(photoUrls(row.id, row.photos, 1280), shop),
  }
}

/** A product with options, with its variants. */
function describeGroup(row: CatalogueRow, variants: OfferedVariant[], facts: FactsOf) {
  const common = commonFactsOf(row, facts.shop)
  const names = new Set(variants.flatMap(({ known }) => known.map(({ name }) => name)))
  const isMany = variants.length > MAX_DESCRIBED
  const described = isMany ? variants.slice(0, FIRST_DESCRIBED) : variants
  return {
    '@context': 'https://schema.org' as const,
    '@type': 'ProductGroup' as const,
    ...common,
    productGroupID: row.id,
    ...(names.size > 0 && { variesBy: [...names].map((name) => `https://schema.org/${name}`) }),
    hasVariant: described.map((variant) => ({
      '@type': 'Product' as const,
      name: variant.name,
      ...imageOf(variant.photoPaths, facts.shop),
      ...(common.brand && { brand: common.brand }),
      ...(common.mpn && { mpn: common.mpn }),
      ...ownFactsOf(variant, facts.of(variant, described.length)),
    })),
  }
}

type FactsOf = { shop: ShopFacts; of: (variant: OfferedVariant, count: number) => Facts }

/** A product as structured data. Throws `not_found`. */
export async function describeProduct(
  db: Database,
  shop: ShopFacts,
  id: string,
): Promise<WithContext<Product | ProductGroup>> {
  const row = await selectCatalogueProduct(db, id)
  if (!row) throw notFound('There is no such product.')
  const [zones, found] = await Promise.all([zonesOf(db), selectVariantsOf(db, [row.id])])
  const variants = offersOf(row, found.get(row.id) ?? [])
  const of = (variant: OfferedVariant, count: number) => ({
    offers: shippingOffersOf(zones, variant, count),
    shop,
  })
  const [first] = variants
  if (!first) throw notFound('There is no such product.')
  if (first.group !== null) return describeGroup(row, variants, { shop, of })
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    ...commonFactsOf(row, shop),
    ...ownFactsOf(first, of(first, 1)),
  }
}
