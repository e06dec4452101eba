import { categoryPath } from '#app/categories/contract.ts'
import { productPath } from '#app/products/contract.ts'
import { photoUrls } from '#app/products/photo-contract.ts'
import {
  selectCategoryDates,
  selectIsLastOfPart,
  selectPages,
  selectPartAfter,
} from '#app/products/server/catalogue.sql.ts'
import { settingsOf } from '#app/settings/server/service.ts'
import { href } from '#app/shared/model/href.ts'
import { noSuchAddress } from '#app/shared/server/failure.ts'
import type { Database } from '#db/schema.ts'
import { element, XML_DECLARATION } from './xml.ts'

/**
 * Products in a part of the sitemap. The format allows 50,000; parts of 5,000 are small enough for
 * the page cache, and an edit makes fewer products new for a crawler.
 */
const PART = 5000

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const IMAGES = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'

/** The sitemap of all pages that are no products, and those of products, by their first key. */
export const PAGES_SITEMAP = '/sitemap-pages.xml'
export const PRODUCTS_SITEMAP = '/sitemap-products.xml'

const INFO_PAGES = [href('/categories'), href('/about'), href('/contact'), href('/policy')]

type Item = { address: string; changedAt?: Date | null; images?: string[] }

const itemOf = (tag: 'url' | 'sitemap', { address, changedAt, images = [] }: Item) =>
  `<${tag}>${element('loc', address)}${element('lastmod', changedAt?.toISOString() ?? null)}${images.map((image) => `<image:image>${element('image:loc', image)}</image:image>`).join('')}</${tag}>\n`

const documentOf = (root: 'urlset' | 'sitemapindex', items: string[], also = '') =>
  `${XML_DECLARATION}<${root} ${NAMESPACE}${also}>\n${items.join('')}</${root}>\n`

/** The index: a part for pages, and one for each 5,000 products, with its last edit. */
export async function sitemapIndex(db: Database, url: string): Promise<string> {
  const items: Item[] = [{ address: url + PAGES_SITEMAP }]
  let after: string | null = null
  for (;;) {
    const part = await selectPartAfter(db, after, PART)
    if (!part) break
    const key = after === null ? '' : `?after=${after}`
    items.push({ address: url + PRODUCTS_SITEMAP + key, changedAt: part.editedAt })
    if (part.count < PART) break
    after = part.last
  }
  return documentOf(
    'sitemapindex',
    items.map((item) => itemOf('sitemap', item)),
  )
}

/** Home, categories and information pages. A list changed when its newest product came. */
export async function pagesSitemap(db: Database, url: string): Promise<string> {
  const [categories, { legalPages }] = await Promise.all([selectCategoryDates(db), settingsOf(db)])
  const dates = categories.flatMap(({ changedAt }) => changedAt ?? [])
  const newest = dates.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null
  const items: Item[] = [
    { address: `${url}/`, changedAt: newest },
    ...[...INFO_PAGES, ...legalPages.map((page) => href('/legal/:page', { page }))].map((path) => ({
      address: url + path,
    })),
    ...categories.map(({ slug, changedAt }) => ({
      address: url + categoryPath({ slug }),
      changedAt,
    })),
  ]
  return documentOf(
    'urlset',
    items.map((item) => itemOf('url', item)),
  )
}

/**
 * The products after the one of this id, which is the last one of a part: each product of another id
 * would be a document of its own in the page cache. Throws `not_found` for any other id, and when there
 * are no products after it.
 */
export async function productsSitemap(db: Database, url: string, after: string | null) {
  if (after !== null && !(await selectIsLastOfPart(db, after, PART))) throw noSuchAddress()
  const products = await selectPages(db, after, PART)
  if (after !== null && products.length === 0) throw noSuchAddress()
  return documentOf(
    'urlset',
    products.map(({ id, slug, updated_at: changedAt, photos }) =>
      itemOf('url', {
        address: url + productPath({ slug }),
        changedAt,
        images: photoUrls(id, photos, 1280).map((photo) => url + photo),
      }),
    ),
    ` ${IMAGES}`,
  )
}
