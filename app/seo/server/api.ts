import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { CATEGORIES_TAG } from '#app/categories/contract.ts'
import { PRODUCTS_TAG } from '#app/products/contract.ts'
import { countLeft, selectPhoto } from '#app/products/server/catalogue.sql.ts'
import { SETTINGS_TAG } from '#app/settings/contract.ts'
import { pictureBytes } from '#app/settings/server/service.ts'
import { Id } from '#app/shared/contract/fields.ts'
import { RSS_PATH, SHOP_PICTURE } from '#app/shared/model/share-picture.ts'
import { notFound } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { cacheControl } from '#app/shared/server/pictures/format.ts'
import { type PublicDocument, serveDocument } from '#app/shared/server/public-document.ts'
import type { Database } from '#db/schema.ts'
import type { seoCalls } from '../contract.ts'
import { type FeedFile, openFeedFiles } from './feed-file.ts'
import { newProductsFeed, productFeed } from './feeds.ts'
import { manifestOf, robotsText } from './manifest.ts'
import { drawIcon, SHOP_ICONS } from './pictures/icons.ts'
import { drawProductPicture, drawShopPicture } from './pictures/share-picture.ts'
import { requireUrl, type ShopFacts, type ShopUrl, shopFactsOf } from './shop-facts.ts'
import {
  PAGES_SITEMAP,
  PRODUCTS_SITEMAP,
  pagesSitemap,
  productsSitemap,
  sitemapIndex,
} from './sitemap.ts'
import { describeProduct } from './structured-data.ts'

const XML = 'application/xml; charset=utf-8'

/** Pictures are embedded by other origins. */
const EMBEDDABLE = { 'cross-origin-resource-policy': 'cross-origin' }

type Options = { db: Database; url: () => ShopUrl }

export const seoHandlers = ({ db, url }: Options): Handlers<typeof seoCalls> => ({
  async structuredData({ params }) {
    return {
      success: true,
      product: await describeProduct(db, await shopFactsOf(db, url()), params.id),
    }
  },
  async productPicture({ params, query, reply }) {
    const photo = await selectPhoto(db, { id: params.id, width: 1280, format: 'jpeg' })
    if (!photo?.bytes || !photo.is_published) throw notFound('There is no photo of this product.')
    reply
      .type('image/jpeg')
      .headers({ ...EMBEDDABLE, 'cache-control': cacheControl(query.v === photo.version) })
    return drawProductPicture(Buffer.from(photo.bytes))
  },
})

const logoOf = async (db: Database, { logo }: ShopFacts): Promise<Buffer | undefined> =>
  logo === null ? undefined : pictureBytes(db, logo)

function sitemapsOf({ db, url }: Options): PublicDocument[] {
  return [
    {
      path: '/sitemap.xml',
      type: XML,
      tags: [PRODUCTS_TAG],
      make: () => sitemapIndex(db, requireUrl(url())),
    },
    {
      path: PAGES_SITEMAP,
      type: XML,
      tags: [PRODUCTS_TAG, CATEGORIES_TAG, SETTINGS_TAG],
      make: () => pagesSitemap(db, requireUrl(url())),
    },
    {
      path: PRODUCTS_SITEMAP,
      type: XML,
      query: Type.Object({ after: Type.Optional(Id) }),
      tags: [PRODUCTS_TAG],
      make: ({ after = null }) => productsSitemap(db, requireUrl(url()), after),
    },
  ]
}

function shopDocumentsOf({ db, url }: Options): PublicDocument[] {
  return [
    {
      path: '/robots.txt',
      type: 'text/plain; charset=utf-8',
      tags: [],
      make: () => robotsText(url()),
    },
    {
      path: '/manifest.webmanifest',
      type: 'application/manifest+json; charset=utf-8',
      tags: [SETTINGS_TAG],
      make: async () => manifestOf(await shopFactsOf(db, url())),
    },
    {
      path: SHOP_PICTURE,
      type: 'image/png',
      tags: [SETTINGS_TAG],
      headers: EMBEDDABLE,
      make: async () => {
        const shop = await shopFactsOf(db, url())
        return drawShopPicture(shop.name, await logoOf(db, shop))
      },
    },
    {
      path: RSS_PATH,
      type: 'application/rss+xml; charset=utf-8',
      tags: [PRODUCTS_TAG, CATEGORIES_TAG, SETTINGS_TAG],
      make: async () => newProductsFeed(db, await shopFactsOf(db, url()), requireUrl(url())),
    },
    ...SHOP_ICONS.map(
      (icon): PublicDocument => ({
        path: `/${icon.name}`,
        type: 'image/png',
        tags: [SETTINGS_TAG],
        make: async () => drawIcon(icon, await logoOf(db, await shopFactsOf(db, url()))),
      }),
    ),
  ]
}

/**
 * The file as it is, or unpacked for a client that does not accept gzip. The file is closed with
 * the stream: also when the client disconnects. An error reaches the client by the stream that it reads.
 */
function bodyOf({ path }: FeedFile, isPacked: boolean) {
  const file = createReadStream(path)
  return isPacked ? file : pipeline(file, createGunzip(), () => {})
}

/** The product feed is too large for the page cache: it is a file, sent as a stream. */
function serveProductFeed(app: FastifyInstance, { db, url, dataDir }: DocumentOptions) {
  const feedOf = openFeedFiles(dataDir)
  const options = { schema: { hide: true }, config: { access: 'public', cost: 'page' } } as const
  app.get('/product-feed.xml', options, async (request, reply) => {
    const address = requireUrl(url())
    const shop = await shopFactsOf(db, url())
    const feed = await feedOf({
      facts: JSON.stringify(shop),
      make: () => productFeed(db, shop, address),
      countLeft: (madeAt) => countLeft(db, madeAt),
    })
    const isPacked = /\bgzip\b/.test(String(request.headers['accept-encoding']))
    reply.type(XML).headers({
      'cache-control': 'public, max-age=300',
      'last-modified': feed.madeAt.toUTCString(),
      vary: 'Accept-Encoding',
      ...(isPacked && { 'content-encoding': 'gzip', 'content-length': feed.bytes }),
    })
    return reply.send(bodyOf(feed, isPacked))
  })
}

type DocumentOptions = Options & { dataDir: string }

/** Mounts the documents for search engines outside of the API. */
export function serveDocuments(app: FastifyInstance, options: DocumentOptions) {
  for (const document of [...sitemapsOf(options), ...shopDocumentsOf(options)])
    serveDocument(app, document)
  serveProductFeed(app, options)
}
