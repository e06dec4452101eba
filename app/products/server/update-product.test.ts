import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DetailedProduct, ListedProduct } from '#app/products/contract.ts'
import { takeStock } from '#app/products/server/service.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { atOnce } from '#tests/support/concurrently.ts'
import { formOf } from '#tests/support/form.ts'
import { type Reply, testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
let category = { id: '' }
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Cups')
})

type Saved = { success: boolean; message: string; code?: string; products: ListedProduct }

const update = (id: string, fields: Parameters<typeof formOf>[0]) =>
  shop.put<Saved>(`/product/update-product/${id}`, { token, body: formOf(fields) })
const updated = async (id: string, fields: Parameters<typeof formOf>[0]) =>
  (await update(id, fields)).body.products
const remove = (id: string) => shop.delete(`/product/delete-product/${id}`, { token })
const shown = async (slug: string) =>
  (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)).body.product
const added = async (name = 'Clay cup') =>
  shown((await addProduct(shop.db, { category, name })).slug)
const sell = async (id: string, quantity: number) => {
  const asSold = { name: '', slug: '', description: '', price_minor: 1 }
  await takeStock(shop.db, [{ product_id: id, quantity, ...asSold }])
}

const row = (id: string) => sql`select from products where id = ${id} for update`

const NOBODY = '0197f9a0-0000-7000-8000-000000000000'

describe('PUT /product/update-product/:id', () => {
  it('changes what is sent, which everybody sees at once', async () => {
    const other = await addCategory(shop.db, 'Mugs')
    const before = await added()
    const changes = { description: 'Holds coffee.', price: 7.25, quantity: 3, shipping: 1 }
    const { status, body } = await update(before._id, { ...changes, category: other.id })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: 'Product Updated Successfully',
      products: { ...before, ...changes, category: other.id, updatedAt: expect.any(String) },
    })
    expect(await shown(before.slug)).toMatchObject({ ...changes, category: { _id: other.id } })
  })

  it('keeps what is not sent, the photo too', async () => {
    const { _id, slug } = await added()
    await addPhoto(shop.db, { id: _id })
    const before = await shown(slug)
    for (const fields of [{ price: before.price }, { photo: '' }, { unknown: 'x' }]) {
      const { category: _, updatedAt: __, photos: ___, ...kept } = before
      expect(await updated(_id, fields)).toMatchObject(kept)
    }
  })

  it('renames it with its address; the former ones answer, and come back with their names', async () => {
    const { _id, slug } = await added('Tea cup')
    expect(await updated(_id, { name: ' Coffee cup ' })).toMatchObject({
      name: 'Coffee cup',
      slug: 'coffee-cup',
    })
    expect(await updated(_id, { name: 'COFFEE  cup' })).toMatchObject({ slug: 'coffee-cup' })
    expect(await updated(_id, { name: 'Soup cup' })).toMatchObject({ slug: 'soup-cup' })
    expect(await updated(_id, { name: 'Coffee cup' })).toMatchObject({ slug: 'coffee-cup' })
    for (const former of [slug, 'coffee-cup', 'soup-cup']) {
      expect(await shown(former)).toMatchObject({ _id, slug: 'coffee-cup' })
    }
  })

  it('refuses what create-product refuses', async () => {
    const { _id } = await added()
    const wrong = { name: ' ', description: '', price: '1.234', quantity: '-1', category: NOBODY }
    for (const [field, value] of Object.entries({ ...wrong, shipping: 2, updatedAt: 'x' })) {
      expect(await update(_id, { [field]: value }), field).toMatchObject({
        status: 400,
        body: { code: 'invalid', message: expect.stringContaining(field) },
      })
    }
  })

  it('answers 404 when there is none, or no longer', async () => {
    const { _id } = await added()
    await remove(_id)
    for (const id of [_id, NOBODY, 'x']) {
      expect(await update(id, { name: 'x' })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    }
  })
})

describe('two admins at one product', () => {
  it('the second is told, and nothing is overwritten', async () => {
    const { _id, slug, updatedAt } = await added()
    const saves = ['first', 'second'].map(
      (description) => () => update(_id, { description, updatedAt }),
    )
    const replies = await atOnce(shop.db, row(_id), saves)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [saved, refused] = replies.toSorted((a, b) => a.status - b.status)
    expect(refused?.body).toMatchObject({ success: false, code: 'stale' })
    expect((await shown(slug)).description).toBe(saved?.body.products.description)
  })

  it('one who reads again may save', async () => {
    const { _id, slug, updatedAt } = await added()
    await update(_id, { description: 'first', updatedAt })
    expect((await update(_id, { description: 'second', updatedAt })).status).toBe(409)
    const again = await shown(slug)
    expect((await update(_id, { description: 'second', updatedAt: again.updatedAt })).status).toBe(
      200,
    )
  })

  it('every save is later than the one before, however fast they follow', async () => {
    const { _id } = await added()
    const times: string[] = []
    for (let save = 0; save < 20; save++)
      times.push((await updated(_id, { price: save })).updatedAt)
    expect(new Set(times).size).toBe(20)
    expect(times.toSorted()).toEqual(times)
  })

  it('a save without updatedAt is taken as it comes', async () => {
    const { _id } = await added()
    await update(_id, { description: 'first' })
    expect((await update(_id, { description: 'second' })).status).toBe(200)
  })
})

describe('a sale while the form is open', () => {
  it('is no edit: the save goes through', async () => {
    const { _id, updatedAt } = await added()
    await sell(_id, 1)
    expect((await update(_id, { description: 'new', updatedAt })).status).toBe(200)
  })

  it('stays sold when the form sends the quantity that it read', async () => {
    const { _id, quantity, updatedAt } = await added()
    await sell(_id, 3)
    const seen = { updatedAt, quantityRead: quantity }
    const saved = await updated(_id, { ...seen, description: 'new', quantity })
    expect(saved.quantity).toBe(quantity - 3)
  })

  it('stays sold when the form changes the quantity', async () => {
    const { _id, quantity } = await added()
    await sell(_id, 3)
    const saved = await updated(_id, { quantity: quantity + 20, quantityRead: quantity })
    expect(saved.quantity).toBe(quantity + 20 - 3)
  })

  it('refuses a change that would leave less than nothing', async () => {
    const { _id, slug, quantity } = await added()
    await sell(_id, quantity - 1)
    expect(await update(_id, { quantity: 2, quantityRead: quantity })).toMatchObject({
      status: 409,
      body: { code: 'stale', message: expect.stringContaining('1 left') },
    })
    expect((await shown(slug)).quantity).toBe(1)
  })

  it('loses no piece, however sales and saves mix', async () => {
    const { _id, slug, quantity } = await added()
    const restock = () => update(_id, { quantity: quantity + 5, quantityRead: quantity })
    const sales = Array.from({ length: 8 }, () => () => sell(_id, 1).then(() => null))
    const replies = await atOnce<Reply<Saved> | null>(shop.db, row(_id), [
      restock,
      ...sales,
      restock,
    ])
    expect(replies.filter((reply) => reply && reply.status !== 200)).toEqual([])
    expect((await shown(slug)).quantity).toBe(quantity + 10 - 8)
  })
})

describe('DELETE /product/delete-product/:id', () => {
  it('removes it with all its addresses', async () => {
    const { _id, slug } = await added('Tea cup')
    await update(_id, { name: 'Deleted cup' })
    expect(await remove(_id)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Product DEleted Succfully' },
    })
    for (const former of [slug, 'deleted-cup']) {
      expect((await shop.get(`/product/get-product/${former}`)).status).toBe(404)
    }
    expect((await remove(_id)).status).toBe(404)
  })

  it('answers 404 when there is none', async () => {
    for (const id of [NOBODY, 'x']) expect((await remove(id)).status).toBe(404)
  })
})
