/** No public answer has a product that is not in the shop: drafts are as if they were not there. */

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { previewCalls } from '#app/products/preview-contract.ts'
import { isOpen } from '#app/shared/contract/access.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import type { Row } from '#db/schema.ts'
import { OTHER_ROUTES } from './attacks/route-table.ts'
import { propertiesOf } from './attacks/support/requests.ts'
import { addPerson } from './support/accounts.ts'
import { addCategory, addPhoto, addProduct } from './support/catalogue.ts'
import { declared } from './support/declared.ts'
import { formOf } from './support/form.ts'
import { plain } from './support/pictures.ts'
import { testShop } from './support/shop.ts'

const shop = testShop({ SHOP_URL: 'https://shop.example.com', CACHE_MB: '0' })
let token = ''
let category: Row<'categories'>
let cup: Row<'products'>
let vase: Row<'products'>

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Kitchen')
  cup = await addProduct(shop.db, { category, name: 'Clay cup' })
  vase = await addProduct(shop.db, { category, name: 'Zephyr vase', description: 'Quibbling.' })
  for (const product of [cup, vase]) await addPhoto(shop.db, product)
  const bytes = await plain(40, 30).jpeg().toBuffer()
  await shop.db.updateTable('pictures').set({ bytes }).execute()
})

/** The product feed is a file that is made once an hour. */
async function forgetFeed() {
  const { DATA_DIR: dataDir } = shop.config
  for (const name of await readdir(dataDir))
    if (name.startsWith('product-feed')) await rm(join(dataDir, name))
}

async function setStatus(status: string) {
  const { status: answered } = await shop.put(`/product/update-product/${vase.id}`, {
    token,
    body: formOf({ status }),
  })
  expect(answered).toBe(200)
  await forgetFeed()
}

/** What a request may send as a field, beside the other values of an enumeration. */
const valuesOf = (name: string): unknown[] =>
  ({
    id: [vase.id, vase.listed_variant_id],
    productId: [cup.id, vase.id],
    slug: [vase.slug, category.slug],
    keyword: ['zephyr vase', 'quibbling', 'zefyr'],
    q: ['zeph', 'vase', 'zefyr'],
    category: [category.id],
    categoryId: [category.id],
    checked: [[category.id]],
    radio: [[0, 19]],
    price: ['0-19'],
    cart: [[{ _id: vase.id }], [{ _id: cup.id }]],
    page: [1],
  })[name] ?? []

type Sent = Record<string, unknown>

/** All combinations of values of the properties; one without a known value is left out, and an optional one also is. */
const combinations = (schema: object | undefined): Sent[] =>
  propertiesOf(schema).reduce<Sent[]>(
    (all, [name, { enum: choices }]) => {
      const isRequired = Object(schema).required?.includes(name)
      // without a page, the first one is answered
      if (name === 'page' && !isRequired) return all
      const values = [...valuesOf(name), ...(choices ?? [])]
      return all.flatMap((sent) => [
        ...(isRequired && values.length > 0 ? [] : [sent]),
        ...values.map((value) => ({ ...sent, [name]: value })),
      ])
    },
    [{}],
  )

type Request = { call: string; method: 'GET' | 'POST'; url: string; payload?: Sent }

function requestsOf(call: string, { method, path, params, query, body }: Endpoint): Request[] {
  const urls = combinations(params).flatMap((given) => {
    const named = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(given[name])))
    return combinations(query).map((sent) => {
      const search = new URLSearchParams(Object.entries(sent).map(([key, one]) => [key, `${one}`]))
      return `${API_PREFIX}${named}?${search}`
    })
  })
  if (method === 'GET') return urls.map((url) => ({ call, method, url }))
  return urls.flatMap((url) =>
    combinations(body).map((payload): Request => ({ call, method: 'POST', url, payload })),
  )
}

const requests = () => [
  ...declared
    .filter(([, { access, path }]) => isOpen(access) && path !== previewCalls.previewProduct.path)
    .flatMap(([name, endpoint]) => requestsOf(name, endpoint)),
  ...OTHER_ROUTES.filter((url) => url !== '/*').map(
    (url): Request => ({ call: url, method: 'GET', url }),
  ),
]

/** Whether a request names the vase itself. */
const isAboutVase = (request: Request) =>
  [vase.id, vase.listed_variant_id, vase.slug].some((one) => JSON.stringify(request).includes(one))

type Answer = { request: Request; isPicture: boolean; text: string }

/** The answers to all requests that were not refused as invalid, by request. */
async function answers() {
  const all = new Map<string, Answer>()
  for (const request of requests()) {
    const { method, url, payload } = request
    const reply = await shop.app.inject({ method, url, ...(payload && { payload }) })
    expect(reply.statusCode, `${method} ${url}`).toBeLessThan(500)
    if (reply.statusCode === 400) continue
    const text = reply.body.replace(/"requestId":"[^"]*"/, '')
    const isPicture = `${reply.headers['content-type']}`.startsWith('image/')
    all.set(JSON.stringify(request), { request, isPicture, text })
  }
  return all
}

/** The calls that answer something of the vase: a text or a picture. An answer may repeat an id that was sent. */
const showing = (all: Awaited<ReturnType<typeof answers>>) => {
  const has = ({ request, isPicture, text }: Answer) =>
    (isPicture && isAboutVase(request)) ||
    [vase.name, vase.slug, ...(isAboutVase(request) ? [] : [vase.id, vase.listed_variant_id])].some(
      (one) => text.includes(one),
    )
  return [...new Set([...all.values()].filter(has).map(({ request }) => request.call))].toSorted()
}

/** The calls that show a product that is in the shop: the requests above reach it. */
const SHOWING = [
  '/feed.xml',
  '/product-feed.xml',
  '/sitemap-products.xml',
  'browseCategory',
  'browseProducts',
  'filterProducts',
  'getProduct',
  'getProducts',
  'listProducts',
  'productPhoto',
  'productPicture',
  'productsOfCategory',
  'quoteCart',
  'relatedProducts',
  'searchProducts',
  'searchShop',
  'similarProducts',
  'structuredData',
  'suggest',
]

it('a public call answers nothing of a draft, and everything else as without it', async () => {
  const published = await answers()
  expect(showing(published)).toEqual(expect.arrayContaining(SHOWING))
  await setStatus('draft')
  const hidden = await answers()
  expect(showing(hidden)).toEqual([])
  await shop.delete(`/product/delete-product/${vase.id}`, { token })
  await forgetFeed()
  const without = await answers()
  for (const [key, { request, text }] of hidden)
    if (!isAboutVase(request))
      expect({ request, text }).toEqual({ request, text: without.get(key)?.text })
})
