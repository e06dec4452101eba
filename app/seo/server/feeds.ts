/** Feeds of products: for Google Merchant Center, and for readers of RSS. */

import { productPath } from '#app/products/contract.ts'
import {
  type CatalogueRow,
  type NewRow,
  selectCatalogueAfter,
  selectNewest,
} from '#app/products/server/catalogue.sql.ts'
import { plainText } from '#app/products/server/description.ts'
import { selectVariantsOf } from '#app/products/server/variants/catalogue.sql.ts'
import { RSS_PATH } from '#app/shared/model/share-picture.ts'
import { pagesOf } from '#app/shared/server/csv/write.ts'
import { firstCharacters } from '#app/shared/server/first-characters.ts'
import type { Zone } from '#app/shipping/server/rates.ts'
import { zonesOf } from '#app/shipping/server/service.ts'
import type { Database } from '#db/schema.ts'
import { productPicturePath } from '../picture-contract.ts'
import { type OfferedVariant, offersOf } from './offered-variant.ts'
import { type ShippingOffer, shippingOffersOf } from './shipping-offers.ts'
import { priceText, type ShopFacts } from './shop-facts.ts'
import { element, escapeXml, XML_DECLARATION } from './xml.ts'

/** The beginning of RSS 2.0: `about` are elements of the channel. */
const channelOf = (namespaces: string, about: string[]) =>
  `${XML_DECLARATION}<rss version="2.0" ${namespaces}>\n<channel>${about.join('')}\n`

const END = '</channel></rss>\n'

/** The longest texts that Google takes, in characters. */
const MAX_CHARACTERS = { title: 150, brand: 70, mpn: 70, description: 5000 }

/** As many as Google takes beside the first one. */
const MAX_ADDITIONAL_IMAGES = 10

const shippingOf = ({ country, region, name, priceMinor }: ShippingOffer, currency: string) =>
  [
    '<g:shipping>',
    element('g:country', country),
    element('g:region', region),
    element('g:service', name),
    element('g:price', `${priceText(priceMinor, currency)} ${currency}`),
    '</g:shipping>',
  ].join('')

type Context = { url: string; currency: string; zones: Zone[] }

function itemOf(item: OfferedVariant, { url, currency, zones }: Context): string {
  const money = (minor: number) => `${priceText(minor, currency)} ${currency}`
  const { price_minor, before_minor, barcode, brand, mpn, weight_grams } = item
  const [first = null, ...others] = item.photoPaths
  return [
    '<item>',
    element('g:id', item.id),
    element('g:item_group_id', item.group),
    element('g:title', firstCharacters(item.name, MAX_CHARACTERS.title)),
    element(
      'g:description',
      firstCharacters(plainText(item.description), MAX_CHARACTERS.description),
    ),
    element('g:link', url + item.path),
    element('g:image_link', first && url + first),
    ...others
      .slice(0, MAX_ADDITIONAL_IMAGES)
      .map((photo) => element('g:additional_image_link', url + photo)),
    element('g:availability', item.quantity > 0 ? 'in_stock' : 'out_of_stock'),
    element('g:price', money(before_minor ?? price_minor)),
    element('g:sale_price', before_minor === null ? null : money(price_minor)),
    element('g:condition', 'new'),
    element('g:gtin', barcode),
    element('g:brand', brand && firstCharacters(brand, MAX_CHARACTERS.brand)),
    element('g:mpn', mpn && firstCharacters(mpn, MAX_CHARACTERS.mpn)),
    element('g:identifier_exists', (barcode ?? mpn ?? brand) ? null : 'no'),
    ...item.known.map(({ name, value }) => element(`g:${name}`, value)),
    element('g:product_type', item.category_name),
    element(
      'g:shipping_weight',
      item.shipping && weight_grams !== null ? `${weight_grams} g` : null,
    ),
    ...shippingOffersOf(zones, item).map((offer) => shippingOf(offer, currency)),
    '</item>\n',
  ].join('')
}

/** Products whose variants are read together: there may be 500 of each. */
const PRODUCTS_AT_ONCE = 50

/** The items of these products in pieces. */
async function* itemsOf(db: Database, products: CatalogueRow[], context: Context) {
  for (let at = 0; at < products.length; at += PRODUCTS_AT_ONCE) {
    const some = products.slice(at, at + PRODUCTS_AT_ONCE)
    const variants = await selectVariantsOf(
      db,
      some.map(({ id }) => id),
    )
    yield some
      .flatMap((row) => offersOf(row, variants.get(row.id) ?? []))
      .map((item) => itemOf(item, context))
      .join('')
  }
}

/**
 * The variants of products with photos for Google Merchant Center, as RSS 2.0 in pieces. Google refuses products
 * without a photo.
 */
export async function* productFeed(
  db: Database,
  { name, currency }: ShopFacts,
  url: string,
): AsyncGenerator<string> {
  const context = { url, currency, zones: await zonesOf(db) }
  yield channelOf('xmlns:g="http://base.google.com/ns/1.0"', [
    element('title', name),
    element('link', `${url}/`),
    element('description', `The products of ${name}`),
  ])
  for await (const rows of pagesOf((id, limit) => selectCatalogueAfter(db, id, limit))) {
    const pictured = rows.filter(({ photo_version }) => photo_version !== null)
    yield* itemsOf(db, pictured, context)
  }
  yield END
}

const MAX_ITEMS = 50

const NEW_PRODUCTS_NAMESPACES =
  'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"'

function newItemOf(row: NewRow, url: string): string {
  const picture = url + productPicturePath({ _id: row.id, photo: row.photo_version })
  return [
    '<item>',
    element('title', row.name),
    element('link', url + productPath(row)),
    // the address changes with the name, the id never
    `<guid isPermaLink="false">${row.id}</guid>`,
    element('pubDate', row.created_at.toUTCString()),
    element('category', row.category_name),
    element('description', plainText(row.description)),
    row.photo_version === null
      ? ''
      : `<media:content url="${escapeXml(picture)}" medium="image" type="image/jpeg"/>`,
    '</item>\n',
  ].join('')
}

/** The newest products as RSS 2.0. */
export async function newProductsFeed(db: Database, { name }: ShopFacts, url: string) {
  const rows = await selectNewest(db, MAX_ITEMS)
  const about = [
    element('title', `${name}: new products`),
    element('link', `${url}/`),
    element('description', `The newest products of ${name}`),
    element('language', 'en'),
    `<atom:link href="${escapeXml(url + RSS_PATH)}" rel="self" type="application/rss+xml"/>`,
  ]
  const items = rows.map((row) => newItemOf(row, url))
  return channelOf(NEW_PRODUCTS_NAMESPACES, about) + items.join('') + END
}
