import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { atOnce } from '#tests/support/concurrently.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { onServer } from '#tests/support/database.ts'
import { formOf } from '#tests/support/form.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { signedPayment } from '#tests/support/payments.ts'
import { addOption } from '#tests/support/variants.ts'
import { refreshListings } from './listing-store.ts'

const { shop, start, verify, expireReservations, cup, asAdmin } = paymentShop()

/** A shirt whose size S costs 9 and M 12, with so many pieces of each. */
async function shirt(small: number, medium: number) {
  const product = await cup({ name: 'Shirt', price: 9, quantity: small })
  const { S = '', M = '' } = await addOption(shop.db, product, {
    name: 'Size',
    values: ['S', 'M'],
    quantity: medium,
  })
  await shop.db.updateTable('variants').set({ price_minor: 1200 }).where('id', '=', M).execute()
  await refreshListings(shop.db, [product.id])
  return { ...product, S, M }
}

const cart = (...ids: string[]) => ids.map((_id) => ({ _id }))
const listed = async ({ slug }: { slug: string }) => {
  const { body } = await shop.get<{ product: ListedProduct }>(`/product/get-product/${slug}`)
  const { price, quantity } = body.product
  return { price, quantity }
}
const isInStock = async ({ id }: { id: string }) => {
  const { body } = await shop.get<{ products: ListedProduct[] }>('/product/products?stock=in')
  return body.products.some(({ _id }) => _id === id)
}
async function buy(ids: string[], amount: number, buyer?: Person) {
  const person = buyer ?? (await addPerson(shop.db))
  const { body } = await start(person, { amount, cart: cart(...ids) })
  return verify(person, signedPayment(body.id))
}
const consistent = async () => expect(await contradictionsIn(shop.db)).toEqual({})

describe('a product is listed by', () => {
  it('its cheapest variant that can be bought, which its id buys', async () => {
    const product = await shirt(1, 5)
    expect(await listed(product)).toEqual({ price: 9, quantity: 1 })
    const { body } = await buy([product.id], 900)
    expect(body.order.products).toMatchObject([{ variant: product.S, price: 9 }])
    expect(await listed(product)).toEqual({ price: 12, quantity: 5 })
    const next = await buy([product.id], 1200)
    expect(next.body.order.products).toMatchObject([{ variant: product.M, price: 12 }])
    await consistent()
  })

  it('the cheapest of all when none can be bought, and is in no list of what is in stock', async () => {
    const product = await shirt(1, 1)
    expect(await isInStock(product)).toBe(true)
    await buy([product.S, product.M], 2100)
    expect(await listed(product)).toEqual({ price: 9, quantity: 0 })
    expect(await isInStock(product)).toBe(false)
    await consistent()
  })

  it('a variant whose last piece is reserved, until that is sold or comes back', async () => {
    const product = await shirt(1, 5)
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 900, cart: cart(product.S) })
    expect(await listed(product)).toEqual({ price: 9, quantity: 0 })
    expect(await isInStock(product)).toBe(true)
    const other = await start(await addPerson(shop.db), { amount: 900, cart: cart(product.id) })
    expect(other).toMatchObject({ status: 409, body: { code: 'out_of_stock' } })
    await expireReservations()
    expect(await listed(product)).toEqual({ price: 9, quantity: 1 })
    await consistent()
    await verify(buyer, signedPayment(body.id))
    expect(await listed(product)).toEqual({ price: 12, quantity: 5 })
    await consistent()
  })

  it('another variant than when it was added to a cart: the price is refused', async () => {
    const product = await shirt(1, 5)
    await buy([product.S], 900)
    expect(
      await start(await addPerson(shop.db), { amount: 900, cart: cart(product.id) }),
    ).toMatchObject({ status: 409, body: { code: 'price_changed' } })
  })

  it('the price of a sale from its minute on, whatever the lists still say', async () => {
    const product = await shirt(3, 5)
    const sale = {
      sale_price_minor: 700,
      sale_from: new Date(0),
      sale_until: new Date('2099-01-01'),
    }
    // as if the minute had come after the last run of the job
    await shop.db.updateTable('variants').set(sale).where('id', '=', product.S).execute()
    const late = await start(await addPerson(shop.db), { amount: 900, cart: cart(product.S) })
    expect(late).toMatchObject({ status: 409, body: { code: 'price_changed' } })
    const { body } = await buy([product.S], 700)
    expect(body.order.products).toMatchObject([{ price: 7 }])
    await refreshListings(shop.db, [product.id])
  })
})

describe.runIf(onServer)('at once', () => {
  it('two buyers of the last pieces of two variants leave the product sold out', async () => {
    const product = await shirt(1, 1)
    const people = [await addPerson(shop.db), await addPerson(shop.db)]
    const rows = sql`select from products where id = ${product.id}::uuid for update`
    const replies = await atOnce(
      shop.db,
      rows,
      people.map((buyer, at) => () => {
        const [id, amount] = at === 0 ? [product.S, 900] : [product.M, 1200]
        return start(buyer, { amount, cart: cart(id) })
      }),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(await isInStock(product)).toBe(false)
    await consistent()
  })

  it('an editor who raises a price, and a buyer of the last piece, agree on the list', async () => {
    const product = await shirt(1, 5)
    const buyer = await addPerson(shop.db)
    const rows = sql`select from products where id = ${product.id}::uuid for update`
    const [edited, bought] = await atOnce<{ status: number }>(shop.db, rows, [
      () =>
        shop.put(`/product/update-product/${product.id}`, {
          ...asAdmin(),
          body: formOf({ name: 'Shirt in sizes' }),
        }),
      () => buy([product.S], 900, buyer),
    ])
    expect([edited?.status, bought?.status]).toEqual([200, 200])
    expect((await listed(product)).price).toBe(12)
    await consistent()
  })
})
