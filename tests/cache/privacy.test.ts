/** Private answers are never cached. */

import { expect, it } from 'vitest'
import { isOpen } from '#app/shared/contract/access.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { addressOf, declared } from '../support/declared.ts'
import { addOrder } from '../support/orders.ts'

let people: Person[]
const shop = testCachedShop({
  async fill(db) {
    await addProduct(db, { category: await addCategory(db, 'Kitchen'), name: 'Cup' })
    people = [
      await addPerson(db, { name: 'Secret Name' }),
      await addPerson(db, { name: 'Secret Admin', admin: true }),
    ]
    for (const person of people) await addOrder(db, person)
  },
})

const forms = ({ token }: Person): Record<string, string>[] => [
  {},
  { authorization: token },
  { authorization: `Bearer ${token}` },
  { authorization: '' },
  { authorization: 'made-up' },
  { cookie: `token=${token}`, 'x-xsrf-token': token },
]

/** Attempts of cache poisoning. */
const odd: Record<string, string>[] = [
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { 'x-original-url': '/api/v1/auth/orders', 'x-rewrite-url': '/api/v1/auth/orders' },
  { 'x-http-method-override': 'DELETE', range: 'bytes=0-1' },
  { accept: 'text/nonsense', 'accept-language': 'x', origin: 'https://evil.example' },
]

const contents = () =>
  shop.app.pages?.entries().map(({ key, headers, forms }) => ({
    key,
    headers,
    text: [...forms.values()].map((form) => ('bytes' in form ? form.bytes.toString() : '')).join(),
  })) ?? []

async function askAsAll(endpoint: Endpoint, method: string) {
  const path = API_PREFIX + addressOf(endpoint)
  for (const headers of [...people.flatMap(forms), ...odd]) {
    await shop.ask(path, { method, headers })
    await shop.ask(`${path}?page=1`, { method, headers })
  }
}

it('keeps what a public call reads, and no answer of any other call', async () => {
  const { slug } = await shop.db.selectFrom('products').select('slug').executeTakeFirstOrThrow()
  await shop.ask(`${API_PREFIX}/product/get-product/${slug}`)
  for (const [, endpoint] of declared) {
    await askAsAll(endpoint, endpoint.method)
    if (endpoint.method !== 'GET') await askAsAll(endpoint, 'GET')
  }
  const mayBeKept = declared
    .filter(([, { access, method }]) => isOpen(access) && method === 'GET')
    .map(([, { path }]) => API_PREFIX + path)
  const routes = shop.app.pages?.entries().map(({ route }) => route) ?? []
  expect(new Set(routes).size).toBeGreaterThan(4)
  for (const route of routes) expect(mayBeKept).toContain(route)
})

it('keeps nothing that anybody sent, or that is somebody’s own', () => {
  const secrets = people.flatMap(({ token, email, name, id }) => [token, email, name, id])
  for (const { key, headers, text } of contents()) {
    const all = `${key} ${headers.join(' ')} ${text}`
    for (const secret of [...secrets, 'evil.example', 'nonsense']) {
      expect(all, key).not.toContain(secret)
    }
    expect(headers, key).not.toContain('set-cookie')
    expect(headers, key).not.toContain('x-request-id')
  }
})

it('keeps what a fresh request without any header gets', async () => {
  for (const { key, text } of contents()) {
    const [type, url] = key.startsWith('image/') ? key.split(' ') : ['*/*', key]
    const fresh = await shop.app.inject({ url: String(url), headers: { accept: String(type) } })
    expect(text.startsWith(fresh.rawPayload.toString()), key).toBe(true)
  }
})

it('is bypassed by a request with a token, and by no empty header', async () => {
  const path = `${API_PREFIX}/product/product-count`
  await shop.ask(path)
  const stored = shop.stored()
  const madeFor = async (authorization: string) => {
    const before = shop.made()
    await shop.ask(path, { headers: { authorization } })
    return shop.made() - before
  }
  expect(await madeFor(people[0]?.token ?? '')).toBe(1)
  expect(await madeFor('')).toBe(0)
  expect(shop.stored()).toEqual(stored)
})
