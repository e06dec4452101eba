import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
let category = { id: '' }
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Clothes')
})

const { load, save, make } = variantCallsOf(shop, () => token)
const shirt = async () =>
  make((await addProduct(shop.db, { category, name: 'Shirt', price: 20 })).id, [
    option(1, 'Colour', 'Red', 'Blue'),
  ])

describe('a save of variants', () => {
  it('takes the stock of one whose price rose above the price before, which it does not change', async () => {
    const { product, variants } = await shirt()
    const { _id, updatedAt = '' } = variants[0] ?? { _id: '' }
    await save(product._id, { changed: [{ _id, updatedAt, compareAt: { from: null, to: 22 } }] })
    const body = formOf({ price: 25 })
    await shop.put(`/product/update-product/${product._id}`, { token, body })
    const now = variantOf(await load(product._id), 'Red')
    const sent = { _id, updatedAt: now.updatedAt }
    const quantity = { from: now.quantity, to: 3 }
    expect((await save(product._id, { changed: [{ ...sent, quantity }] })).status).toBe(200)
    expect(variantOf(await load(product._id), 'Red')).toMatchObject({ compareAt: 22, quantity: 3 })
    const price = { from: 25, to: 26 }
    expect((await save(product._id, { changed: [{ ...sent, price }] })).status).toBe(400)
  })
})
