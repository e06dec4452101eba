import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { allSettingsOf } from '#app/settings/server/service.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { checkOf } from '#app/shared/server/input/validation.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addressOf, declared } from '#tests/support/declared.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
})

type Answer = { status: number; body: { message?: string; fields?: Record<string, string>[] } }

const refused = ({ status, body: { message, fields = [] } }: Answer) => ({
  status,
  message,
  fields: fields.map(({ field, message }) => `${field} | ${message}`),
})

const WRONG_TEXTS = ['', ' \t\n ', 'a\0b', '\ud800', 'x'.repeat(20_001)]
const WRONG = [null, true, 7, -1, 1.5, ...WRONG_TEXTS, [], [null], [{}], ['x'], {}, { $ne: '' }]
const withBody = declared.filter(([, { body, multipart }]) => body && !multipart)

describe.each(withBody)('%s', (_name, endpoint) => {
  const { properties, required = [] } = endpoint.body as unknown as {
    properties: Record<string, object>
    required?: string[]
  }
  const checks = Object.entries(properties).map(([name, schema]) => ({
    name,
    check: checkOf(schema),
  }))

  it('names each field that is missing, or has a value that its schema refuses', async () => {
    // one of the calls logs out
    const { token: authorization } = await addPerson(shop.db, { admin: true })
    const fieldsRefused = async (payload: object) => {
      const url = API_PREFIX + addressOf(endpoint)
      const headers = { authorization }
      const reply = await shop.app.inject({ method: endpoint.method, url, headers, payload })
      const { fields = [] } = reply.json<{ fields?: { field: string }[] }>()
      return reply.statusCode === 400 ? fields.map(({ field }) => field.split('.', 1)[0]) : []
    }
    expect(await fieldsRefused({})).toEqual(expect.arrayContaining(required))
    for (const value of WRONG) {
      const refusing = checks.filter(({ check }) => check(value) !== null).map(({ name }) => name)
      const body = Object.fromEntries(refusing.map((name) => [name, value]))
      const found = await fieldsRefused(body)
      expect(found, JSON.stringify(value)).toEqual(expect.arrayContaining(refusing))
    }
  })
})

it('refuses more coupon codes than a quote takes, and a status that orders do not have', async () => {
  const couponCodes = Array(6).fill('X')
  expect(await shop.post('/checkout/quote', { body: { cart: [], couponCodes } })).toMatchObject({
    status: 400,
    body: { field: 'couponCodes' },
  })
  const path = `/auth/order-status/${randomUUID()}`
  expect(await shop.put(path, { token, body: { status: 'shipped' } })).toMatchObject({
    status: 400,
    body: { field: 'status' },
  })
})

it('names every field of a registration that is refused, and the first one in the message', async () => {
  const body = { name: ' ', email: 'asha', password: 'short', phone: '555 0100', address: '' }
  expect(refused(await shop.post('/auth/register', { body }))).toEqual({
    status: 400,
    message: 'answer is required.',
    fields: [
      'name | name is required.',
      'email | email is not valid.',
      'password | password must have at least 8 characters.',
      'address | address is required.',
      'answer | answer is required.',
    ],
  })
})

it('names every field of an empty product form', async () => {
  const form = { name: '', description: '', price: '', quantity: '', category: '', shipping: '1' }
  const answer = await shop.post('/product/create-product', { token, body: formOf(form) })
  expect(refused(answer)).toEqual({
    status: 400,
    message: 'name is required.',
    fields: [
      'name | name is required.',
      'description | description is required.',
      'price | price is required.',
      'quantity | quantity is required.',
      'category | category is required.',
    ],
  })
})

it('refuses days that are no texts', async () => {
  const days = { validFrom: { toString: 1 }, validTo: '2026-12-31' }
  const body = { name: 'x', country: 'IN', rate: 5, ...days }
  expect(refused(await shop.post('/tax/rates', { token, body }))).toMatchObject({
    status: 400,
    fields: ['validFrom | validFrom is not valid.'],
  })
})

it('names what a schema refuses and what a rule refuses of a coupon together', async () => {
  const create = async (body: object) =>
    refused(await shop.post('/coupon/create-coupon', { token, body })).fields
  expect(await create({ code: '', maxUses: 0 })).toEqual([
    'code | code is required.',
    'maxUses | maxUses must be at least 1.',
    'percent | Give a percentage, an amount or free delivery.',
  ])
  expect(await create({ code: 'a b', amount: 0, from: '2026-02-02', to: '2026-02-01' })).toEqual([
    'code | code must have 3 to 40 letters, digits and hyphens.',
    'amount | amount must be more than 0.',
    'to | The last day is before the first day.',
  ])
  expect(await create({ code: 'TEA', percent: 5, amount: 'x' })).toEqual([
    'amount | amount must be a number.',
  ])
  expect(await create({ code: 'TEA', percent: 5, amount: 5 })).toEqual([
    'amount | Give a percentage, an amount or free delivery.',
  ])
})

it('names every setting that is refused', async () => {
  const { revision, settings } = await allSettingsOf(shop.db)
  const sent = { revision, settings: { ...settings, name: '', locale: 'x', lowStock: -1 } }
  expect(refused(await shop.put('/settings/all', { token, body: sent }))).toMatchObject({
    message: 'name: Enter the name of the shop.',
    fields: [
      'name | Enter the name of the shop.',
      'locale | Enter a language tag, such as en-US or de-DE.',
      'lowStock | Enter a whole number from 0.',
    ],
  })
})

it('names a refused part by its path, also of an object that may be null', async () => {
  const delivery = { name: 'Asha', street: 'Here', city: '', country: 'IN', phone: '1' }
  const answer = await shop.put('/auth/profile', { token, body: { delivery } })
  expect(answer.body).toMatchObject({
    field: 'delivery.city',
    message: 'delivery.city is required.',
    fields: [{ field: 'delivery.city', message: 'delivery.city is required.' }],
  })
})

const RATE = { name: 'GST', country: 'IN', rate: 5 }
const ACCOUNT = { name: 'A', password: 'a long password', phone: '1', address: 'x', answer: 'y' }

it.each<[path: string, body: object, status: number, field: string]>([
  ['/category/create-category', { name: 'Cups' }, 409, 'name'],
  ['/coupon/create-coupon', { code: 'TEA', percent: 5 }, 409, 'code'],
  ['/tax/classes', { name: 'Books' }, 409, 'name'],
  ['/tax/classes', { name: 'standard' }, 409, 'name'],
  ['/tax/rates', RATE, 409, 'validFrom'],
  ['/tax/rates', { ...RATE, country: 'XX' }, 400, 'country'],
  ['/tax/rates', { ...RATE, region: 'Nowhere' }, 400, 'region'],
  ['/tax/rates', { ...RATE, taxClass: randomUUID() }, 400, 'taxClass'],
  ['/auth/register', { ...ACCOUNT, email: 'asha@example.com' }, 409, 'email'],
  ['/auth/close-account', { password: 'wrong' }, 400, 'password'],
])('what only the server refuses names its field: %s %o', async (path, body, status, field) => {
  await shop.post(path, { token, body })
  const answer = await shop.post<{ message: string }>(path, { token, body })
  const { message } = answer.body
  expect(answer).toMatchObject({ status, body: { field, fields: [{ field, message }] } })
})

it('does not repeat a field, and lists none of an unreadable body', async () => {
  const body = { email: 'x@example.com', password: 5 }
  expect(refused(await shop.post('/auth/login', { body })).fields).toEqual([
    'password | password must be text.',
  ])
  expect((await shop.post('/auth/login', { body: [] as never })).body).not.toHaveProperty('fields')
})
