import { beforeAll, describe, expect, it } from 'vitest'
import { addCategory, addProduct } from './support/catalogue.ts'
import { formOf } from './support/form.ts'
import { addPerson, type Person } from './support/people.ts'
import { testShop } from './support/shop.ts'

const shop = testShop()
let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const OTHER = '0197f9a0-0000-7000-8000-000000000000'
/** What nobody sets by sending it, in every spelling that a store might take. */
const EXTRA = {
  ...{ _id: OTHER, id: OTHER, role: 1, roles: 'admin', isAdmin: true, is_admin: true },
  ...{ admin: true, password_hash: '-', answer_hash: '-', email_key: 'x', search: 'x' },
  ...{ slug: 'planted', name_key: 'planted', name_folded: 'planted', photo_version: 'planted' },
  ...{ created_at: '2001-01-01', createdAt: '2001-01-01', price_minor: 1, category_id: OTHER },
  ...{ user_id: OTHER, userId: OTHER, closed_at: '2001-01-01', success: false },
}

const rowOf = (table: 'users' | 'categories' | 'products', id: string) =>
  shop.db.selectFrom(table).where('id', '=', id).selectAll().executeTakeFirstOrThrow()

const year = ({ created_at }: { created_at: Date }) => created_at.getFullYear()

type User = { user: { _id: string; role: number } }

describe('POST /auth/register', () => {
  it('takes nothing but its six fields', async () => {
    const facts = { name: 'Asha', email: 'new@example.com', phone: '5', address: '1 Lane' }
    const body = { ...EXTRA, ...facts, password: 'a long secret', answer: 'Chess' }
    const { user } = (await shop.post<User>('/auth/register', { body })).body
    expect(user).toEqual({ _id: expect.not.stringMatching(OTHER), ...facts, role: 0 })
    const row = await rowOf('users', user._id)
    expect(row).toMatchObject({ is_admin: false, email_key: 'new@example.com' })
    expect(row).toMatchObject({ password_hash: expect.stringMatching(/^\$argon2id/) })
    expect(year(row)).toBeGreaterThan(2001)
  })
})

describe('PUT /auth/profile', () => {
  it('changes nothing but its own fields, and nobody else', async () => {
    const [person, other] = [await addPerson(shop.db), await addPerson(shop.db)]
    const before = [await rowOf('users', person.id), await rowOf('users', other.id)]
    const planted = { ...EXTRA, _id: other.id, id: other.id, userId: other.id, email: 'x@y' }
    const reply = await shop.put('/auth/profile', {
      token: person.token,
      body: { ...planted, phone: '555 0199' },
    })
    expect(reply.status).toBe(200)
    const { search: _search, ...rest } = { search: '', ...before[0] }
    expect(await rowOf('users', person.id)).toMatchObject({ ...rest, phone: '555 0199' })
    expect(await rowOf('users', other.id)).toEqual(before[1])
    expect((await shop.get('/auth/admin-auth', { token: person.token })).status).toBe(403)
  })
})

describe('categories', () => {
  type Made = { category: { _id: string; name: string; slug: string } }

  it('take nothing but a name', async () => {
    const { token } = admin
    const body = { ...EXTRA, name: 'Lamps' }
    const { category } = (await shop.post<Made>('/category/create-category', { token, body })).body
    expect(category).toEqual({
      _id: expect.not.stringMatching(OTHER),
      name: 'Lamps',
      slug: 'lamps',
    })
    const path = `/category/update-category/${category._id}`
    const renamed = await shop.put<Made>(path, { token, body: { ...EXTRA, name: 'Lights' } })
    expect(renamed.body.category).toEqual({ _id: category._id, name: 'Lights', slug: 'lights' })
    const row = await rowOf('categories', category._id)
    expect(row).toMatchObject({ name_key: 'lights' })
    expect(year(row)).toBeGreaterThan(2001)
  })
})

describe('products', () => {
  const facts = { name: 'Red lamp', description: 'Shines.', price: 20, quantity: 3 }
  type Made = { products: { _id: string } }
  const sent = (fields: object) =>
    formOf(
      Object.fromEntries(
        Object.entries({ ...EXTRA, ...fields }).map(([name, value]) => [name, String(value)]),
      ),
    )
  const send = async (method: 'POST' | 'PUT', path: string, fields: object) => {
    const request = new Request('http://shop', { method: 'POST', body: sent(fields) })
    const headers = {
      authorization: admin.token,
      'content-type': request.headers.get('content-type') ?? '',
    }
    const payload = Buffer.from(await request.arrayBuffer())
    const reply = await shop.app.inject({ method, url: `/api/v1${path}`, headers, payload })
    expect(reply.statusCode, reply.body).toBeLessThan(300)
    return reply.json<Made>().products._id
  }

  it('take nothing but their fields', async () => {
    const category = await addCategory(shop.db, 'Shining things')
    const id = await send('POST', '/product/create-product', { ...facts, category: category.id })
    expect(id).not.toBe(OTHER)
    const kept = { slug: 'red-lamp', price_minor: 2000, category_id: category.id, quantity: 3 }
    expect(await rowOf('products', id)).toMatchObject({ ...kept, photo_version: null })
    const path = `/product/update-product/${id}`
    expect(await send('PUT', path, { name: 'Red lamp', price: 21 })).toBe(id)
    const row = await rowOf('products', id)
    expect(row).toMatchObject({ ...kept, price_minor: 2100, photo_version: null })
    expect(year(row)).toBeGreaterThan(2001)
  })

  it('leave every other alone', async () => {
    const category = await addCategory(shop.db, 'Quiet things')
    const [one, other] = [
      await addProduct(shop.db, { category }),
      await addProduct(shop.db, { category }),
    ]
    await send('PUT', `/product/update-product/${one.id}`, {
      _id: other.id,
      id: other.id,
      price: 1,
    })
    expect(await rowOf('products', other.id)).toEqual(other)
  })
})
