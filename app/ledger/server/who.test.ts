import { beforeAll, describe, expect, it } from 'vitest'
import { openAccount } from '#app/accounts/server/service.ts'
import type { ObjectKind } from '#app/ledger/admin-contract.ts'
import { endExpiredHolds } from '#app/payments/server/holds.ts'
import { reconcile } from '#app/payments/server/reconciliation.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { declared } from '#tests/support/declared.ts'
import { deskOf } from '#tests/support/desk.ts'
import { formOf } from '#tests/support/form.ts'
import { writtenBy } from '#tests/support/ledger.ts'
import { addOrder } from '#tests/support/orders.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson, PASSWORD, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import { HOOK_SECRET, paymentOf, provider, report } from '#tests/support/webhook.ts'

const shop = testShop({ RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET })
const { start, verify, cancel } = purchases(shop)

let admin: Person
let buyer: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
  buyer = await addPerson(shop.db)
  category = await addCategory(shop.db, 'Kitchen')
})

const cup = () => addProduct(shop.db, { category })

const startPayment = async () => start(buyer, { amount: 1250, cart: cartOf(await cup()) })
const startedPayment = async () => (await startPayment()).body.id

const asAdmin = (body?: unknown) => ({ token: admin.token, body })

const form = () =>
  formOf({ name: 'Jug', description: 'Pours.', price: 9, quantity: 3, category: category.id })

const csv = 'name,description,price,quantity,category\nA,B,1,2,Kitchen\nC,D,1,2,Kitchen\n'

// its answer is lines of JSON
const importCsv = async () => {
  const { statusCode: status } = await shop.app.inject({
    method: 'POST',
    url: '/api/v1/product/import',
    payload: csv,
    headers: { authorization: admin.token, 'content-type': 'text/csv' },
  })
  return { status }
}

type Doing = {
  kinds: ObjectKind[]
  ready?: () => Promise<string>
  act: (id: string) => Promise<{ status: number }>
}

/** Every call by which somebody changes something, how it is made, and what is written down of it. */
const WRITING: Record<string, Doing> = {
  createCategory: {
    kinds: ['category'],
    act: () => shop.post('/category/create-category', asAdmin({ name: 'Toys' })),
  },
  updateCategory: {
    kinds: ['category'],
    ready: async () => (await addCategory(shop.db, 'Bookz')).id,
    act: (id) => shop.put(`/category/update-category/${id}`, asAdmin({ name: 'Books' })),
  },
  deleteCategory: {
    kinds: ['category'],
    ready: async () => (await addCategory(shop.db, 'Gone')).id,
    act: (id) => shop.delete(`/category/delete-category/${id}`, asAdmin()),
  },
  createProduct: {
    kinds: ['product'],
    act: () => shop.post('/product/create-product', asAdmin(form())),
  },
  updateProduct: {
    kinds: ['product'],
    ready: async () => (await cup()).id,
    act: (id) => shop.put(`/product/update-product/${id}`, asAdmin(formOf({ price: 14 }))),
  },
  deleteProduct: {
    kinds: ['product'],
    ready: async () => (await cup()).id,
    act: (id) => shop.delete(`/product/delete-product/${id}`, asAdmin()),
  },
  importProducts: { kinds: ['product'], act: importCsv },
  setOrderStatus: {
    kinds: ['order'],
    ready: async () => (await addOrder(shop.db, buyer)).id,
    act: (id) => shop.put(`/auth/order-status/${id}`, asAdmin({ status: 'Shipped' })),
  },
  seeToPayment: {
    kinds: ['money'],
    ready: async () => {
      const payment = paymentOf('order_of_nobody')
      await provider(shop).tell(report('payment.captured', payment))
      return payment.id
    },
    act: (id) => shop.put(`/payment/seen-to/${id}`, asAdmin({ note: 'Called the buyer' })),
  },
  setUserRole: {
    kinds: ['user'],
    ready: async () => (await addPerson(shop.db)).id,
    act: (id) => shop.put(`/auth/user-role/${id}`, asAdmin({ role: 1 })),
  },
  endUserSessions: {
    kinds: ['user'],
    ready: async () => (await addPerson(shop.db)).id,
    act: (id) => shop.delete(`/auth/user-sessions/${id}`, asAdmin()),
  },
  closeUserAccount: {
    kinds: ['user'],
    ready: async () => (await addPerson(shop.db)).id,
    act: (id) => shop.delete(`/auth/user/${id}`, asAdmin()),
  },
  closeAccount: {
    kinds: ['user'],
    ready: async () => {
      buyer = await addPerson(shop.db)
      return buyer.token
    },
    act: async (token) => {
      const reply = await shop.post('/auth/close-account', { token, body: { password: PASSWORD } })
      buyer = await addPerson(shop.db)
      return reply
    },
  },
  logout: {
    kinds: [],
    ready: async () => (await addPerson(shop.db)).token,
    act: (token) => shop.post('/auth/logout', { token }),
  },
  updateProfile: {
    kinds: ['user'],
    act: () =>
      shop.put('/auth/profile', {
        token: buyer.token,
        body: { name: 'B', password: 'new-secret' },
      }),
  },
  startPayment: { kinds: ['hold', 'payment', 'product'], act: startPayment },
  verifyPayment: {
    kinds: ['hold', 'money', 'order', 'payment'],
    ready: startedPayment,
    act: (id) => verify(buyer, signedPayment(id)),
  },
  cancelPayment: {
    kinds: ['hold', 'payment', 'product'],
    ready: startedPayment,
    act: (id) => cancel(buyer, id),
  },
}

const writing = declared.filter(([, { method, access }]) => method !== 'GET' && access !== 'public')

const actorsOf = (entries: Awaited<ReturnType<typeof writtenBy>>) =>
  [...new Set(entries.map(({ actor_kind, actor_id }) => `${actor_kind} ${actor_id}`))].join()

describe.each(writing)('%s', (name, { access }) => {
  it('is written down with its caller', async () => {
    const doing = WRITING[name]
    if (!doing) throw new Error(`Say here what is written down of ${name}.`)
    const id = (await doing.ready?.()) ?? ''
    const caller = access === 'admin' ? admin : buyer
    const act = async () => expect((await doing.act(id)).status).toBeLessThan(300)
    // a product that the buyer's cart needs is put there by the test, whom nobody knows
    const entries = (await writtenBy(shop.db, act)).filter(
      ({ actor_kind, action, object_kind }) =>
        !(actor_kind === 'shop' && action === 'create' && object_kind === 'product'),
    )
    expect([...new Set(entries.map(({ object_kind }) => object_kind))].sort()).toEqual(doing.kinds)
    const who = access === 'admin' ? 'admin' : 'user'
    if (doing.kinds.length > 0) expect(actorsOf(entries)).toBe(`${who} ${caller.id}`)
  })
})

it('knows what the provider reported, what the shop did by itself, and what its owner did', async () => {
  const { tell } = provider(shop)
  const paid = await startedPayment()
  const reported = await writtenBy(shop.db, () => tell(report('order.paid', paymentOf(paid))))
  expect(actorsOf(reported)).toBe('provider null')

  await startedPayment()
  const ended = await writtenBy(shop.db, async () => {
    await shop.db
      .updateTable('holds')
      .set({ expires_at: new Date(0) })
      .execute()
    await endExpiredHolds(shop.db)
  })
  expect(actorsOf(ended)).toBe('shop null')
  expect(ended).toMatchObject([
    { object_kind: 'hold', action: 'update' },
    { object_kind: 'hold', action: 'delete' },
    { object_kind: 'product', action: 'update', before: { quantity: 9 }, after: { quantity: 10 } },
  ])

  const asked = await startedPayment()
  await shop.db
    .updateTable('payments')
    .set({ next_ask_at: new Date(0) })
    .where('provider_order_id', '=', asked)
    .execute()
  const money = { id: 'pay_found', amountMinor: 1250, currency: 'INR' }
  const captured = { ...money, status: 'captured' as const }
  const paymentsOf = async (id: string) => (id === asked ? [captured] : [])
  const found = await writtenBy(shop.db, () => reconcile(shop.db, deskOf(shop, { paymentsOf })))
  expect(actorsOf(found)).toBe('shop null')
  expect(found.map(({ object_kind }) => object_kind)).toContain('order')

  const facts = { name: 'O', phone: '-', address: '-', password: 'owner-secret', answer: 'chess' }
  const opened = await writtenBy(shop.db, () =>
    openAccount(shop.db, { ...facts, email: 'owner@example.com' }, { admin: true }),
  )
  expect(actorsOf(opened)).toBe('owner null')
  expect(opened).toMatchObject([{ object_kind: 'user', after: { is_admin: true } }])
})

it('forgets who it was with the end of the transaction', async () => {
  await shop.post('/category/create-category', asAdmin({ name: 'Pans' }))
  const entries = await writtenBy(shop.db, cup)
  expect(actorsOf(entries)).toBe('shop null')
})
