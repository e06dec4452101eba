import { productPath } from '#app/products/contract.ts'
import { selectNewest } from '#app/products/server/service.ts'
import { RSS_PATH } from '#app/shared/model/share-picture.ts'
import type { Database } from '#db/schema.ts'
import { productPicturePath } from '../picture-contract.ts'
import type { ShopFacts } from './shop-facts.ts'
import { element, escapeXml, XML_DECLARATION } from './xml.ts'

const MOST_ITEMS = 50

type Row = Awaited<ReturnType<typeof selectNewest>>[number]

function itemOf(row: Row, url: string): string {
  const picture = url + productPicturePath({ _id: row.id, photo: row.photo_version })
  return [
    '<item>',
    element('title', row.name),
    element('link', url + productPath(row)),
    // the address changes with the name, the id never
    `<guid isPermaLink="false">${row.id}</guid>`,
    element('pubDate', row.created_at.toUTCString()),
    element('category', row.category_name),
    element('description', row.description),
    row.photo_version === null
      ? ''
      : `<media:content url="${escapeXml(picture)}" medium="image" type="image/jpeg"/>`,
    '</item>\n',
  ].join('')
}

/** The newest products as RSS 2.0. */
export async function newProductsFeed(
  db: Database,
  { name }: ShopFacts,
  url: string,
): Promise<string> {
  const rows = await selectNewest(db, MOST_ITEMS)
  return [
    XML_DECLARATION,
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">\n',
    '<channel>',
    element('title', `${name}: new products`),
    element('link', `${url}/`),
    element('description', `The newest products of ${name}`),
    element('language', 'en'),
    `<atom:link href="${escapeXml(url + RSS_PATH)}" rel="self" type="application/rss+xml"/>\n`,
    ...rows.map((row) => itemOf(row, url)),
    '</channel></rss>\n',
  ].join('')
}
