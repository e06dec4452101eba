import { beforeAll, describe, expect, it } from 'vitest'
import type { DetailedProduct } from '#app/products/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
let category = { id: '' }
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Kitchen')
})

type Saved = { message: string; products: { slug: string } }

const weightOf = async (slug: string) =>
  (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)).body.product
    .weightGrams

const update = (id: string, weightGrams: string | number) =>
  shop.put<Saved>(`/product/update-product/${id}`, { token, body: formOf({ weightGrams }) })

describe('the weight of a product', () => {
  it('is unknown unless it is given', async () => {
    const facts = { description: 'Pours.', price: 9, quantity: 3, category: category.id }
    const create = async (name: string, weightGrams?: number | '') => {
      const body = formOf({ ...facts, name, weightGrams })
      return (await shop.post<Saved>('/product/create-product', { token, body })).body.products.slug
    }
    expect(await weightOf(await create('Jug'))).toBeUndefined()
    expect(await weightOf(await create('Pot', ''))).toBeUndefined()
    expect(await weightOf(await create('Pan', 1250))).toBe(1250)
    expect(await weightOf(await create('Feather', 0))).toBe(0)
  })

  it('changes, and becomes unknown again', async () => {
    const { id, slug } = await addProduct(shop.db, { category })
    expect((await update(id, 300)).status).toBe(200)
    expect(await weightOf(slug)).toBe(300)
    await shop.put(`/product/update-product/${id}`, { token, body: formOf({ price: 3 }) })
    expect(await weightOf(slug)).toBe(300)
    expect((await update(id, '')).status).toBe(200)
    expect(await weightOf(slug)).toBeUndefined()
  })

  it.each([['-1'], ['1.5'], ['10000001'], ['heavy'], [' ']])('is not %j', async (weightGrams) => {
    const { id } = await addProduct(shop.db, { category })
    const { status, body } = await update(id, weightGrams)
    expect(status).toBe(400)
    expect(body.message).toMatch(/^weightGrams must be/)
  })
})

describe('the weight in the CSV', () => {
  const send = (csv: string) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/v1/product/import',
      headers: { authorization: token, 'content-type': 'text/csv' },
      payload: csv,
    })

  it('is imported as it was exported, and an empty cell makes it unknown', async () => {
    const { id, slug } = await addProduct(shop.db, { category })
    await update(id, 300)
    const { bytes } = await shop.get('/product/export', { token })
    const lines = bytes.toString().split('\r\n')
    expect(lines[0]).toContain('"quantity_read","weight_grams"')
    expect(lines.find((line) => line.includes(slug))).toContain(',10,300,')
    expect((await send(bytes.toString())).body).toContain('"updated":0')
    await send(`slug,weight_grams\n${slug},450\n`)
    expect(await weightOf(slug)).toBe(450)
    await send(`slug,price\n${slug},3\n`)
    expect(await weightOf(slug)).toBe(450)
    expect((await send(`slug,weight_grams\n${slug},1.5\n`)).body).toContain(
      'weight_grams must be a whole number.',
    )
    await send(`slug,weight_grams\n${slug},\n`)
    expect(await weightOf(slug)).toBeUndefined()
    await send('name,description,price,quantity,category,weight_grams\nVase,Tall.,9,1,Kitchen,75\n')
    expect(await weightOf('vase')).toBe(75)
  })
})
