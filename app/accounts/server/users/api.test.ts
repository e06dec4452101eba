import { beforeAll, describe, expect, it } from 'vitest'
import type { UserDetail } from '#app/accounts/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCoupon } from '#tests/support/coupons.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const UNKNOWN = crypto.randomUUID()

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Meera Nair' })
})

const detail = async (id: string) =>
  (await shop.get<UserDetail>(`/auth/user/${id}`, { token: admin.token })).body
const addNote = (id: string, text: string) =>
  shop.post(`/auth/user-notes/${id}`, { token: admin.token, body: { text } })
const exported = (id: string) => shop.get(`/auth/user-data/${id}`, { token: admin.token })

describe('GET /auth/user/:userId', () => {
  it('has the orders, addresses, discounts and sign-ins of a user', async () => {
    const buyer = await addPerson(shop.db, { name: 'Asha Rao', isConfirmed: true })
    const orders = []
    for (let n = 0; n < 6; n += 1) orders.push(await addOrder(shop.db, buyer))
    const cancelled = await addOrder(shop.db, buyer, { status: 'cancel' })
    const coupon = await addCoupon(shop.db, { code: 'TEN', uses: 1 })
    await shop.db
      .insertInto('coupon_uses')
      .values({
        coupon_id: coupon.id,
        payment_id: cancelled.payment_id,
        user_id: buyer.id,
        ordinal: 1,
      })
      .execute()
    const found = await detail(buyer.id.toUpperCase())
    expect(found).toMatchObject({
      name: 'Asha Rao',
      orders: 6,
      allOrders: 7,
      emailConfirmedAt: expect.stringMatching(/^\d{4}-/),
      addresses: ['1 Market Lane'],
      coupons: [{ _id: coupon.id, name: 'TEN', isDeleted: false, uses: 1 }],
      sessions: [{ since: expect.any(String), until: expect.any(String) }],
      places: [],
      notes: [],
    })
    expect(found.latestOrders[0]?.products).toEqual([{ name: LINE.name, quantity: LINE.quantity }])
    expect(found.latestOrders.map(({ _id }) => _id)).toEqual(
      [...orders, cancelled]
        .map(({ id }) => id)
        .slice(-5)
        .toReversed(),
    )
  })

  it('has no user that there is not, for admins only', async () => {
    const person = await addPerson(shop.db)
    const status = async (id: string, { token }: Person) =>
      (await shop.get(`/auth/user/${id}`, { token })).status
    expect(await status(UNKNOWN, admin)).toBe(404)
    expect(await status(person.id, person)).toBe(403)
  })
})

describe('notes on a user', () => {
  it('are listed with their author, newest first, and deleted', async () => {
    const person = await addPerson(shop.db)
    expect((await addNote(person.id, ' Prefers blue. ')).status).toBe(201)
    await addNote(person.id, 'Called on Monday.')
    const { notes } = await detail(person.id)
    expect(notes).toMatchObject([
      { text: 'Called on Monday.', author: 'Meera Nair' },
      { text: 'Prefers blue.', author: 'Meera Nair' },
    ])
    const remove = () => shop.delete(`/auth/user-note/${notes[0]?._id}`, { token: admin.token })
    expect((await remove()).status).toBe(200)
    expect((await remove()).status).toBe(404)
    expect((await detail(person.id)).notes).toMatchObject([{ text: 'Prefers blue.' }])
  })

  it('are in the history without their text', async () => {
    const person = await addPerson(shop.db, { name: 'Asha Rao' })
    await addNote(person.id, 'Allergic to nuts.')
    const { body } = await shop.get<object[]>(`/audit-log?object=${person.id}`, {
      token: admin.token,
    })
    expect(body).toMatchObject([
      { action: 'insert', object: { kind: 'user_notes', _id: person.id, name: 'Asha Rao' } },
    ])
    expect(JSON.stringify(body)).not.toContain('nuts')
  })

  it('are exported with the account, and erased with it', async () => {
    const person = await addPerson(shop.db)
    await addNote(person.id, 'Prefers blue.')
    const { bytes, headers } = await exported(person.id)
    expect(headers['content-disposition']).toContain('customer-data-')
    const own = await shop.get('/auth/my-data', { token: person.token })
    expect(bytes.toString()).toBe(own.bytes.toString())
    expect(JSON.parse(bytes.toString())).toMatchObject({
      account: { _id: person.id },
      notes: [{ text: 'Prefers blue.', user_id: person.id }],
    })
    await shop.delete(`/auth/user/${person.id}`, { token: admin.token })
    expect(await detail(person.id)).toMatchObject({ name: 'Closed account', notes: [] })
    expect((await addNote(person.id, 'Too late.')).status).toBe(404)
  })

  it('are for no user that there is not', async () => {
    expect((await addNote(UNKNOWN, 'Nobody.')).status).toBe(404)
    expect((await exported(UNKNOWN)).status).toBe(404)
  })
})
