import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '#db/schema.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'
import type { Product } from '../contract.ts'

const shop = testShop()

let corner: Row<'categories'>
let token = ''
beforeAll(async () => {
  corner = await addCategory(shop.db, 'Corner')
  token = (await addPerson(shop.db, { admin: true })).token
})

describe('the address of a deleted product', () => {
  const answerOf = async (slug: string) => {
    const { status, body } = await shop.get(`/product/get-product/${slug}`)
    return [status, body.code ?? null]
  }
  const create = async (name: string) => {
    const fields = { name, description: 'Round.', price: 1, quantity: 1, category: corner.id }
    const reply = await shop.post<{ products: Product }>('/product/create-product', {
      token,
      body: formOf(fields),
    })
    return reply.body.products
  }

  it('is gone, as its former ones are, until a new product takes it', async () => {
    const { _id } = await create('Round bowl')
    const path = `/product/update-product/${_id}`
    await shop.put(path, { token, body: formOf({ name: 'Flat bowl' }) })
    await shop.delete(`/product/delete-product/${_id}`, { token })
    expect(await answerOf('round-bowl')).toEqual([404, 'gone'])
    expect(await answerOf('flat-bowl')).toEqual([404, 'gone'])
    expect(await create('Flat bowl')).toMatchObject({ slug: 'flat-bowl' })
    expect(await answerOf('flat-bowl')).toEqual([200, null])
    expect(await answerOf('round-bowl')).toEqual([404, 'gone'])
  })

  it('is taken by an imported product, too', async () => {
    const { _id } = await create('Deep bowl')
    await shop.delete(`/product/delete-product/${_id}`, { token })
    const csv = 'name,description,price,quantity,category\nDeep bowl,Round.,1,1,Corner\n'
    await shop.app.inject({
      method: 'POST',
      url: '/api/v1/product/import',
      headers: { authorization: token, 'content-type': 'text/csv' },
      payload: csv,
    })
    expect(await answerOf('deep-bowl')).toEqual([200, null])
  })
})
