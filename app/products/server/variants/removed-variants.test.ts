import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#app/audit/admin-contract.ts'
import type { StockEntry } from '#app/products/catalogue-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, type Variants, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
let category = { id: '' }
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Clothes')
})

const { save, make } = variantCallsOf(shop, () => token)
let made: Variants
let blue: Variants['variants'][number]

/** Red and blue in two sizes, of which blue in M is removed. */
beforeEach(async () => {
  const { id } = await addProduct(shop.db, { category, name: 'Shirt', price: 12.5 })
  made = await make(id, [option(1, 'Colour', 'Red', 'Blue'), option(2, 'Size', 'S', 'M')])
  blue = variantOf(made, 'Blue', 'M')
  const { _id, updatedAt } = blue
  await save(id, { changed: [{ _id, updatedAt, quantity: { from: 10, to: 7 } }] })
  await save(id, { removed: [_id] })
})

describe('a variant that was removed', () => {
  it('is in the history of its product, by its values', async () => {
    const path = `/audit-log?object=${made.product._id.toUpperCase()}`
    const { body } = await shop.get<AuditEntry[]>(path, { token })
    expect(body.slice(0, 2).map(({ action, object }) => [action, object])).toMatchObject([
      ['delete', { kind: 'variants', _id: blue._id, name: 'Shirt – Blue / M' }],
      ['update', { kind: 'variants', _id: blue._id, name: 'Shirt – Blue / M' }],
    ])
  })

  it('is in the history of the stock with its edits, to the end', async () => {
    const path = `/product/stock-history/${made.product._id}`
    const { body, headers } = await shop.get<StockEntry[]>(path, { token })
    expect(body.slice(0, 2).map(({ kind, variant, change }) => [kind, variant, change])).toEqual([
      ['removed', 'Blue / M', -7],
      ['edit', 'Blue / M', -3],
    ])
    expect(headers['x-total-count']).toBe(`${body.length}`)
  })

  it('has the photo of its product, for past orders', async () => {
    await addPhoto(shop.db, { id: made.product._id })
    const photo = (id: string) => shop.get(`/product/product-photo/${id}?w=320`)
    const { status, bytes } = await photo(blue._id)
    expect([status, bytes]).toEqual([200, (await photo(made.product._id)).bytes])
    const { db } = shop
    await db.deleteFrom('products').where('id', '=', made.product._id).execute()
    expect((await photo(blue._id)).status).toBe(404)
  })
})
