import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import type { DetailedProduct, ListedProduct } from '#app/products/contract.ts'
import type { StoredProduct } from '#app/products/publication-contract.ts'
import type { FailureBody } from '#app/shared/contract/failure.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { addPhoto } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { option, variantCallsOf } from '#tests/support/variant-calls.ts'
import { applyDueSchedules } from './publication.ts'

const world = paymentShop()
const { shop, start, verify, cup, asAdmin } = world

type Fields = Parameters<typeof formOf>[0]
type Saved = { products: ListedProduct }

const edit = (id: string, fields: Fields) =>
  shop.put<Saved & FailureBody>(`/product/update-product/${id}`, {
    ...asAdmin(),
    body: formOf(fields),
  })
const create = async (fields: Fields = {}) => {
  const { _id: category = '' } = (
    await shop.get<{ category: { _id: string }[] }>('/category/get-category')
  ).body.category[0] as { _id: string }
  const facts = { name: 'Vase', description: 'Tall.', price: 20, quantity: 5, category }
  const body = formOf({ ...facts, ...fields })
  return (await shop.post<Saved>(productAdminCalls.createProduct.path, { ...asAdmin(), body })).body
    .products
}
const stored = async ({ slug }: { slug: string }) =>
  (await shop.get<{ product: StoredProduct }>(`/product/stored-product/${slug}`, asAdmin())).body
    .product
const shown = ({ slug }: { slug: string }) =>
  shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)
const priceOf = async (product: { slug: string }) => {
  const { price, compareAt = null } = (await shown(product)).body.product
  return { price, compareAt }
}

/** A time in the shop's zone, UTC, so many minutes from now. */
const minutes = (from: number) => new Date(Date.now() + from * 60_000).toISOString().slice(0, 16)

/** Lets the time of a plan come. */
async function letComeTrue(column: 'publish_at' | 'unpublish_at' | 'sale_from' | 'sale_until') {
  const past = new Date(Date.now() - 1000)
  if (column === 'sale_from' || column === 'sale_until') {
    const earlier = { sale_from: new Date(past.getTime() - 60_000), [column]: past }
    await shop.db
      .updateTable('variants')
      .where('sale_until', '>', new Date())
      .set(earlier)
      .execute()
    await shop.db
      .updateTable('products')
      .where('list_price_until', 'is not', null)
      .set({ list_price_until: past })
      .execute()
  } else
    await shop.db
      .updateTable('products')
      .where(column, 'is not', null)
      .set({ [column]: past })
      .execute()
  await applyDueSchedules(shop.db)
}

beforeAll(async () => {
  await cup()
})
afterEach(() => vi.useRealTimers())

describe('the status of a product', () => {
  it('is published by the call of the specification, and a draft where that is sent', async () => {
    expect((await shown(await create())).status).toBe(200)
    const draft = await create({ status: 'draft' })
    expect((await shown(draft)).status).toBe(404)
    expect((await stored(draft)).status).toBe('draft')
    await edit(draft._id, { status: 'published' })
    expect((await shown(draft)).status).toBe(200)
    await edit(draft._id, { status: 'archived' })
    expect((await shown(draft)).status).toBe(404)
  })

  it('changes at its times, which the history says of the shop itself', async () => {
    const vase = await create({ publishAt: minutes(10), unpublishAt: minutes(20) })
    expect((await stored(vase)).status).toBe('draft')
    const entries = await entriesOf(shop.db, async () => {
      await letComeTrue('publish_at')
      expect((await shown(vase)).status).toBe(200)
      expect(await stored(vase)).not.toHaveProperty('publishAt')
      await letComeTrue('unpublish_at')
    })
    expect(await stored(vase)).toMatchObject({ status: 'archived' })
    expect((await shown(vase)).status).toBe(404)
    const changes = entries.filter(({ after }) => after?.status)
    expect(changes.map(({ actor_kind, after }) => [actor_kind, after?.status])).toEqual([
      ['shop', 'published'],
      ['shop', 'archived'],
    ])
  })

  it('is archived when the shop did not run while it was to be published', async () => {
    const vase = await create({ publishAt: minutes(10), unpublishAt: minutes(20) })
    const [publish_at, unpublish_at] = [-2000, -1000].map((ms) => new Date(Date.now() + ms))
    await shop.db
      .updateTable('products')
      .set({ publish_at, unpublish_at })
      .where('id', '=', vase._id)
      .execute()
    await applyDueSchedules(shop.db)
    expect((await stored(vase)).status).toBe('archived')
  })

  it.each(['published', 'archived'])(
    'stays %s where that was set before its time',
    async (status) => {
      const vase = await create({ publishAt: minutes(10) })
      await edit(vase._id, { status })
      expect(await stored(vase)).not.toHaveProperty('publishAt')
      const other = await create({ publishAt: minutes(10) })
      const body = {
        changeId: crypto.randomUUID(),
        selection: { ids: [other._id] },
        change: { status },
      }
      await shop.post('/product/change-products', { ...asAdmin(), body })
      await letComeTrue('publish_at')
      expect(await stored(other)).toMatchObject({ status })
      expect(await stored(other)).not.toHaveProperty('publishAt')
    },
  )

  it.each<[Fields, string]>([
    [{ status: 'draft', publishAt: minutes(20), unpublishAt: minutes(20) }, 'unpublishAt'],
    [{ status: 'draft', publishAt: minutes(20), unpublishAt: minutes(10) }, 'unpublishAt'],
    [{ unpublishAt: minutes(-10) }, 'unpublishAt'],
    [{ publishAt: minutes(10) }, 'publishAt'],
    [{ status: 'draft', publishAt: '2027-02-30T10:00' }, 'publishAt'],
    [{ salePrice: 15, saleFrom: minutes(10) }, 'saleUntil'],
    [{ salePrice: 15, saleFrom: minutes(10), saleUntil: minutes(10) }, 'saleUntil'],
    [{ salePrice: 15, saleFrom: minutes(-20), saleUntil: minutes(-10) }, 'saleUntil'],
    [{ salePrice: 20, saleFrom: minutes(10), saleUntil: minutes(20) }, 'salePrice'],
    [{ saleFrom: minutes(10), saleUntil: minutes(20) }, 'salePrice'],
  ])('and prices of sales are refused as %j', async (fields, field) => {
    const vase = await create()
    const { status, body } = await edit(vase._id, fields)
    expect({ status, field: body.field }).toEqual({ status: 400, field })
  })
})

describe('times of the shop', () => {
  it('that clocks skip are an hour later, and those that they show twice are the second ones', async () => {
    const settings = settingsThrough(shop, world.admin)
    await settings.save({ timeZone: 'Europe/Berlin' })
    const vase = await create({ publishAt: '2027-03-28T02:30', unpublishAt: '2027-10-31T02:30' })
    const moments = await shop.db
      .selectFrom('products')
      .where('id', '=', vase._id)
      .select(['publish_at', 'unpublish_at'])
      .executeTakeFirstOrThrow()
    expect(moments).toEqual({
      publish_at: new Date('2027-03-28T01:30Z'),
      unpublish_at: new Date('2027-10-31T01:30Z'),
    })
    expect(await stored(vase)).toMatchObject({
      publishAt: '2027-03-28T03:30',
      unpublishAt: '2027-10-31T02:30',
    })
    await settings.save({ timeZone: 'UTC' })
  })
})

describe('a sale', () => {
  const SALE = { salePrice: 15, saleFrom: minutes(10), saleUntil: minutes(20) }

  it('begins and ends at its times, for all variants that cost more', async () => {
    const { load, make } = variantCallsOf(shop, () => asAdmin().token)
    const vase = await create()
    const [, twin, dear] = (await make(vase._id, [option(1, 'Size', 'S', 'M', 'L')], { price: 20 }))
      .variants
    await shop.db
      .updateTable('variants')
      .set({ price_minor: 3000 })
      .where('id', '=', dear?._id ?? '')
      .execute()
    const prices = async () =>
      (await shown(vase)).body.product.variants?.map(({ price, compareAt }) => [price, compareAt])
    const regular = async () => (await load(vase._id)).variants.map(({ price }) => price)
    await edit(vase._id, SALE)
    expect(await priceOf(vase)).toEqual({ price: 20, compareAt: null })
    await letComeTrue('sale_from')
    expect(await priceOf(vase)).toEqual({ price: 15, compareAt: 20 })
    expect(await prices()).toEqual([
      [15, 20],
      [15, 20],
      [15, 30],
    ])
    expect(await regular()).toEqual([20, 20, 30])
    expect(await stored(vase)).toMatchObject({ salePrice: 15, regularPrice: 20 })
    const { body } = await start(await addPerson(shop.db), {
      amount: 1500,
      cart: [{ _id: twin?._id ?? '' }],
    })
    expect(body).toMatchObject({ amount: 1500 })
    await letComeTrue('sale_until')
    expect(await prices()).toEqual([
      [20, undefined],
      [20, undefined],
      [30, undefined],
    ])
    expect(await stored(vase)).not.toHaveProperty('salePrice')
  })

  it('leaves the regular price as it is, and as an admin sets it meanwhile', async () => {
    const vase = await create(SALE)
    const read = await stored(vase)
    await letComeTrue('sale_from')
    // nobody has edited the product
    expect((await edit(vase._id, { name: 'Jar', updatedAt: read.updatedAt })).status).toBe(200)
    await edit(vase._id, { price: 18 })
    expect(await priceOf(await stored(vase))).toEqual({ price: 15, compareAt: 18 })
    // as a client does that sends back what it has read
    await edit(vase._id, { price: 15 })
    await letComeTrue('sale_until')
    expect(await priceOf(vase)).toEqual({ price: 18, compareAt: null })
  })

  it('that runs follows an edit of it at once, and ends when its price is cleared', async () => {
    const vase = await create({ ...SALE, saleFrom: minutes(-1) })
    expect(vase.price).toBe(15)
    const { body } = await edit(vase._id, { salePrice: 12 })
    expect(body.products.price).toBe(12)
    expect(await priceOf(vase)).toEqual({ price: 12, compareAt: 20 })
    await edit(vase._id, { salePrice: '', saleFrom: '', saleUntil: '' })
    expect(await priceOf(vase)).toEqual({ price: 20, compareAt: null })
  })

  it('without a beginning begins now', async () => {
    const vase = await create({ salePrice: 15, saleUntil: minutes(20) })
    expect(vase.price).toBe(15)
    const jar = await create({})
    const { body } = await edit(jar._id, { salePrice: 12, saleFrom: '', saleUntil: minutes(20) })
    expect(body.products.price).toBe(12)
  })

  it('never raises the price', async () => {
    const vase = await create(SALE)
    await edit(vase._id, { price: 10 })
    await letComeTrue('sale_from')
    expect(await priceOf(vase)).toEqual({ price: 10, compareAt: null })
  })
})

describe('a product that is not in the shop', () => {
  it('is refused by name in a cart, and sold where a payment holds it', async () => {
    const mug = await cup({ name: 'Mug' })
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250, cart: cartOf(mug) })
    await edit(mug.id, { status: 'archived' })
    expect(await start(buyer, { amount: 1250, cart: cartOf(mug) })).toMatchObject({
      status: 409,
      body: { code: 'out_of_stock', message: 'Mug is no longer sold: 0 left.' },
    })
    const { order } = (await verify(buyer, signedPayment(body.id))).body
    expect(order.products).toMatchObject([{ name: 'Mug' }])
  })

  it('is previewed for a week by a signed token, and in no cache', async () => {
    const vase = await create({ status: 'draft' })
    const { preview } = await stored(vase)
    const ask = (token: string) =>
      shop.get<{ product: ListedProduct }>(`/product/preview?token=${token}`)
    const { status, body, headers } = await ask(preview)
    expect([status, body.product.name, headers['cache-control']]).toEqual([200, 'Vase', 'no-store'])
    const [id, expires = '', signature] = preview.split('.')
    const later = [id, Number(expires) + 1, signature].join('.')
    const other = [(await create())._id, expires, signature].join('.')
    for (const token of [later, other, `${id}.${expires}.`, 'x'])
      expect((await ask(token)).status).toBe(404)
    vi.useFakeTimers({ toFake: ['Date'], now: Number(expires) + 1 })
    expect((await ask(preview)).status).toBe(404)
  })

  it('is not previewed any more by earlier links once it is archived', async () => {
    const vase = await create({ status: 'draft' })
    const preview = async () => (await stored(vase)).preview
    const status = async (token: string) =>
      (await shop.get(`/product/preview?token=${token}`)).status
    const early = await preview()
    expect(await status(early)).toBe(200)
    await edit(vase._id, { status: 'archived' })
    expect([await status(early), await status(await preview())]).toEqual([404, 200])
  })

  it('shows its photo to those who know the version of it', async () => {
    const vase = await create({ status: 'draft' })
    await addPhoto(shop.db, { id: vase._id }, { version: 'secret' })
    const photo = (query: string) => shop.get(`/product/product-photo/${vase._id}${query}`)
    expect((await photo('?v=secret')).status).toBe(200)
    for (const query of ['', '?v=guess']) expect((await photo(query)).status).toBe(404)
  })
})
