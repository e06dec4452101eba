import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '#app/audit/admin-contract.ts'
import type { Order } from '#app/orders/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addPhoto } from '#tests/support/catalogue.ts'
import { atOnce } from '#tests/support/concurrently.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { addOption, makeListed } from '#tests/support/variants.ts'

const world = paymentShop()
const { shop, start, verify, cup, change, asAdmin, setStatus, refund } = world

/** A shirt in two colours at 12.50 each, ten of each: the product is the red one. */
async function shirt() {
  const product = await cup({ name: 'Shirt', price: 12.5, quantity: 10 })
  const { Red: red = '', Blue: blue = '' } = await addOption(shop.db, product, {
    name: 'Colour',
    values: ['Red', 'Blue'],
  })
  return { id: product.id, red, blue }
}
type Shirt = Awaited<ReturnType<typeof shirt>>

const ids = (...ids: string[]) => ids.map((_id) => ({ _id }))
const leftOf = async ({ red, blue }: Shirt) => {
  const rows = await shop.db
    .selectFrom('variants')
    .where('id', 'in', [red, blue])
    .select(['id', 'quantity'])
    .execute()
  const left = (id: string) => rows.find((row) => row.id === id)?.quantity
  return { red: left(red) ?? 0, blue: left(blue) ?? 0 }
}
const changeVariant = (id: string, facts: { quantity?: number; price_minor?: number }) =>
  shop.db
    .updateTable('variants')
    .set({ ...facts, updated_at: sql`updated_at + interval '1 second'` })
    .where('id', '=', id)
    .execute()
const remove = (id: string) => shop.db.deleteFrom('variants').where('id', '=', id).execute()

/** Buys what these ids mean, and answers the order. */
async function bought(buyer: Person, cart: { _id: string }[]): Promise<Order> {
  const { body } = await start(buyer, { amount: 1250 * cart.length, cart })
  return (await verify(buyer, signedPayment(body.id))).body.order
}

describe('a variant', () => {
  it('is bought by its own id, and as the product by the id of that', async () => {
    const shirts = await shirt()
    const buyer = await addPerson(shop.db)
    const { products } = await bought(buyer, ids(shirts.blue, shirts.id, shirts.blue))
    expect(products).toMatchObject([
      {
        _id: shirts.blue,
        name: 'Shirt – Blue',
        product: shirts.id,
        variant: shirts.blue,
        options: [{ name: 'Colour', value: 'Blue' }],
      },
      { _id: shirts.blue },
      { _id: shirts.id, name: 'Shirt – Red', variant: shirts.red },
    ])
    expect(await leftOf(shirts)).toEqual({ red: 9, blue: 8 })
  })

  it('is one stock, whether the cart names it or its product', async () => {
    const shirts = await shirt()
    await change(shirts, { quantity: 2 })
    const buyer = await addPerson(shop.db)
    const cart = ids(shirts.id, shirts.red, shirts.red)
    const { status, body } = await start(buyer, { amount: 3750, cart })
    expect([status, body]).toMatchObject([409, { code: 'out_of_stock' }])
    expect((await bought(buyer, ids(shirts.id, shirts.red))).products).toHaveLength(2)
    expect((await leftOf(shirts)).red).toBe(0)
  })

  it('that is sold out, or costs more, is named', async () => {
    const shirts = await shirt()
    await changeVariant(shirts.blue, { quantity: 0 })
    const buyer = await addPerson(shop.db)
    const cart = ids(shirts.blue)
    expect((await start(buyer, { amount: 1250, cart })).body).toMatchObject({
      code: 'out_of_stock',
      message: 'Shirt – Blue is sold out: 0 left.',
    })
  })

  it('that was removed from its product is named', async () => {
    const shirts = await shirt()
    await remove(shirts.blue)
    const buyer = await addPerson(shop.db)
    expect(await start(buyer, { amount: 1250, cart: ids(shirts.blue) })).toMatchObject({
      status: 409,
      body: { code: 'out_of_stock', message: 'Shirt – Blue is no longer sold: 0 left.' },
    })
  })

  it('that is removed while a payment holds it is sold all the same', async () => {
    const shirts = await shirt()
    const buyer = await addPerson(shop.db)
    const { body } = await start(buyer, { amount: 1250, cart: ids(shirts.blue) })
    await remove(shirts.blue)
    const { order } = (await verify(buyer, signedPayment(body.id))).body
    expect(order.products).toMatchObject([{ name: 'Shirt – Blue' }])
  })

  it('comes back to its own stock, also when another one is listed since', async () => {
    const shirts = await shirt()
    const buyer = await addPerson(shop.db)
    const order = await bought(buyer, ids(shirts.id, shirts.blue))
    await makeListed(shop.db, shirts.blue)
    await setStatus(order, 'cancel')
    expect((await refund(order, { returnStock: true })).status).toBe(200)
    expect(await leftOf(shirts)).toEqual({ red: 10, blue: 10 })
  })

  it('is never oversold, however many buy it and its siblings at once', async () => {
    const shirts = await shirt()
    const buyers = await Promise.all(Array.from({ length: 30 }, () => addPerson(shop.db)))
    const carts = [ids(shirts.id), ids(shirts.blue), ids(shirts.blue, shirts.red)]
    const cartOfBuyer = (at: number) => carts[at % carts.length] ?? []
    const rows = sql`select from products where id = ${shirts.id}::uuid for update`
    const replies = await atOnce(
      shop.db,
      rows,
      buyers.map((buyer, at) => () => {
        const cart = cartOfBuyer(at)
        return start(buyer, { amount: 1250 * cart.length, cart })
      }),
    )
    const started = replies.filter(({ status }) => status === 200).length
    expect(started).toBeGreaterThan(9)
    const { red, blue } = await leftOf(shirts)
    expect(Math.min(red, blue)).toBeGreaterThanOrEqual(0)
    const held = replies.flatMap(({ status }, at) => (status === 200 ? cartOfBuyer(at) : []))
    expect(held).toHaveLength(20 - red - blue)
  })

  it('has its own row in the history, by name', async () => {
    const shirts = await shirt()
    await changeVariant(shirts.blue, { price_minor: 1300 })
    const { body } = await shop.get<AuditEntry[]>(`/audit-log?object=${shirts.blue}`, asAdmin())
    expect(body[0]).toMatchObject({
      object: { name: 'Shirt – Blue' },
      changes: [{ field: 'price', before: 12.5, after: 13 }],
    })
  })
})

describe('a cart of whole products', () => {
  it('of a client that knows no variants buys them by their ids', async () => {
    const { id } = await cup({ name: 'Plain' })
    const buyer = await addPerson(shop.db)
    const [sold] = (await bought(buyer, cartOf({ id }))).products
    expect(sold).toEqual({
      _id: id,
      name: 'Plain',
      slug: expect.any(String),
      description: 'Holds tea.',
      price: 12.5,
    })
  })
})

describe('the id of a variant', () => {
  it('has the photo and the similar products of its product', async () => {
    const { id, blue } = await shirt()
    const other = await cup({ name: 'Scarf' })
    await addPhoto(shop.db, { id })
    const photo = (of: string) => shop.get(`/product/product-photo/${of}?w=320`)
    expect((await photo(blue)).bytes).toEqual((await photo(id)).bytes)
    expect((await photo(blue)).headers['cache-control']).toBe('no-store')
    const { category_id: category } = await shop.db
      .selectFrom('products')
      .where('id', '=', id)
      .select('category_id')
      .executeTakeFirstOrThrow()
    const { body } = await shop.get<{ products: { _id: string }[] }>(
      `/product/related-product/${blue}/${category}`,
    )
    const similar = body.products.map(({ _id }) => _id)
    expect(similar).toContain(other.id)
    expect(similar).not.toContain(id)
  })
})
