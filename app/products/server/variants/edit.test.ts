import { beforeAll, describe, expect, it } from 'vitest'
import type { VariantEdit } from '#app/products/variant-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
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

type Said = { message: string }

describe('a save of variants', () => {
  it('takes the stock of one whose price rose above the price before, which it does not change', async () => {
    const { product, variants } = await shirt()
    const { _id, updatedAt = '' } = variants[0] ?? { _id: '' }
    await save(product._id, { changed: [{ _id, updatedAt, compareAt: { from: null, to: 22 } }] })
    const price_minor = 2500
    await shop.db.updateTable('variants').set({ price_minor }).where('id', '=', _id).execute()
    const now = variantOf(await load(product._id), 'Red')
    const sent = { _id, updatedAt: now.updatedAt }
    const quantity = { from: now.quantity, to: 3 }
    expect((await save(product._id, { changed: [{ ...sent, quantity }] })).status).toBe(200)
    expect(variantOf(await load(product._id), 'Red')).toMatchObject({ compareAt: 22, quantity: 3 })
    const price = { from: 25, to: 26 }
    expect((await save(product._id, { changed: [{ ...sent, price }] })).status).toBe(400)
  })

  it('says what it has done, and refuses an edit of nothing', async () => {
    const { product, options, variants } = await shirt()
    const [red, blue] = variants.map(({ _id, updatedAt }) => ({ _id, updatedAt }))
    if (!red || !blue) throw new Error('The shirt has no two colours.')
    const said = async (edit: VariantEdit) => (await save<Said>(product._id, edit)).body.message
    const to = options.map((one) => ({ ...one, name: 'Shade' }))
    expect(await said({ options: { from: options, to } })).toBe('The options are saved.')
    const quantity = { from: 10, to: 3 }
    const changed = [{ ...red, quantity }]
    expect(await said({ changed, removed: [blue._id] })).toBe('1 variant saved. 1 variant removed.')
    expect(await said({ removed: [blue._id] })).toBe('Nothing is changed.')
    for (const edit of [{ changed: [] }, { changed: [red], removed: [] }, { reason: 'Counted' }])
      expect((await save(product._id, edit)).status).toBe(400)
  })
})
