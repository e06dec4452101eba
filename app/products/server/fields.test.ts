import { sql } from 'kysely'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { beforeAll, describe, expect, it } from 'vitest'
import { FormValues } from '#app/back-office/kit/form-page.tsx'
import { type DetailedProduct, ProductDetails } from '#app/products/contract.ts'
import type { ProductForm } from '#app/products/form-contract.ts'
import { ProductFields } from '#app/products/web/admin/product-fields.tsx'
import ProductPage from '#app/products/web/product-page.tsx'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addPhoto } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop({ SHOP_URL: 'https://shop.example.com' })

type Sent = Record<keyof ProductForm, string | number>

/** The values of all fields with which the product is created, and those that replace them. */
let first: Sent
let then: Sent
let token = ''

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  const taxClass = async (name: string) =>
    (await shop.post<{ taxClass: { _id: string } }>('/tax/classes', { token, body: { name } })).body
      .taxClass._id
  first = {
    name: 'Harp No 7',
    description: 'Strings, and wood.',
    price: 12.5,
    quantity: 20,
    category: (await addCategory(shop.db, 'Music')).id,
    shipping: 1,
    weightGrams: 1250,
    taxClass: await taxClass('Reduced'),
  }
  then = {
    name: 'Lute No 8',
    description: 'Fewer strings.',
    price: 99.99,
    quantity: 21,
    category: (await addCategory(shop.db, 'Toys')).id,
    shipping: 0,
    weightGrams: 300,
    taxClass: await taxClass('Books'),
  }
})

/**
 * How each field is seen outside of the API: a text of the product's page, a word by which a search finds
 * it, structured data, and an element of the product feed. Null: it is not.
 */
type Seen = {
  page: string | null
  search: string | null
  jsonLd: object | null
  feed: string | null
}
const SEEN: Record<keyof ProductForm, Seen> = {
  name: {
    page: 'Harp No 7',
    search: 'harp',
    jsonLd: { name: 'Harp No 7' },
    feed: '<g:title>Harp No 7</g:title>',
  },
  description: {
    page: 'Strings, and wood.',
    search: 'wood',
    jsonLd: { description: 'Strings, and wood.' },
    feed: '<g:description>Strings, and wood.</g:description>',
  },
  price: {
    page: '$12.50',
    search: null,
    jsonLd: { offers: { price: '12.50' } },
    feed: '<g:price>12.50 INR</g:price>',
  },
  quantity: {
    page: 'In stock',
    search: null,
    jsonLd: { offers: { availability: 'https://schema.org/InStock' } },
    feed: '<g:availability>in_stock</g:availability>',
  },
  category: {
    page: 'Music',
    search: null,
    jsonLd: { category: 'Music' },
    feed: '<g:product_type>Music</g:product_type>',
  },
  // what is not shipped has no weight in the feed
  shipping: { page: null, search: null, jsonLd: null, feed: '<g:shipping_weight>' },
  weightGrams: {
    page: null,
    search: null,
    jsonLd: { weight: { value: 1250 } },
    feed: '<g:shipping_weight>1250 g</g:shipping_weight>',
  },
  // its rate is known at the checkout only
  taxClass: { page: null, search: null, jsonLd: null, feed: null },
}

/** The fields that a person types as text. */
const TEXTS = Object.entries(SEEN)
  .filter(([, { search }]) => search !== null)
  .map(([name]) => name as keyof ProductForm)
const FIELDS = Object.keys(SEEN) as (keyof ProductForm)[]
const DETAILS = Object.keys(ProductDetails.properties) as (keyof ProductDetails)[]

type Saved = { message: string; products: { _id: string; slug: string } }

const create = async (form: Partial<Sent>) =>
  (await shop.post<Saved>('/product/create-product', { token, body: formOf(form) })).body.products

const edit = (id: string, form: Partial<Sent>) =>
  shop.put<Saved>(`/product/update-product/${id}`, { token, body: formOf(form) })

const detailed = async (slug: string) =>
  (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)).body.product

/** The fields of the product as they are sent. */
async function fieldsOf(slug: string): Promise<Partial<Sent>> {
  const product = await detailed(slug)
  return Object.fromEntries(
    FIELDS.map((field) => [field, field === 'category' ? product.category._id : product[field]]),
  )
}

/** The text of a product's page without its head and similar products, a line for each element. */
function pageOf(product: DetailedProduct): string {
  const Page = createRoutesStub([{ id: 'page', path: '/', Component: ProductPage }])
  const loaderData = { page: { product, similar: [] } }
  const html = renderToStaticMarkup(createElement(Page, { hydrationData: { loaderData } }))
  return (/<article.*<\/article>/s.exec(html)?.[0] ?? '').replace(/<[^>]*>/g, '\n')
}

/** The value that a control of the form has, when the product is edited. */
function controlOf(product: DetailedProduct, field: keyof ProductForm): string | undefined {
  const { category } = product
  const taxClasses = [{ _id: product.taxClass ?? '', name: 'Reduced' }]
  const choices = { categories: [category], taxClasses }
  const fields = createElement(ProductFields, { product, hasOptions: false, ...choices })
  const form = createElement(FormValues, { value: product }, fields)
  const Page = createRoutesStub([{ path: '/', Component: () => form }])
  const html = renderToStaticMarkup(createElement(Page))
  const [control = ''] =
    new RegExp(`<(input|textarea|select)[^>]* name="${field}"(.*?</\\1>|[^>]*>)`).exec(html) ?? []
  if (control.startsWith('<textarea')) return />([^<]*)</.exec(control)?.[1]
  const [chosen = ''] = /<option[^>]* selected=""[^>]*>|<input[^>]*>/.exec(control) ?? []
  return / value="([^"]*)"/.exec(chosen)?.[1]
}

/** The ids of the products that a search finds. */
const found = async (text: string) =>
  (await shop.get<{ _id: string }[]>(`/product/search/${text}`)).body.map(({ _id }) => _id)

const exported = async () =>
  (await shop.get('/product/export', { token })).bytes.toString().split('\r\n')

async function importCsv(csv: string) {
  const { body } = await shop.app.inject({
    method: 'POST',
    url: '/api/v1/product/import',
    headers: { authorization: token, 'content-type': 'text/csv' },
    payload: csv,
  })
  return body
}

describe('each field of a product', () => {
  it('is stored when it is created, and stays when another one is changed', async () => {
    const { _id: id, slug } = await create(first)
    let expected = { ...first }
    expect(await fieldsOf(slug)).toEqual(expected)
    for (const field of FIELDS) {
      expect((await edit(id, { [field]: then[field] })).status).toBe(200)
      expected = { ...expected, [field]: then[field] }
      expect(await fieldsOf(slug)).toEqual(expected)
    }
  })

  it('comes back by an export and an import, to its product and to a new one', async () => {
    const { _id: id, slug } = await create(first)
    const lines = await exported()
    const [header, line = ''] = [lines[0], lines.find((one) => one.includes(`"${slug}"`))]
    const csv = `${header}\n${line}\n`
    expect(await importCsv(csv)).toContain('"unchanged":1')
    // the quantity changes by what it was changed by in the file, which is nothing
    for (const field of FIELDS.filter((name) => name !== 'quantity')) {
      const { slug: changed } = (await edit(id, { [field]: then[field] })).body.products
      expect((await fieldsOf(changed))[field]).toEqual(then[field])
      expect(await importCsv(csv)).toContain('"updated":1')
      expect(await fieldsOf(changed)).toEqual(first)
    }
    expect(await importCsv(csv.replace(`"${slug}"`, ''))).toContain('"created":1')
    const newest = await shop.get<{ products: { slug: string }[] }>('/product/product-list/1')
    expect(newest.body.products[0]?.slug).not.toBe(slug)
    expect(await fieldsOf(newest.body.products[0]?.slug ?? '')).toEqual(first)
  })

  it('is stored without blanks around it, if it is a text', async () => {
    const blanks = Object.fromEntries(TEXTS.map((name) => [name, ` ${first[name]}\n`]))
    const { slug } = await create({ ...first, ...blanks })
    expect(await fieldsOf(slug)).toEqual(first)
  })

  it('is found by a search, also a misspelled one, if it is a text', async () => {
    const { _id: id } = await create(first)
    for (const name of TEXTS) {
      const word = SEEN[name].search ?? ''
      expect(await found(word), `a search for ${word}`).toContain(id)
      const misspelled = `${word[0]}${word.slice(2)}`
      expect(await found(misspelled), `a search for ${misspelled}`).toContain(id)
    }
  })

  it('is in the column of words that ranks, if it is in the one of the name', async () => {
    await create(first)
    const { rows } = await sql`select name from products
      where not tsvector_to_array(search) @> tsvector_to_array(name_search)`.execute(shop.db)
    expect(rows).toEqual([])
  })

  it('is on the page of the product', async () => {
    const { slug } = await create(first)
    const lines = pageOf(await detailed(slug)).split('\n')
    for (const { page } of Object.values(SEEN)) if (page !== null) expect(lines).toContain(page)
  })

  it('has its value in the form, which would clear it otherwise', async () => {
    const product = await detailed((await create(first)).slug)
    for (const field of FIELDS) {
      const value = controlOf(product, field) ?? ''
      expect(typeof first[field] === 'number' ? Number(value) : value, field).toBe(first[field])
    }
  })

  it('is in structured data and in the feed', async () => {
    const { _id: id } = await create(first)
    await addPhoto(shop.db, { id })
    const { product } = (await shop.get<{ product: object }>(`/seo/structured-data/${id}`)).body
    const feed = await shop.app.inject({ url: '/product-feed.xml' })
    const item = feed.body.split('<item>').find((one) => one.includes(id))
    for (const { jsonLd, feed: text } of Object.values(SEEN)) {
      expect(product).toMatchObject(jsonLd ?? {})
      expect(item).toContain(text ?? '')
    }
  })

  it('is in the audit log', async () => {
    const { _id: id } = await create(first)
    await edit(id, then)
    const entries = await shop.db
      .selectFrom('audit_log')
      .where('action', '=', 'update')
      .where((eb) =>
        eb.or([
          eb('row_id', '=', id),
          eb(
            'row_id',
            'in',
            eb.selectFrom('variants').select('variants.id').where('product_id', '=', id),
          ),
        ]),
      )
      .select('after')
      .execute()
    // beside the fields, the slug
    const columns = entries.flatMap(({ after }) => Object.keys(after ?? {}))
    expect(columns).toHaveLength(FIELDS.length + 1)
  })

  it('is empty without a value where it may be, and can be emptied', async () => {
    const empty = Object.fromEntries(DETAILS.map((name) => [name, '']))
    const required = Object.fromEntries(FIELDS.map((name) => [name, first[name]]))
    for (const name of DETAILS) delete required[name]
    for (const form of [required, { ...required, ...empty }]) {
      const product = await detailed((await create(form)).slug)
      for (const name of DETAILS) expect(product).not.toHaveProperty(name)
    }
    const { _id: id, slug } = await create(first)
    for (const name of DETAILS) {
      await edit(id, { [name]: '' })
      expect(await detailed(slug)).not.toHaveProperty(name)
    }
  })
})

describe('the weight of a product', () => {
  it.each([['-1'], ['1.5'], ['10000001'], ['heavy'], [' ']])('is not %j', async (weightGrams) => {
    const { status, body } = await edit((await create(first))._id, { weightGrams })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^weightGrams must be/)])
  })

  it('is emptied by an empty cell, and refused in parts of grams', async () => {
    const { slug } = await create(first)
    await importCsv(`slug,weight_grams\n${slug},450\n`)
    expect((await detailed(slug)).weightGrams).toBe(450)
    await importCsv(`slug,price\n${slug},3\n`)
    expect((await detailed(slug)).weightGrams).toBe(450)
    expect(await importCsv(`slug,weight_grams\n${slug},1.5\n`)).toContain(
      'weight_grams must be a whole number.',
    )
    await importCsv(`slug,weight_grams\n${slug},\n`)
    expect((await detailed(slug)).weightGrams).toBeUndefined()
  })
})
