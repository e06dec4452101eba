import { beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify, ordersOf } = purchases(shop)

let admin: Person
let category: { id: string }

beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Kitchen')
})

async function started() {
  const buyer = await addPerson(shop.db, { name: `Asha ${crypto.randomUUID()}` })
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  return { buyer, id: body.id }
}

const MOVED = { name: 'Somebody Else', phone: '666', address: '13 Harbour, "Warehouse"\nBay 4' }

const move = ({ token }: Person) => shop.put('/auth/profile', { token, body: MOVED })

const asBought = ({ name, email }: Person) => ({
  name,
  email,
  phone: '555 0100',
  address: '1 Market Lane',
})

const found = async (q: string) =>
  (await shop.get<Order[]>(`/auth/all-orders?q=${encodeURIComponent(q)}`, { token: admin.token }))
    .body

describe('the delivery of an order', () => {
  it('stays as it was when the order was paid, whatever becomes of the profile', async () => {
    const { buyer, id } = await started()
    const { order } = (await verify(buyer, signedPayment(id))).body
    expect(order.delivery).toEqual({ ...asBought(buyer), isChanged: false })
    await move(buyer)
    const expected = { ...asBought(buyer), isChanged: true }
    expect((await ordersOf(buyer)).map(({ delivery }) => delivery)).toEqual([expected])
    const [listed] = await found(order._id)
    expect(listed?.delivery).toEqual(expected)
    expect(listed?.buyer.name).toBe(buyer.name)
  })

  it('is the one of the moment of the payment, not of its start', async () => {
    const { buyer, id } = await started()
    await move(buyer)
    const { order } = (await verify(buyer, signedPayment(id))).body
    expect(order.delivery).toEqual({ ...MOVED, email: buyer.email, isChanged: false })
  })

  it('is what the order is found by, and not what the buyer is called today', async () => {
    const { buyer, id } = await started()
    const { order } = (await verify(buyer, signedPayment(id))).body
    await move(buyer)
    expect((await found(buyer.name)).map(({ _id }) => _id)).toEqual([order._id])
    expect((await found(buyer.email.toUpperCase())).map(({ _id }) => _id)).toEqual([order._id])
    expect((await found(MOVED.name)).map(({ _id }) => _id)).not.toContain(order._id)
  })

  it('stands in the file for the books', async () => {
    const { buyer, id } = await started()
    const { order } = (await verify(buyer, signedPayment(id))).body
    await move(buyer)
    const reply = await shop.get('/order/export', { token: admin.token })
    const row = reply.bytes
      .toString()
      .split('\r\n')
      .find((line) => line.includes(order._id))
    expect(row).toContain(`"${buyer.name}","${buyer.email}"`)
    expect(row).toMatch(/"INR","555 0100","1 Market Lane","(yes|no)",/)
  })
})
