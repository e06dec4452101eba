import { photoUrl, productPath } from '#app/products/contract.ts'
import { type CatalogueRow, selectCatalogueAfter } from '#app/products/server/service.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import type { Zone } from '#app/shipping/server/rates.ts'
import { zonesOf } from '#app/shipping/server/service.ts'
import type { Database } from '#db/schema.ts'
import { priceText } from './price-text.ts'
import { type ShippingOffer, shippingOffersOf } from './shipping-offers.ts'
import type { ShopFacts } from './shop-facts.ts'
import { element, XML_DECLARATION } from './xml.ts'

/** Products in memory at a time. */
const PAGE = 500

/** The longest texts that Google takes, in characters. */
const LONGEST = { title: 150, description: 5000 }

const shippingOf = ({ country, region, name, priceMinor }: ShippingOffer, currency: string) =>
  [
    '<g:shipping>',
    element('g:country', country),
    element('g:region', region),
    element('g:service', name),
    element('g:price', `${priceText(priceMinor)} ${currency}`),
    '</g:shipping>',
  ].join('')

type Context = { url: string; currency: string; zones: Zone[] }

function itemOf(row: CatalogueRow, { url, currency, zones }: Context): string {
  const offers = shippingOffersOf(zones, row)
  return [
    '<item>',
    element('g:id', row.id),
    element('g:title', firstCharacters(row.name, LONGEST.title)),
    element('g:description', firstCharacters(row.description, LONGEST.description)),
    element('g:link', url + productPath(row)),
    element('g:image_link', url + photoUrl({ _id: row.id, photo: row.photo_version }, 1280)),
    element('g:availability', row.quantity > 0 ? 'in_stock' : 'out_of_stock'),
    element('g:price', `${priceText(row.price_minor)} ${currency}`),
    element('g:condition', 'new'),
    // the shop knows neither brands nor GTINs
    element('g:identifier_exists', 'no'),
    element('g:product_type', row.category_name),
    element(
      'g:shipping_weight',
      row.shipping && row.weight_grams !== null ? `${row.weight_grams} g` : null,
    ),
    ...offers.map((offer) => shippingOf(offer, currency)),
    '</item>\n',
  ].join('')
}

/**
 * The products with photos for Google Merchant Center, as RSS 2.0 in pieces. Google refuses products
 * without a photo.
 */
export async function* productFeed(
  db: Database,
  { name, currency }: ShopFacts,
  url: string,
): AsyncGenerator<string> {
  const context = { url, currency, zones: await zonesOf(db) }
  yield [
    XML_DECLARATION,
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>',
    element('title', name),
    element('link', `${url}/`),
    element('description', `The products of ${name}`),
    '\n',
  ].join('')
  let rows = await selectCatalogueAfter(db, null, PAGE)
  while (rows.length > 0) {
    const pictured = rows.filter(({ photo_version }) => photo_version !== null)
    yield pictured.map((row) => itemOf(row, context)).join('')
    rows = await selectCatalogueAfter(db, rows.at(-1)?.id ?? null, PAGE)
  }
  yield '</channel></rss>\n'
}
