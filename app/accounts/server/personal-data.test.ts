import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, PASSWORD, type Person, signInAgain } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addOrder } from '#tests/support/orders.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify, cancel } = purchases(shop)

type Item = Record<string, unknown>
type Data = { account: Item } & Record<
  'orders' | 'payments' | 'sessions' | 'known_places' | 'audit_log',
  Item[]
>

const dataOf = ({ token }: { token?: string }) => shop.get<Data>('/auth/my-data', { token })

let admin: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Kitchen')
})

describe('GET /auth/my-data', () => {
  it('is a file with all that the shop keeps about its user', async () => {
    const person = await addPerson(shop.db, { name: 'Åsa "O\'Hara"\n' })
    await shop.put(`/auth/user-role/${person.id}`, { token: admin.token, body: { role: 1 } })
    const buyer = await signInAgain(shop.db, person)
    const product = await addProduct(shop.db, { category })
    await shop.post('/auth/login', { body: { email: buyer.email, password: PASSWORD } })
    const bought = await start(buyer, { amount: 2500, cart: cartOf(product, product) })
    const { order } = (await verify(buyer, signedPayment(bought.body.id))).body
    const left = await start(buyer, { amount: 1250, cart: cartOf(product) })
    await cancel(buyer, left.body.id)
    await verify(buyer, signedPayment(left.body.id))
    const { status, headers, body } = await dataOf(buyer)
    expect(status).toBe(200)
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="my-data-\d{4}-\d\d-\d\d\.json"$/,
    )
    const facts = { email: buyer.email, phone: '555 0100', address: '1 Market Lane' }
    expect(body.account).toMatchObject({ _id: buyer.id, name: buyer.name, ...facts, admin: true })
    expect(body.orders).toMatchObject([
      {
        id: order._id,
        total_minor: 2500,
        buyer_name: buyer.name,
        buyer_email: buyer.email,
        buyer_phone: '555 0100',
        buyer_address: '1 Market Lane',
        lines: [{ product_id: product.id, name: 'Clay cup', quantity: 2, price_minor: 1250 }],
        adjustments: [],
      },
    ])
    expect(body.payments).toMatchObject([
      {
        amount_minor: 2500,
        buyer: { name: buyer.name, ...facts },
        cancelled_at: null,
        state: 'paid',
        captures: [{ amount_minor: 2500, purpose: 'order', refunds: [] }],
      },
      {
        amount_minor: 1250,
        cancelled_at: expect.any(String),
        quote: { lines: [{ quantity: 1 }] },
        state: 'cancelled',
        captures: [
          {
            refusal: expect.stringContaining('cancelled'),
            refunds: [{ amount_minor: 1250, state: 'done' }],
          },
        ],
      },
    ])
    expect(body.sessions).toHaveLength(2)
    expect(body.known_places).toMatchObject([
      { kind: 'browser', seen_at: expect.any(String) },
      { kind: 'network', seen_at: expect.any(String) },
    ])
    expect(body.audit_log).toContainEqual(
      expect.objectContaining({ by: 'admin', kind: 'users', after: { is_admin: true } }),
    )
    expect(body.audit_log).toContainEqual(
      expect.objectContaining({ by: 'you', kind: 'users', action: 'signed_in' }),
    )
  })

  it('has no secret, no token, and nothing of anybody else', async () => {
    const person = await addPerson(shop.db)
    const other = await addPerson(shop.db, { name: 'Other' })
    const { token } = admin
    await addOrder(shop.db, other)
    await shop.put(`/auth/user-role/${person.id}`, { token, body: { role: 1 } })
    const buyer = await signInAgain(shop.db, person)
    await shop.put(`/auth/user-role/${other.id}`, { token: buyer.token, body: { role: 1 } })
    const text = (await dataOf(buyer)).bytes.toString()
    expect(text).not.toMatch(/argon2|hash|token/i)
    for (const secret of [buyer.token, other.email, other.name, admin.id, admin.name + admin.email])
      expect(text).not.toContain(secret)
  })

  it('has every order, however many there are', async () => {
    const buyer = await addPerson(shop.db)
    for (let n = 0; n < 501; n += 1) await addOrder(shop.db, buyer)
    const { body } = await dataOf(buyer)
    expect(new Set(body.orders.map(({ id }) => id)).size).toBe(501)
    expect(body.payments).toHaveLength(501)
  })
})
