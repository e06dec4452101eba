import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportStep } from '#app/products/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addCoupon, quotes } from '#tests/support/coupons.ts'
import { addOrder } from '#tests/support/orders.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let admin: Person
const settings = settingsThrough(shop, () => admin)
let category: { id: string }
beforeAll(async () => {
  category = await addCategory(shop.db, 'Cups')
  admin = await addPerson(shop.db, { admin: true })
})

/** Characters that are not seen, as mails, chats, spreadsheets and web pages leave them in copied text. */
const UNSEEN = ['\u200b', '\ufeff', '\u2060', '\u00ad', '\u200d', '\u200e', '\u202c', '\u2069']
/** Without the joiner, which is a part of words that it is within. */
const SEPARATE = UNSEEN.filter((one) => one !== '\u200d')

/** The text with one of them before, within and after it. */
const copied = (text: string, unseen = '\u200b') =>
  ` ${unseen}${text.slice(0, 2)}${unseen}${text.slice(2)}${unseen} `
/** Without those within it. */
const framed = (text: string, unseen = '\u200b') => `${unseen}${text}${unseen} `

const DISGUISED = 'Asha \u202eoaR\u202c \u2066Rao\u2069'
const PLAIN = 'Asha oaR Rao'
/** Joiners that change what is seen: in Persian, in Hindi, in an emoji. */
const JOINED = ['می‌خواهم', 'क्‍ष', '👩‍🍳']

const account = {
  password: 'long-enough',
  answer: 'Asha',
  address: '1 Market Lane',
  phone: '5550100',
}

describe('characters that are not seen', () => {
  it('are no part of the code of a coupon, in a cart and when one is made', async () => {
    await addCoupon(shop.db, { code: 'SPRING10' })
    const { id } = await addProduct(shop.db, { category })
    for (const unseen of UNSEEN) {
      const quote = await quotes(shop)([{ _id: id }], [copied('spring10', unseen)])
      expect(quote.notices, JSON.stringify(unseen)).toEqual([])
    }
    const body = { code: copied('AUTUMN-20'), percent: 20, title: undefined }
    const made = await shop.post('/coupon/create-coupon', { token: admin.token, body })
    expect(made).toMatchObject({ status: 201, body: { coupon: { code: 'AUTUMN-20' } } })
  })

  it('are no part of an e-mail address and a phone, when registering and logging in', async () => {
    const body = {
      ...account,
      name: 'Asha',
      email: copied('asha@example.org'),
      phone: copied('+43 1 555'),
    }
    expect(await shop.post('/auth/register', { body })).toMatchObject({
      status: 201,
      body: { user: { email: 'asha@example.org', phone: '+43 1 555' } },
    })
    const { password } = account
    for (const unseen of SEPARATE) {
      const email = copied('asha@example.org', unseen)
      const reply = await shop.post('/auth/login', { body: { email, password } })
      expect(reply.status, JSON.stringify(unseen)).toBe(200)
    }
  })

  it('are no part of postal codes and phones of addresses', async () => {
    const { token } = await addPerson(shop.db)
    const delivery = {
      name: 'Asha',
      street: 'Lane 1',
      city: 'Wien',
      country: 'AT',
      postalCode: copied('1010'),
      phone: copied('+43 1 5550199', '\u202a'),
    }
    const reply = await shop.put('/auth/profile', { token, body: { delivery } })
    expect(reply.body).toMatchObject({
      updatedUser: { delivery: { postalCode: '1010', phone: '+43 1 5550199' } },
    })
  })

  it('are no part of the SKU and the barcode of a variant', async () => {
    const { id } = await addProduct(shop.db, { category })
    const path = `/product/variants/${id}`
    type Shown = { variants: { _id: string; updatedAt: string; sku: string; barcode: string }[] }
    const shown = async () => (await shop.get<Shown>(path, admin)).body.variants[0]
    const { _id, updatedAt } = (await shown()) ?? { _id: '', updatedAt: '' }
    const sku = { from: null, to: copied('CUP-1') }
    const barcode = { from: null, to: copied('4006381333931').trim() }
    const body = { changed: [{ _id, updatedAt, sku, barcode }] }
    expect((await shop.put(path, { token: admin.token, body })).status).toBe(200)
    expect(await shown()).toMatchObject({ sku: 'CUP-1', barcode: '4006381333931' })
  })

  it('stay in the SKU of an earlier version until it is changed', async () => {
    const { id } = await addProduct(shop.db, { category })
    const before = copied('OLD-1').trim()
    const variants = shop.db.updateTable('variants').set({ sku: before })
    await variants.where('product_id', '=', id).execute()
    const path = `/product/variants/${id}`
    type Shown = { variants: { _id: string; updatedAt: string; sku: string }[] }
    const [variant] = (await shop.get<Shown>(path, admin)).body.variants
    expect(variant?.sku).toBe(before)
    const changed = [
      { _id: variant?._id, updatedAt: variant?.updatedAt, sku: { from: before, to: 'NEW-1' } },
    ]
    expect((await shop.put(path, { token: admin.token, body: { changed } })).status).toBe(200)
  })

  it('are no part of the cells of an import that are codes or numbers, nor of its header', async () => {
    await addCategory(shop.db, 'Ceramics')
    const cells = ['Jug', 'Clay.', copied('12.50'), copied('30'), 'Ceramics', 'Size', 'L']
    const codes = [copied('JUG-1'), copied('96385074')]
    const header = `${['name', 'description', 'price', 'quantity', 'category'].join(',')},option1,value1,sku,bar\u200bcode`
    const { body } = await shop.app.inject({
      method: 'POST',
      url: '/api/v1/product/import',
      headers: { authorization: admin.token, 'content-type': 'text/csv' },
      payload: [header, [...cells, ...codes].join(',')].join('\n'),
    })
    const last: ImportStep = JSON.parse(body.trim().split('\n').at(-1) ?? '')
    expect(last, body).toMatchObject({ report: { problems: [], created: 1 } })
    const jug = shop.db
      .selectFrom('products')
      .innerJoin('variants', 'variants.product_id', 'products.id')
      .where('name', '=', 'Jug')
      .select(['price_minor', 'quantity', 'sku', 'barcode'])
    expect(await jug.executeTakeFirst()).toEqual({
      price_minor: 1250,
      quantity: 30,
      sku: 'JUG-1',
      barcode: '96385074',
    })
  })

  it('are no part of the words of a search, in the shop and of orders', async () => {
    await addProduct(shop.db, { category, name: 'Lantern' })
    const buyer = await addPerson(shop.db, { name: 'Grandma Rose' })
    await addOrder(shop.db, buyer)
    for (const unseen of SEPARATE) {
      const keyword = encodeURIComponent(copied('lantern', unseen))
      const found = await shop.get<unknown[]>(`/product/search/${keyword}`)
      expect(found.body, JSON.stringify(unseen)).toHaveLength(1)
    }
    for (const unseen of UNSEEN) {
      const q = encodeURIComponent(framed(buyer.email, unseen))
      const orders = await shop.get<unknown[]>(`/auth/all-orders?q=${q}`, admin)
      expect(orders.body, JSON.stringify(unseen)).toHaveLength(1)
    }
  })

  it('are no part of the contact data of the shop', async () => {
    await settings.save({
      email: copied('help@example.com').trim(),
      phone: copied('+43 1 5550199').trim(),
    })
    const { body } = await shop.get('/settings')
    expect(body).toMatchObject({ email: 'help@example.com', phone: '+43 1 5550199' })
  })
})

describe('the direction of text', () => {
  it('is not overridden by names of products, categories, options and people', async () => {
    const as = { token: admin.token }
    const made = await shop.post('/category/create-category', {
      ...as,
      body: { name: DISGUISED },
    })
    expect(made.body).toMatchObject({ category: { name: PLAIN } })
    const user = { ...account, name: DISGUISED, address: DISGUISED, email: 'rao@example.org' }
    const registered = await shop.post('/auth/register', { body: user })
    expect(registered.body).toMatchObject({ user: { name: PLAIN, address: PLAIN } })
    const { id } = await addProduct(shop.db, { category })
    const value = { _id: randomUUID(), name: DISGUISED, swatch: null }
    const to = [{ slot: 1, name: DISGUISED, values: [value] }]
    const path = `/product/variants/${id}`
    const saved = await shop.put(path, { ...as, body: { options: { from: [], to } } })
    expect(saved.status).toBe(200)
    expect((await shop.get(path, as)).body).toMatchObject({
      options: [{ name: PLAIN, values: [{ name: PLAIN }] }],
    })
    await settings.save({ name: DISGUISED })
    expect((await shop.get('/settings')).body).toMatchObject({ name: PLAIN })
  })

  it('may be all that a name has, which is then missing', async () => {
    const body = { name: '\u202e\u2066' }
    const reply = await shop.post('/category/create-category', { token: admin.token, body })
    expect(reply).toMatchObject({ status: 400, body: { message: 'name is required.' } })
  })
})

it('Joiners between visible characters stay in names, and names are found by them', async () => {
  for (const name of JOINED) {
    const body = { name: `${name} shop` }
    const made = await shop.post('/category/create-category', { token: admin.token, body })
    expect(made.body).toMatchObject({ category: { name: `${name} shop` } })
    await addPerson(shop.db, { name })
    const q = encodeURIComponent(name)
    const found = await shop.get<unknown[]>(`/auth/all-users?q=${q}`, { token: admin.token })
    expect(found.body, name).toHaveLength(1)
  }
})
