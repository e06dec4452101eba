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
      percent: 10,
      amount: null,
      ...terms,
      products: [{ _id: product.id, name: product.name }],
      uses: 0,
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

  it.each([
    [{ code: 'AB', percent: 5 }, 'code'],
    [{ code: 'TWO WORDS', percent: 5 }, 'code'],
    [{ code: 'FIVE' }, 'percentage or an amount'],
    [{ code: 'FIVE', percent: 5, amount: 5 }, 'percentage or an amount'],
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
      body: { message: 'This coupon has been used more often than that.' },
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
