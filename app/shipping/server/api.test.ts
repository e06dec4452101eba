import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ShippingRate, ShippingZone, ZoneForm } from '#app/shipping/admin-contract.ts'
import { namedCountries } from '#app/shipping/model.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { addCategory, addProduct, changeListed } from '#tests/support/catalogue.ts'
import { addZone, BY_WEIGHT, EXPRESS, FLAT, INDIA, removeZones } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})
beforeEach(() => removeZones(shop))

type Saved = { success: boolean; code?: string; message: string; zone: ShippingZone }
type List = { zones: ShippingZone[]; productsWithoutWeight?: number }

const asAdmin = (body?: unknown) => ({ token: admin.token, body })
const list = async () => (await shop.get<List>('/shipping/zones', asAdmin())).body
const create = (facts: object) =>
  shop.post<Saved>('/shipping/zone', asAdmin({ ...INDIA, ...facts }))
const update = (id: string, facts: object) =>
  shop.put<Saved>(`/shipping/zone/${id}`, asAdmin({ ...INDIA, ...facts }))
const remove = (id: string) => shop.delete<Saved>(`/shipping/zone/${id}`, asAdmin())

const NOBODY = '0197f9a0-0000-7000-8000-000000000000'

describe('GET /shipping/countries', () => {
  const countries = async () =>
    (await shop.get<{ countries: string[] }>('/shipping/countries')).body.countries
  const settings = async (facts: object) => {
    const value = JSON.stringify(facts)
    await sql`update settings set value = value || ${value}::jsonb where name = 'shop'`.execute(
      shop.db,
    )
  }

  it('lists the countries of all zones by name, and none twice', async () => {
    await create({ name: 'Home', isDefault: false, places: [{ country: 'IN', region: 'KA' }] })
    const places = [{ country: 'LK' }, { country: 'IN' }, { country: 'AT' }]
    await create({ name: 'Around', isDefault: false, places })
    expect(await countries()).toEqual(['AT', 'IN', 'LK'])
  })

  it("begins with the shop's own country", async () => {
    await create({ isDefault: false, places: [{ country: 'LK' }, { country: 'AT' }] })
    await settings({ country: 'LK' })
    expect(await countries()).toEqual(['LK', 'AT'])
    await settings({ country: 'DE' })
    expect(await countries()).toEqual(['AT', 'LK'])
    await settings({ country: '' })
  })

  it.each(['without zones', 'with a zone for all other places'])('lists all %s', async (which) => {
    if (which !== 'without zones') await create({ isDefault: true })
    expect(await countries()).toEqual(namedCountries('en').map(({ code }) => code))
  })
})

describe('POST /shipping/zone', () => {
  it('adds a zone with its places and rates', async () => {
    const form = {
      name: ' Southern India ',
      isDefault: true,
      places: [{ country: 'LK' }, { country: 'IN', region: 'karnataka' }],
      rates: [
        { name: 'Pick-up', kind: 'pickup', price: 0 },
        { ...FLAT, freeFrom: 999.5, days: { least: 2, most: 4 } },
        BY_WEIGHT,
        {
          name: 'By amount',
          kind: 'amount',
          tiers: [
            { upTo: 99.5, price: 9 },
            { upTo: null, price: 0 },
          ],
        },
      ],
    }
    const { status, body } = await create(form)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      success: true,
      message: 'Southern India is created',
      zone: {
        name: 'Southern India',
        isDefault: true,
        places: [{ country: 'IN', region: 'KA' }, { country: 'LK' }],
        rates: form.rates,
      },
    })
    expect((await list()).zones).toEqual([body.zone])
  })

  it('adds a pick-up without a price, which is free', async () => {
    const { status, body } = await create({ rates: [{ name: 'At the shop', kind: 'pickup' }] })
    expect(status).toBe(201)
    expect(body.zone.rates).toMatchObject([{ name: 'At the shop', kind: 'pickup', price: 0 }])
  })

  it.each<[string, Partial<ZoneForm>, string]>([
    ['without a place', { places: [] }, 'Add a place, or make this the default zone.'],
    ['without a rate', { rates: [] }, 'Add a rate.'],
    ['with a country that there is not', { places: [{ country: 'XX' }] }, 'choose a country'],
    [
      'with a place twice',
      {
        places: [
          { country: 'IN', region: 'KA' },
          { country: 'IN', region: 'Karnataka' },
        ],
      },
      'Karnataka, India is here twice.',
    ],
    [
      'with two rates of one name',
      { rates: [FLAT, { ...EXPRESS, name: ' standard' }] },
      'has this name',
    ],
    ['with a flat rate without a price', { rates: [{ name: 'A', kind: 'flat' }] }, 'Enter a price'],
    ['with a rate without tiers', { rates: [{ name: 'A', kind: 'weight' }] }, 'Add a tier.'],
    [
      'with tiers that overlap',
      {
        rates: [
          {
            ...BY_WEIGHT,
            tiers: [
              { upTo: 500, price: 10 },
              { upTo: 500, price: 20 },
            ],
          },
        ],
      },
      'tiers do not overlap',
    ],
    [
      'with a tier after one without an end',
      {
        rates: [
          {
            ...BY_WEIGHT,
            tiers: [
              { upTo: null, price: 10 },
              { upTo: 500, price: 20 },
            ],
          },
        ],
      },
      'has no end',
    ],
    [
      'with a part of a gram',
      { rates: [{ ...BY_WEIGHT, tiers: [{ upTo: 1.5, price: 10 }] }] },
      'whole grams',
    ],
    ['without a name', { name: ' ' }, 'name is required'],
    [
      'with a negative price',
      { rates: [{ ...FLAT, price: -1 }] },
      'rates.0.price must be at least 0',
    ],
    [
      'with the least days alone',
      { rates: [{ ...FLAT, days: { least: 1 } as ShippingRate['days'] }] },
      'rates.0.days.most is required',
    ],
    [
      'with fewer days at most than at least',
      { rates: [{ ...FLAT, days: { least: 4, most: 2 } }] },
      'Enter at least 4.',
    ],
    [
      'with days beyond 60',
      { rates: [{ ...FLAT, days: { least: 4, most: 61 } }] },
      'Enter whole days from 0 to 60',
    ],
    ['with three decimals', { rates: [{ ...FLAT, price: 1.005 }] }, 'at most 2 decimals'],
  ])('refuses a zone %s', async (_what, facts, sentence) => {
    const { status, body } = await create(facts)
    expect([status, body.code]).toEqual([400, 'invalid'])
    expect(body.message).toContain(sentence)
    expect((await list()).zones).toEqual([])
  })

  it('refuses the name, a place and the default of another zone', async () => {
    await addZone(shop, admin, { isDefault: true })
    const norway = { name: 'Norway', places: [{ country: 'NO' }] }
    for (const [facts, sentence] of [
      [{ ...norway, name: ' INDIA' }, 'A zone named India exists already.'],
      [{ ...norway, places: INDIA.places }, 'India is in the zone India.'],
      [{ ...norway, isDefault: true }, 'India is the default zone already.'],
    ] as const) {
      const { status, body } = await create(facts)
      expect([status, body.message]).toEqual([409, sentence])
    }
    expect((await create({ ...norway, places: [{ country: 'IN', region: 'KA' }] })).status).toBe(
      201,
    )
  })

  it('makes one of two with the same place that come at once', async () => {
    const replies = await Promise.all(['A', 'B', 'C'].map((name) => create({ name })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})

describe('PUT /shipping/zone/:id', () => {
  it('replaces places and rates; a rate that stays keeps its id', async () => {
    const zone = await addZone(shop, admin)
    const [standard, express] = zone.rates
    const { status, body } = await update(zone._id, {
      places: [{ country: 'NO' }],
      rates: [{ ...express, price: 99 }, BY_WEIGHT],
    })
    expect(status).toBe(200)
    expect(body.zone.places).toEqual([{ country: 'NO' }])
    expect(body.zone.rates).toMatchObject([{ _id: express?._id, price: 99 }, BY_WEIGHT])
    expect(body.zone.rates.map(({ _id }) => _id)).not.toContain(standard?._id)
    expect((await list()).zones).toEqual([body.zone])
  })

  it('takes no rate from another zone', async () => {
    const india = await addZone(shop, admin)
    const norway = await addZone(shop, admin, { name: 'Norway', places: [{ country: 'NO' }] })
    await update(norway._id, { name: 'Norway', places: [{ country: 'NO' }], rates: india.rates })
    const { zones } = await list()
    expect(zones.find(({ _id }) => _id === india._id)).toEqual(india)
    const ids = zones.flatMap(({ rates }) => rates.map(({ _id }) => _id))
    expect(new Set(ids).size).toBe(4)
  })

  it('does not save over a later edit', async () => {
    const zone = await addZone(shop, admin)
    const { updatedAt } = zone
    expect((await update(zone._id, { updatedAt, name: 'Bharat' })).status).toBe(200)
    expect(await update(zone._id, { updatedAt })).toMatchObject({
      status: 409,
      body: { code: 'stale' },
    })
    expect((await list()).zones).toMatchObject([{ name: 'Bharat' }])
  })

  it('answers 404 when there is none', async () => {
    for (const id of [NOBODY, 'x']) expect((await update(id, {})).status).toBe(404)
  })

  it('is in the audit log with what changed', async () => {
    const zone = await addZone(shop, admin)
    const [standard] = zone.rates
    const entries = await entriesOf(shop.db, () =>
      update(zone._id, { rates: [{ ...standard, price: 50 }, EXPRESS] }),
    )
    expect(entries).toContainEqual(
      expect.objectContaining({
        table_name: 'shipping_rates',
        row_id: standard?._id,
        before: { price_minor: 4000 },
        after: { price_minor: 5000 },
      }),
    )
    const log = await shop.get<{ object: { name: string } }[]>(
      `/audit-log?object=${standard?._id}`,
      asAdmin(),
    )
    expect(log.body[0]?.object.name).toBe('Standard')
  })
})

describe('DELETE /shipping/zone/:id', () => {
  it('removes it with its rates, and its places are free again', async () => {
    const { _id } = await addZone(shop, admin)
    expect((await remove(_id)).status).toBe(200)
    expect((await list()).zones).toEqual([])
    expect((await create({})).status).toBe(201)
    for (const id of [_id, NOBODY, 'x']) expect((await remove(id)).status).toBe(404)
  })
})

describe('GET /shipping/zones', () => {
  it('counts the products without a weight once a rate goes by weight', async () => {
    const category = await addCategory(shop.db, 'Kitchen')
    const cup = await addProduct(shop.db, { category })
    await addProduct(shop.db, { category })
    await shop.db.updateTable('products').set({ shipping: true }).where('id', '=', cup.id).execute()
    await addZone(shop, admin)
    expect(await list()).not.toHaveProperty('productsWithoutWeight')
    await addZone(shop, admin, { name: 'W', places: [{ country: 'NO' }], rates: [BY_WEIGHT] })
    expect((await list()).productsWithoutWeight).toBe(1)
    await changeListed(shop.db, cup, { weight_grams: 0 })
    expect((await list()).productsWithoutWeight).toBe(0)
  })
})
