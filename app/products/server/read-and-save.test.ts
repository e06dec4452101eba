/** A client that saves through update-product what a call of the specification answered: it loses nothing. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct, Product } from '#app/products/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'
import { addOption } from '#tests/support/variants.ts'

const shop = testShop()

const MARKDOWN = 'A **round** cup, see [care](/about).\n\n- holds *tea*\n- 8_9_7 <b>x</b> & `y`'

let cups = { id: '', slug: '' }
let cup = { id: '', slug: '' }
let token = ''

/** A time in the shop's zone, UTC. */
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)

const save = (fields: Parameters<typeof formOf>[0]) =>
  shop.put(`/product/update-product/${cup.id}`, { token, body: formOf(fields) })

beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  cups = await addCategory(shop.db, 'Cups')
  cup = await addProduct(shop.db, { category: cups, name: 'Round cup', description: MARKDOWN })
  await addPhoto(shop.db, cup)
  await addProduct(shop.db, { category: cups, name: 'Other cup' })
})

/** The rows of the product and its variants, without the times at which they were written. */
async function stored() {
  const { updated_at: _, ...product } = await shop.db
    .selectFrom('products')
    .selectAll()
    .where('id', '=', cup.id)
    .executeTakeFirstOrThrow()
  const variants = await shop.db
    .selectFrom('variants')
    .selectAll()
    .where('product_id', '=', cup.id)
    .orderBy('id')
    .execute()
  return { product, variants: variants.map(({ updated_at: __, ...variant }) => variant) }
}

type Read = ListedProduct | Product
type Listed = { products: Read[] }

const READS: Record<string, () => Promise<Read[]>> = {
  'product-list': async () => (await shop.get<Listed>('/product/product-list/1')).body.products,
  'product-filters': async () => {
    const body = { checked: [cups.id], radio: [] }
    return (await shop.post<Listed>('/product/product-filters', { body })).body.products
  },
  'get-product': async () => (await shop.get<Listed>('/product/get-product')).body.products,
  'get-product/:slug': async () => [
    (await shop.get<{ product: Product }>(`/product/get-product/${cup.slug}`)).body.product,
  ],
  'search/:keyword': async () => (await shop.get<Read[]>('/product/search/round')).body,
  'related-product': async () => {
    const other = await addProduct(shop.db, { category: cups })
    return (await shop.get<Listed>(`/product/related-product/${other.id}/${cups.id}`)).body.products
  },
  'product-category': async () =>
    (await shop.get<Listed>(`/product/product-category/${cups.slug}`)).body.products,
}

const STATES: Record<string, () => Promise<unknown>> = {
  'a product with Markdown and a photo': async () => {},
  'a product whose sale runs': () => save({ salePrice: 10, saleFrom: '', saleUntil: tomorrow() }),
  'a product with options': () =>
    addOption(shop.db, cup, { name: 'Size', values: ['S', 'M'], quantity: 3 }),
}

describe.each(Object.entries(STATES))('%s', (_state, prepare) => {
  beforeAll(async () => {
    await prepare()
  })

  it.each(Object.entries(READS))(
    'is as before when saved as %s answered it',
    async (_call, read) => {
      const before = await stored()
      const found = (await read()).find(({ _id }) => _id === cup.id)
      if (!found) throw new Error('The call does not list the product.')
      const { name, description, price, quantity, category, shipping } = found
      const shelf = typeof category === 'string' ? category : category._id
      expect(description).toBe(MARKDOWN)
      const reply = await save({ name, description, price, quantity, category: shelf, shipping })
      expect(reply.status).toBe(200)
      expect(await stored()).toEqual(before)
    },
  )
})
