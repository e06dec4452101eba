import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#app/audit/admin-contract.ts'
import type { TaxClass, TaxRate, TaxSettings } from '#app/taxes/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const UNKNOWN = '0197f9a0-0000-7000-8000-000000000000'

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const as = (body?: unknown) => ({ token: admin.token, body })

const RATE = { name: 'GST', country: 'IN', rate: 18 }
const addRate = (facts: object) =>
  shop.post<{ message: string; rate: TaxRate }>('/tax/rates', as({ ...RATE, ...facts }))
const addClass = async (name: string) =>
  (await shop.post<{ taxClass: TaxClass }>('/tax/classes', as({ name }))).body.taxClass

const SETTINGS: TaxSettings = {
  pricesIncludeTax: false,
  taxesShipping: true,
  shippingClass: null,
  country: 'IN',
  region: 'Karnataka',
  sellerName: 'Haat Ltd',
  sellerAddress: '1 Market Lane\nPune',
  sellerTaxNumber: '29ABCDE1234F1Z5',
}
const save = (facts: object = {}) => shop.put('/tax/settings', as({ ...SETTINGS, ...facts }))

type Taxes = { settings: TaxSettings; classes: TaxClass[]; rates: TaxRate[] }
const taxes = async () => (await shop.get<Taxes>('/tax', as())).body

describe('GET /tax', () => {
  it('has settings before any were saved, which tax nothing', async () => {
    expect(await taxes()).toEqual({
      settings: {
        pricesIncludeTax: true,
        taxesShipping: true,
        shippingClass: null,
        country: null,
        region: null,
        sellerName: '',
        sellerAddress: '',
        sellerTaxNumber: '',
      },
      classes: [],
      rates: [],
    })
  })
})

describe('POST /tax/rates', () => {
  it('saves a rate with three decimals, and a region by its code', async () => {
    const { status, body } = await addRate({ country: 'US', region: 'new york', rate: 8.875 })
    expect(status).toBe(201)
    expect(body.rate).toMatchObject({
      name: 'GST',
      taxClass: null,
      country: 'US',
      region: 'NY',
      rate: 8.875,
      validFrom: null,
      validTo: null,
    })
    expect((await taxes()).rates).toContainEqual(body.rate)
  })

  it('returns a region without a code as a name, and compares it without case', async () => {
    const { body } = await addRate({ country: 'AT', region: 'Tirol' })
    expect(body.rate.region).toBe('Tirol')
    expect((await addRate({ country: 'AT', region: 'TIROL' })).status).toBe(409)
  })

  it.each([
    [{ rate: 18.1234 }, 'rate may have at most 3 decimals.'],
    [{ rate: -1 }, 'rate must be at least 0.'],
    [{ rate: 101 }, 'rate must be at most 100.'],
    [{ rate: '18' }, 'rate must be a number.'],
    [{ name: ' ' }, 'name is required.'],
    [{ country: 'ZZ' }, 'country is not a code of ISO 3166-1.'],
    [{ country: 'in' }, 'country is not valid.'],
    [{ region: 'x'.repeat(101) }, 'region may have at most 100 characters.'],
    [{ validFrom: '2026-02-30' }, 'validFrom is not a day of the calendar.'],
    [
      { validFrom: '2026-02-02', validTo: '2026-02-01' },
      'validTo must not be before the first day.',
    ],
    [{ taxClass: UNKNOWN }, 'This tax class does not exist any more. Please choose another.'],
    [{ taxClass: 'Books' }, 'taxClass is not valid.'],
  ])('refuses %j', async (facts, message) => {
    expect(await addRate(facts)).toMatchObject({ status: 400, body: { code: 'invalid', message } })
  })

  it.each([
    ['FR', {}],
    ['DE', { validFrom: '2026-01-01' }],
    ['ES', { validTo: '2026-01-01' }],
  ])('refuses a second rate in %s with the days %j beside one without', async (country, days) => {
    await addRate({ country })
    const message = 'GST 18 % already applies to this class and place without a time limit.'
    expect(await addRate({ country, ...days })).toMatchObject({
      status: 409,
      body: { code: 'conflict', message },
    })
  })

  it('accepts the next rate from the day after the last day, and refuses that day', async () => {
    await addRate({ country: 'JP', rate: 8, validTo: '2026-09-30' })
    const next = { country: 'JP', rate: 10, validFrom: '2026-09-30' }
    expect(await addRate(next)).toMatchObject({
      status: 409,
      body: { message: 'GST 8 % already applies to this class and place until 2026-09-30.' },
    })
    expect((await addRate({ ...next, validFrom: '2026-10-01' })).status).toBe(201)
  })

  it('accepts rates of other regions and other classes', async () => {
    const { _id } = await addClass('Regional')
    for (const facts of [{}, { region: 'AB' }, { region: 'BC' }, { taxClass: _id }])
      expect((await addRate({ country: 'CA', ...facts })).status).toBe(201)
    const sameByName = await addRate({ country: 'CA', region: ' alberta ' })
    expect(sameByName.status).toBe(409)
  })

  it('lets one of two simultaneous rates win', async () => {
    const both = await Promise.all([addRate({ country: 'NO' }), addRate({ country: 'NO' })])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })
})

describe('PUT and DELETE /tax/rates/:id', () => {
  it('replaces a rate, which may overlap with itself only', async () => {
    const { rate } = (await addRate({ country: 'SE', rate: 25 })).body
    const path = `/tax/rates/${rate._id}`
    const edited = await shop.put<{ rate: TaxRate }>(
      path,
      as({ ...RATE, country: 'SE', rate: 24, validTo: '2026-12-31' }),
    )
    expect(edited.body.rate).toEqual({ ...rate, rate: 24, validTo: '2026-12-31' })
    await addRate({ country: 'SE', validFrom: '2027-01-01' })
    expect((await shop.put(path, as({ ...RATE, country: 'SE' }))).status).toBe(409)
    expect((await shop.delete(path, as())).status).toBe(200)
    expect((await shop.delete(path, as())).status).toBe(404)
    expect((await shop.put(path, as({ ...RATE, country: 'AQ' }))).status).toBe(404)
  })
})

describe('the audit log', () => {
  it('has the name of a rate, its percentage, and the name of its class', async () => {
    const { _id: taxClass, name } = await addClass('Audited')
    const { rate } = (await addRate({ country: 'PT', taxClass })).body
    const changed = { ...RATE, country: 'PT', taxClass: null, rate: 8.875 }
    await shop.put(`/tax/rates/${rate._id}`, as(changed))
    const { body } = await shop.get<AuditEntry[]>(`/audit-log?object=${rate._id}`, as())
    expect(body[0]).toMatchObject({ object: { kind: 'tax_rates', name: 'GST' } })
    expect(body[0]?.changes).toEqual(
      expect.arrayContaining([
        { field: 'rate', before: 18, after: 8.875 },
        { field: 'class_id', before: name, after: null },
      ]),
    )
  })
})

describe('tax classes', () => {
  it('have names that differ by more than case and blanks, and Standard is taken', async () => {
    expect(await addClass(' Zero  rated ')).toMatchObject({ name: 'Zero  rated' })
    for (const name of ['zero rated', ' STANDARD'])
      expect((await shop.post('/tax/classes', as({ name }))).status).toBe(409)
    expect((await shop.post('/tax/classes', as({ name: '' }))).status).toBe(400)
  })

  it('are renamed, and unknown ones are not found', async () => {
    const { _id } = await addClass('Boks')
    const renamed = await shop.put(`/tax/classes/${_id}`, as({ name: 'Books' }))
    expect(renamed.body).toMatchObject({ taxClass: { _id, name: 'Books' } })
    const missing = `/tax/classes/${UNKNOWN}`
    expect((await shop.put(missing, as({ name: 'Nothing' }))).status).toBe(404)
    expect((await shop.delete(missing, as())).status).toBe(404)
    expect((await shop.put(`/tax/classes/${_id}`, as({ name: 'zero rated' }))).status).toBe(409)
  })

  it('are deleted only while nothing uses them', async () => {
    const { _id } = await addClass('Used')
    const path = `/tax/classes/${_id}`
    const { rate } = (await addRate({ country: 'FI', taxClass: _id })).body
    const category = await addCategory(shop.db, 'Shelf')
    const product = await addProduct(shop.db, { category })
    const classed = { token: admin.token, body: formOf({ taxClass: _id }) }
    expect((await shop.put(`/product/update-product/${product.id}`, classed)).status).toBe(200)
    await save({ shippingClass: _id })
    expect(await shop.delete(path, as())).toMatchObject({
      status: 409,
      body: { message: 'This tax class is used by 1 product, 1 rate, and shipping.' },
    })
    await save()
    await shop.delete(`/tax/rates/${rate._id}`, as())
    const standard = { token: admin.token, body: formOf({ taxClass: '' }) }
    await shop.put(`/product/update-product/${product.id}`, standard)
    expect((await shop.delete(path, as())).status).toBe(200)
  })
})

describe('PUT /tax/settings', () => {
  it('replaces the settings, with the region by its code', async () => {
    expect((await save()).status).toBe(200)
    expect((await taxes()).settings).toEqual({ ...SETTINGS, region: 'KA' })
    await save({ country: null, pricesIncludeTax: true })
    expect((await taxes()).settings).toMatchObject({
      country: null,
      region: null,
      pricesIncludeTax: true,
    })
  })

  it('has the tax class of shipping by its id, in whatever case that is sent', async () => {
    const { _id } = await addClass('Parcels')
    await save({ shippingClass: _id.toUpperCase() })
    expect((await taxes()).settings.shippingClass).toBe(_id)
    await save()
  })

  it.each([
    [{ country: 'ZZ' }, 'country is not a code of ISO 3166-1.'],
    [{ shippingClass: UNKNOWN }, 'This tax class does not exist any more. Please choose another.'],
    [{ pricesIncludeTax: 'yes' }, 'pricesIncludeTax must be true or false.'],
    [{ sellerAddress: 'x'.repeat(1001) }, 'sellerAddress may have at most 1000 characters.'],
  ])('refuses %j', async (facts, message) => {
    expect(await save(facts)).toMatchObject({ status: 400, body: { message } })
  })
})

describe('the tax class of a product', () => {
  const form = (taxClass: string, category: string) =>
    formOf({ name: 'Jug', description: 'Pours.', price: 9, quantity: 3, category, taxClass })

  it('is saved by the form, shown on the product, and refused when it is gone', async () => {
    const { id } = await addCategory(shop.db, 'Jugs')
    const { _id } = await addClass('Pottery')
    const create = (taxClass: string) =>
      shop.post<{ products: { slug: string } }>('/product/create-product', as(form(taxClass, id)))
    const { slug } = (await create(_id)).body.products
    const { body } = await shop.get<{ product: object }>(`/product/get-product/${slug}`)
    expect(body.product).toMatchObject({ taxClass: _id })
    const plain = (await create('')).body.products
    const { body: other } = await shop.get<{ product: object }>(
      `/product/get-product/${plain.slug}`,
    )
    expect(other.product).not.toHaveProperty('taxClass')
    expect(await create(UNKNOWN)).toMatchObject({
      status: 400,
      body: { message: 'This tax class does not exist any more. Please choose another.' },
    })
  })
})
