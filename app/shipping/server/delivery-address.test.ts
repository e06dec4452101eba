import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, PASSWORD, type Person } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { ADDRESS, ADDRESS_TEXT, addShipped, addZone } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify } = purchases(shop)

let admin: Person
let buyer: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Kitchen')
  await addZone(shop, admin)
})
beforeEach(async () => {
  buyer = await addPerson(shop.db)
})

/** An order that is delivered to the address. */
async function order() {
  const cart = cartOf(await addShipped(shop, category))
  const body = { amount: 5250, cart, delivery: ADDRESS }
  const started = await start(buyer, body)
  return (await verify(buyer, signedPayment(started.body.id))).body.order
}

describe('a delivery address in parts', () => {
  const setProfile = (delivery: unknown) =>
    shop.put<{ updatedUser: { delivery?: object }; message: string }>('/auth/profile', {
      token: buyer.token,
      body: { delivery },
    })

  it('is in the file for the books', async () => {
    const { _id } = await order()
    const file = await shop.get('/order/export', { token: admin.token })
    const row = file.bytes
      .toString()
      .split('\r\n')
      .find((line) => line.includes(_id))
    expect(row).toContain(`"${ADDRESS_TEXT}"`)
    const { name, phone, street, city, region, postalCode, country } = ADDRESS
    for (const part of [name, phone, street, city, region, postalCode, country])
      expect(row).toContain(`"${part}"`)
  })

  it('is remembered in the profile until it is deleted there', async () => {
    expect((await setProfile({ ...ADDRESS, other: 'x' })).body.updatedUser.delivery).toEqual(
      ADDRESS,
    )
    const login = await shop.post<{ user: { delivery?: object } }>('/auth/login', {
      body: { email: buyer.email, password: PASSWORD },
    })
    expect(login.body.user.delivery).toEqual(ADDRESS)
    expect((await setProfile(undefined)).body.updatedUser.delivery).toEqual(ADDRESS)
    expect((await setProfile(null)).body.updatedUser).not.toHaveProperty('delivery')
    for (const wrong of [{}, 'x', { ...ADDRESS, country: 'XX' }, { ...ADDRESS, name: '' }])
      expect((await setProfile(wrong)).status).toBe(400)
  })

  it('is in the download of the customer, and gone when the account is closed', async () => {
    const { _id } = await order()
    await setProfile(ADDRESS)
    await shop.db.updateTable('orders').set({ status: 'Shipped' }).where('id', '=', _id).execute()
    const data = await shop.get<Record<'account' | 'orders' | 'payments', object>>(
      '/auth/my-data',
      {
        token: buyer.token,
      },
    )
    expect(data.body.account).toMatchObject({ delivery: ADDRESS })
    expect(data.body.orders).toMatchObject([{ delivery: ADDRESS }])
    expect(data.body.payments).toMatchObject([{ delivery: ADDRESS }])
    const { token } = buyer
    await shop.post('/auth/close-account', { token, body: { password: PASSWORD } })
    for (const table of ['users', 'payments', 'orders'] as const) {
      const left = await shop.db
        .selectFrom(table)
        .where(table === 'users' ? 'id' : 'user_id', '=', buyer.id)
        .select('delivery')
        .execute()
      expect(left).toEqual([{ delivery: null }])
    }
  })
})
