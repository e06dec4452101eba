import { beforeAll, describe, expect, it } from 'vitest'
import { returnOrderStock } from '#app/orders/server/service.ts'
import type { StockEntry } from '#app/products/catalogue-contract.ts'
import type { ListedProduct } from '#app/products/contract.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let admin: Person
let category = { id: '' }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Mira' })
  category = await addCategory(shop.db, 'Cups')
})

const history = async (id: string, page = 1) =>
  shop.get<StockEntry[]>(`/product/stock-history/${id}?page=${page}`, { token: admin.token })

describe('GET /product/stock-history/:id', () => {
  it('has the edits with their reasons, imports, sales and returns, newest first', async () => {
    const { token } = admin
    const form = {
      name: 'Jug',
      description: 'Pours.',
      price: 9,
      quantity: 3,
      category: category.id,
    }
    const created = await shop.post<{ products: ListedProduct }>('/product/create-product', {
      token,
      body: formOf(form),
    })
    const product = created.body.products
    const edit = (fields: Parameters<typeof formOf>[0]) =>
      shop.put(`/product/update-product/${product._id}`, { token, body: formOf(fields) })
    await edit({ quantity: 10, reason: ' Delivery of May ' })
    await edit({ price: 8, reason: 'No stock in it' })
    const { start, verify } = purchases(shop)
    const buyer = await addPerson(shop.db)
    const cart = cartOf({ id: product._id })
    const { body: payment } = await start(buyer, { amount: 800, cart })
    const { order } = (await verify(buyer, signedPayment(payment.id), cart)).body
    await inTransaction(shop.db, SHOP, (tx) => returnOrderStock(tx, order._id))
    await shop.app.inject({
      method: 'POST',
      url: '/api/v1/product/import',
      headers: { authorization: token, 'content-type': 'text/csv' },
      payload: `slug,quantity\n${product.slug},4\n`,
    })
    const { body, headers } = await history(product._id)
    expect(headers['x-total-count']).toBe('5')
    const shown = body.map(({ kind, change, quantity, reason, author, order: of }) => [
      kind,
      change,
      quantity,
      reason,
      author,
      of?.number ?? null,
    ])
    expect(shown).toEqual([
      ['edit', -6, 4, 'Import', 'Mira', null],
      ['return', 1, null, null, null, order.number],
      ['sale', -1, null, null, null, order.number],
      ['edit', 7, 10, 'Delivery of May', 'Mira', null],
      ['created', 3, 3, null, 'Mira', null],
    ])
    expect((await history(product._id, 2)).body).toEqual([])
  })

  it('is not found for a product that is not there', async () => {
    expect((await history(crypto.randomUUID())).status).toBe(404)
  })
})
