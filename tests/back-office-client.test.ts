/** A client of the specification only: its calls and fields (spec §7). */
import type { InjectOptions } from 'fastify'
import { beforeAll, expect, it } from 'vitest'
import { openAccount } from '#app/accounts/server/service.ts'
import { formOf } from './support/form.ts'
import { signedPayment } from './support/payments.ts'
import { plain } from './support/pictures.ts'
import { testShop } from './support/shop.ts'

const shop = testShop()
const ADMIN = { email: 'owner@example.com', password: 'the owner of it' }

beforeAll(async () => {
  const facts = { name: 'Owner', phone: '1', address: 'Here', answer: 'chess' }
  await openAccount(shop.db, { ...ADMIN, ...facts }, { admin: true })
})

type Category = { _id: string; name: string; slug: string }
type Product<Shelf = string> = {
  _id: string
  name: string
  slug: string
  description: string
  price: number
  quantity: number
  category: Shelf
}

let token = ''
/** Sends what the specification's client sends: the raw token with every request, empty for a guest. */
async function send<Used>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: InjectOptions['payload'],
): Promise<Used> {
  const headers = { authorization: token }
  const reply = await shop.app.inject({ method, url: `/api/v1${path}`, headers, payload })
  expect(reply.statusCode, `${method} ${path}: ${reply.body.slice(0, 200)}`).toBeGreaterThanOrEqual(
    200,
  )
  expect(reply.statusCode, `${method} ${path}: ${reply.body.slice(0, 200)}`).toBeLessThan(300)
  return reply.json()
}

const login = async () => {
  const answer = await send<{ success: boolean; token: string; user: { role: number } }>(
    'POST',
    '/auth/login',
    ADMIN,
  )
  expect(answer).toMatchObject({ success: true, user: { role: 1 } })
  token = answer.token
}
const categories = async () =>
  (await send<{ category: Category[] }>('GET', '/category/get-category')).category
const categoryNamed = async (name: string) => {
  const found = (await categories()).find((category) => category.name === name)
  if (!found) throw new Error(`There is no category ${name}.`)
  return found
}
const products = async () =>
  (await send<{ products: Product<Category>[] }>('GET', '/product/get-product')).products
const product = async (slug: string) =>
  (await send<{ product: Product<Category> }>('GET', `/product/get-product/${slug}`)).product

it('lets in an admin', async () => {
  await login()
  expect(await send('GET', '/auth/admin-auth')).toEqual({ ok: true })
})

it('makes, renames and removes categories', async () => {
  for (const name of ['Books', 'Toys', 'Clothes']) {
    expect(await send('POST', '/category/create-category', { name })).toMatchObject({
      success: true,
      message: `${name} is created`,
    })
  }
  const toys = await categoryNamed('Toys')
  const renamed = await send('PUT', `/category/update-category/${toys._id}`, { name: 'Games' })
  expect(renamed).toMatchObject({ success: true, message: 'Games is updated' })
  const clothes = await categoryNamed('Clothes')
  expect(await send('DELETE', `/category/delete-category/${clothes._id}`)).toMatchObject({
    success: true,
    message: 'category is deleted',
  })
  expect((await categories()).map(({ name }) => name)).toEqual(['Books', 'Games'])
})

it('makes products, with a photo and with the empty one of an untouched field', async () => {
  const { _id: category } = await categoryNamed('Books')
  const photo = new Blob([new Uint8Array(await plain(400, 300).jpeg().toBuffer())])
  const fields = { description: 'Read it twice.', price: '12.5', quantity: '7', category }
  for (const [name, picture] of Object.entries({ Novel: photo, Atlas: '' })) {
    const form = formOf({ ...fields, name, photo: picture })
    expect(await send('POST', '/product/create-product', form)).toMatchObject({
      success: true,
      message: 'Product Created Successfully',
    })
  }
  expect((await products()).map(({ name }) => name)).toEqual(['Atlas', 'Novel'])
  expect(await send('GET', '/product/product-count')).toMatchObject({ total: 2 })
})

it('changes a product as its form holds it', async () => {
  const [, novel] = await products()
  const { _id, slug, name, description } = await product(novel?.slug ?? '')
  const { _id: category } = await categoryNamed('Games')
  const form = formOf({ name, description, price: '9.99', quantity: '3', category })
  expect(await send('PUT', `/product/update-product/${_id}`, form)).toMatchObject({
    success: true,
    message: 'Product Updated Successfully',
  })
  expect(await product(slug)).toMatchObject({
    _id,
    name,
    price: 9.99,
    quantity: 3,
    category: { _id: category, name: 'Games' },
  })
  const url = `/api/v1/product/product-photo/${_id}`
  const shown = await shop.app.inject({ url })
  expect(shown.headers['content-type']).toBe('image/jpeg')
})

it('finds them where a guest does', async () => {
  token = ''
  const { _id, slug } = await categoryNamed('Games')
  const listed = { products: [expect.objectContaining({ name: 'Novel' })] }
  expect(await send('GET', `/product/product-category/${slug}`)).toMatchObject(listed)
  const filter = { checked: [_id], radio: [0, 19] }
  expect(await send('POST', '/product/product-filters', filter)).toMatchObject(listed)
  await login()
})

type Order = { _id: string; status: string; products: { name: string }[] }

it('sees what was ordered, and says how far it has come', async () => {
  const [novel] = (await products()).filter(({ name }) => name === 'Novel')
  const cart = [novel, novel]
  const order = { amount: Math.round(2 * (novel?.price ?? 0) * 100), cart }
  const { id } = await send<{ id: string }>('POST', '/product/razorpay/order', order)
  await send('POST', '/product/razorpay/verify', { ...signedPayment(id), cart })
  const [placed] = await send<Order[]>('GET', '/auth/all-orders')
  expect(placed?.status).toBe('Not Process')
  expect(placed?.products.map(({ name }) => name)).toEqual(['Novel', 'Novel'])
  await send('PUT', `/auth/order-status/${placed?._id}`, { status: 'deliverd' })
  expect(await send('GET', '/auth/all-orders')).toMatchObject([{ status: 'deliverd' }])
  expect(await send('GET', '/auth/orders')).toMatchObject([{ status: 'deliverd' }])
})

it('removes what is left', async () => {
  for (const { _id } of await products()) await send('DELETE', `/product/delete-product/${_id}`)
  for (const { _id } of await categories()) {
    await send('DELETE', `/category/delete-category/${_id}`)
  }
  expect([await products(), await categories()]).toEqual([[], []])
})
