import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Coupon } from '#app/coupons/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { quotes } from '#tests/support/coupons.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
let admin: Person
let category: { id: string }
let product: { id: string; name: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  token = admin.token
  category = await addCategory(shop.db, 'Kitchen')
  product = await addProduct(shop.db, { category, price: 10 })
})
beforeEach(async () => {
  await shop.db.deleteFrom('coupon_uses').execute()
  await shop.db.deleteFrom('coupons').execute()
})

type Saved = { success: true; message: string; coupon: Coupon }

const create = <Body = Saved>(body: object) =>
  shop.post<Body>('/coupon/create-coupon', { token, body })
const update = <Body = Saved>(id: string, body: object) =>
  shop.put<Body>(`/coupon/update-coupon/${id}`, { token, body })
const remove = (id: string) => shop.delete(`/coupon/delete-coupon/${id}`, { token })
const list = async () => (await shop.get<Coupon[]>('/coupon/coupons', { token })).body

/** A purchase that uses the code, which takes 10 % off. */
async function use(code: string) {
  const { start, verify } = purchases(shop)
  const buyer = await addPerson(shop.db)
  const { body } = await start(buyer, { amount: 900, cart: cartOf(product), couponCodes: [code] })
  expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
}

describe('the days of a coupon', () => {
  const { save } = settingsThrough(shop, () => admin)

  it('are days in the time zone of the shop, and stay the same days when that changes', async () => {
    await save({ timeZone: 'America/New_York' })
    const days = { from: '2026-01-01', to: '2026-01-31' }
    await create({ code: 'WINTER', percent: 10, ...days })
    const moments = () =>
      shop.db.selectFrom('coupons').select(['starts_at', 'ends_at']).executeTakeFirstOrThrow()
    expect(await moments()).toEqual({
      starts_at: new Date('2026-01-01T05:00Z'),
      ends_at: new Date('2026-02-01T05:00Z'),
    })
    await save({ timeZone: 'Asia/Kolkata' })
    expect((await moments()).starts_at).toEqual(new Date('2025-12-31T18:30Z'))
    expect(await list()).toMatchObject([days])
    await save({ timeZone: 'UTC' })
  })
})

describe('POST /coupon/create-coupon', () => {
  it('adds a coupon with all its terms', async () => {
    const terms = {
      minimum: 20.5,
      from: '2026-01-01',
      to: '2026-01-31',
      maxUses: 3,
      maxUsesEach: 1,
      combinable: true,
      categories: [category.id],
    }
    const reply = await create({
      code: ' Summer-10 ',
      percent: 10,
      products: [product.id],
      ...terms,
    })
    expect(reply).toMatchObject({ status: 201, body: { message: 'Summer-10 is created' } })
    const { coupon } = reply.body
    expect(coupon).toEqual({
      _id: expect.any(String),
      code: 'Summer-10',
      title: null,
      percent: 10,
      amount: null,
      freeShipping: false,
      audience: 'everybody',
      customers: [],
      ...terms,
      products: [{ _id: product.id, name: product.name }],
      uses: 0,
      state: 'ended',
    })
    expect(await list()).toEqual([coupon])
  })

  it('adds one of an amount, for everything, without limits', async () => {
    const { body } = await create({ code: 'FIVE', amount: 5 })
    expect(body.coupon).toMatchObject({
      percent: null,
      amount: 5,
      minimum: 0,
      products: [],
      categories: [],
      from: null,
      to: null,
      maxUses: null,
      maxUsesEach: null,
      combinable: false,
    })
  })

  it('adds free delivery without a code, for chosen customers', async () => {
    const { id } = await addPerson(shop.db, { name: 'Asha Rao' })
    const facts = { title: ' Welcome ', freeShipping: true, audience: 'chosen', customers: [id] }
    const reply = await create(facts)
    expect(reply).toMatchObject({
      status: 201,
      body: {
        message: 'Welcome is created',
        coupon: {
          code: null,
          title: 'Welcome',
          freeShipping: true,
          percent: null,
          amount: null,
          audience: 'chosen',
          customers: [{ _id: id, name: 'Asha Rao' }],
          state: 'active',
        },
      },
    })
    const renamed = await update(reply.body.coupon._id, { title: 'For friends', percent: 5 })
    expect(renamed.body.coupon).toMatchObject({ code: null, title: 'For friends', percent: 5 })
  })

  it('adds at most twenty automatic discounts that have not ended', async () => {
    const sale = (title: string, rest = {}) =>
      create<{ message: string }>({ title, percent: 5, ...rest })
    for (let n = 1; n <= 20; n += 1) expect((await sale(`Sale ${n}`)).status).toBe(201)
    expect(await sale('One more')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('At most 20 automatic discounts') },
    })
    await create({ code: 'CODE', percent: 5 })
    await shop.db
      .updateTable('coupons')
      .set({ ends_at: new Date() })
      .where('title', '=', 'Sale 1')
      .execute()
    expect((await sale('One more')).status).toBe(201)
  })

  it.each([
    [{ code: 'AB', percent: 5 }, 'code'],
    [{ code: 'TWO WORDS', percent: 5 }, 'code'],
    [{ code: 'FIVE' }, 'percentage, an amount or free delivery'],
    [{ code: 'FIVE', percent: 5, amount: 5 }, 'percentage, an amount or free delivery'],
    [{ code: 'FIVE', percent: 5, freeShipping: true }, 'percentage, an amount or free delivery'],
    [{ percent: 5 }, 'Give a code, or a title'],
    [{ code: 'FIVE', title: 'Five off', percent: 5 }, 'Give a code, or a title'],
    [{ code: 'FIVE', percent: 5, audience: 'friends' }, 'audience'],
    [{ code: 'FIVE', percent: 5, audience: 'chosen' }, 'Choose customers.'],
    [{ code: 'FIVE', percent: 5, audience: 'chosen', customers: null }, 'customers'],
    [{ code: 'FIVE', percent: 101 }, 'percent'],
    [{ code: 'FIVE', percent: 0 }, 'percent'],
    [{ code: 'FIVE', percent: 1.5 }, 'percent'],
    [{ code: 'FIVE', amount: 0 }, 'amount'],
    [{ code: 'FIVE', amount: 1.005 }, 'amount'],
    [{ code: 'FIVE', percent: 5, from: '2026-02-02', to: '2026-02-01' }, 'last day'],
    [{ code: 'FIVE', percent: 5, from: '2026-02-30' }, 'from'],
    [{ code: 'FIVE', percent: 5, maxUses: 0 }, 'maxUses'],
    [{ code: 'FIVE', percent: 5, products: ['cup'] }, 'products'],
  ])('refuses %j', async (body, word) => {
    const reply = await create<{ message: string }>(body)
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect(reply.body.message).toContain(word)
    expect(await list()).toEqual([])
  })

  it('refuses a code that there is, whatever its case', async () => {
    await create({ code: 'Summer', percent: 5 })
    expect(await create({ code: 'SUMMER', percent: 6 })).toMatchObject({
      status: 409,
      body: { message: 'There is a coupon with the code SUMMER already.' },
    })
  })
})

describe('GET /coupon/coupons', () => {
  const names = async (query: string) =>
    (await shop.get<Coupon[]>(`/coupon/coupons?${query}`, { token })).body.map(
      ({ code, title }) => code ?? title,
    )

  it('finds, filters and sorts by what the table shows', async () => {
    await create({ code: 'OLD', percent: 5, to: '2020-01-01' })
    await create({ code: 'LATER', percent: 5, from: '2999-01-01' })
    await create({ code: 'NOW', percent: 5 })
    await create({ title: 'a sale', percent: 5 })
    await shop.db.updateTable('coupons').set({ uses: 1 }).where('code', '=', 'NOW').execute()
    expect(await names('')).toEqual(['a sale', 'NOW', 'LATER', 'OLD'])
    expect(await names('sort=created')).toEqual(['OLD', 'LATER', 'NOW', 'a sale'])
    expect(await names('sort=name')).toEqual(['a sale', 'LATER', 'NOW', 'OLD'])
    expect((await names('sort=-uses')).at(0)).toBe('NOW')
    expect(await names('state=active')).toEqual(['a sale', 'NOW'])
    expect(await names('state=scheduled')).toEqual(['LATER'])
    expect(await names('state=ended')).toEqual(['OLD'])
    expect(await names('q=SALE')).toEqual(['a sale'])
  })
})

describe('PUT /coupon/update-coupon/:id', () => {
  it('replaces everything but the code, and what is not sent', async () => {
    const { body } = await create({ code: 'SUMMER', percent: 5, to: '2026-01-31', maxUses: 2 })
    const reply = await update(body.coupon._id, { code: 'WINTER', amount: 2, minimum: 10 })
    const changed = { code: 'SUMMER', percent: null, amount: 2, minimum: 10, to: null }
    expect(reply.body.coupon).toMatchObject({ ...changed, maxUses: null })
    const found = await shop.get<Coupon>(`/coupon/coupon/${body.coupon._id}`, { token })
    expect(found.body).toEqual(reply.body.coupon)
  })

  it('does not make one apply to everything whose products and categories were deleted', async () => {
    const empty = await addCategory(shop.db, 'Garden')
    const saucer = await addProduct(shop.db, { category })
    const scope = { products: [saucer.id], categories: [empty.id] }
    const { _id } = (await create({ code: 'SAUCER', percent: 10, ...scope })).body.coupon
    await shop.delete(`/product/delete-product/${saucer.id}`, { token })
    await shop.delete(`/category/delete-category/${empty.id}`, { token })
    const found = (await shop.get<Coupon>(`/coupon/coupon/${_id}`, { token })).body
    expect(found).toMatchObject({
      products: [{ _id: saucer.id, name: 'Deleted product' }],
      categories: [empty.id],
    })
    // as the form does that changes nothing but the percentage
    const products = found.products.map((one) => one._id)
    await update(_id, { percent: 20, products, categories: found.categories })
    expect(await quotes(shop)(cartOf(product), ['SAUCER'])).toMatchObject({
      totalMinor: 1000,
      notices: [{ message: 'This code does not apply to any product in your cart.' }],
    })
  })

  it('refuses fewer uses than there were, and a coupon that is gone', async () => {
    const { body } = await create({ code: 'SUMMER', percent: 10 })
    await use('SUMMER')
    await use('SUMMER')
    const id = body.coupon._id
    expect(await update(id, { percent: 10, maxUses: 1 })).toMatchObject({
      status: 409,
      body: { message: 'This discount has been used more often than that.' },
    })
    expect((await update(id, { percent: 10, maxUses: 2 })).body.coupon.uses).toBe(2)
    await remove(id)
    expect((await update(id, { percent: 10 })).status).toBe(404)
  })
})

describe('DELETE /coupon/delete-coupon/:id', () => {
  it('deletes it once, and the history tells who did what', async () => {
    const { body } = await create({ code: 'SUMMER', percent: 5 })
    const { _id: id } = body.coupon
    expect((await remove(id)).status).toBe(200)
    expect((await remove(id)).status).toBe(404)
    const log = await shop.get<object[]>(`/audit-log?object=${id}`, { token })
    const object = { kind: 'coupons', name: 'SUMMER' }
    expect(log.body).toMatchObject([
      { action: 'delete', object },
      { action: 'insert', object },
    ])
  })

  it('keeps a used one in the export, and gives its code to another', async () => {
    const { body } = await create({ code: 'SUMMER', percent: 10 })
    await use('SUMMER')
    expect((await remove(body.coupon._id)).status).toBe(200)
    expect(await list()).toEqual([])
    expect((await create({ code: 'SUMMER', percent: 20 })).status).toBe(201)
    const { bytes } = await shop.get('/coupon/export', { token })
    const [header, ...rows] = bytes.toString().trim().split('\r\n')
    expect(header).toContain('"uses","orders","discounted","deleted"')
    expect(rows).toEqual([
      expect.stringMatching(/^"SUMMER",10,.*,1,1,1,"yes"$/),
      expect.stringMatching(/^"SUMMER",20,.*,0,0,0,"no"$/),
    ])
  })
})
