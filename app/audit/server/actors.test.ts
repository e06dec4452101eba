import type { Updateable } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAccount } from '#app/accounts/server/service.ts'
import { processRefunds } from '#app/payments/server/refunds/refunds.ts'
import { type Access, isForStaff, isOpen } from '#app/shared/contract/access.ts'
import type { Schema } from '#db/schema.ts'
import { addPerson, PASSWORD, type Person } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { auditedCalls } from '#tests/support/audited-calls/all.ts'
import type { AuditedCall } from '#tests/support/audited-calls/audited-call.ts'
import { isTagOf, NOT_CACHED } from '#tests/support/cache-tags.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { declared } from '#tests/support/declared.ts'
import { addOrder, addRefund } from '#tests/support/orders.ts'
import { paymentContext } from '#tests/support/payment-context.ts'
import { cartOf, payAndVerify, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { paymentOf, provider, refundReport } from '#tests/support/webhook.ts'

const shop = testShop()
const { start, verify, cancel } = purchases(shop)

let admin: Person
let buyer: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
  buyer = await addPerson(shop.db)
  category = await addCategory(shop.db, 'Kitchen')
  product = await cup()
})

const cup = () => addProduct(shop.db, { category })

let product: { id: string }
const startPayment = () => start(buyer, { amount: 1250, cart: cartOf(product) })
const startedPayment = async () => (await startPayment()).body.id

/** A payment with an order, as the provider reports it. */
async function paidOrder() {
  const id = await startedPayment()
  const proof = signedPayment(id)
  await verify(buyer, proof)
  return { id, payment: paymentOf(id, proof.razorpay_payment_id) }
}

const asAdmin = (body?: unknown) => ({ token: admin.token, body })

const setCapture = (id: string, values: Updateable<Schema['captures']>) =>
  shop.db.updateTable('captures').set(values).where('provider_payment_id', '=', id).execute()

/** Every call that changes something, how to make it, and the tables of its audit entries. */
const CALLS: Record<string, AuditedCall> = {
  ...auditedCalls({ shop, admin: () => admin, buyer: () => buyer, category: () => category }),
  setOrderStatus: {
    tables: ['orders'],
    ready: async () => (await addOrder(shop.db, buyer)).id,
    act: (id) => shop.put(`/auth/order-status/${id}`, asAdmin({ status: 'Shipped' })),
  },
  resolvePayment: {
    tables: ['captures'],
    ready: async () => {
      const { payment } = await paidOrder()
      await setCapture(payment.id, { issue: 'amount_mismatch' })
      return payment.id
    },
    act: (id) => shop.put(`/payment/resolve/${id}`, asAdmin({ note: 'Called the buyer' })),
  },
  receivePayment: {
    tables: ['captures'],
    ready: async () => {
      const unpaid = { method: 'bank_transfer', dueAt: new Date() } as const
      return (await addOrder(shop.db, buyer, { unpaid })).id
    },
    act(id) {
      const date = new Date().toISOString().slice(0, 10)
      const body = { amount: 1, date, key: crypto.randomUUID() }
      return shop.post(`/payment/receive/${id}`, asAdmin(body))
    },
  },
  refundOrder: {
    tables: ['refund_lines', 'refunds'],
    // the provider has refunded it
    afterwards: 'shop null',
    ready: async () => (await addOrder(shop.db, buyer)).id,
    act: (id) => shop.post(`/payment/refund/${id}`, asAdmin({ reason: 'Cracked' })),
  },
  giveUpRefund: {
    tables: ['refunds'],
    ready: async () => {
      const order = await addOrder(shop.db, buyer)
      await addRefund(shop.db, order, 100, { state: 'failed', next_attempt_at: new Date() })
      return order.id
    },
    act: (id) => shop.post(`/payment/give-up-refund/${id}`, asAdmin()),
  },
  setUserRole: {
    tables: ['users'],
    ready: async () => (await addPerson(shop.db)).id,
    act: (id) => shop.put(`/auth/user-role/${id}`, asAdmin({ role: 1 })),
  },
  endUserSessions: {
    tables: ['users'],
    ready: async () => (await addPerson(shop.db)).id,
    act: (id) => shop.delete(`/auth/user-sessions/${id}`, asAdmin()),
  },
  closeUserAccount: {
    tables: ['users'],
    ready: async () => (await addPerson(shop.db)).id,
    act: (id) => shop.delete(`/auth/user/${id}`, asAdmin()),
  },
  closeAccount: {
    tables: ['users'],
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
    tables: [],
    ready: async () => (await addPerson(shop.db)).token,
    act: (token) => shop.post('/auth/logout', { token }),
  },
  requestConfirmation: {
    tables: [],
    act: () => shop.post('/auth/email-confirmation', { token: buyer.token }),
  },
  retryEmail: {
    tables: [],
    ready: async () => {
      await shop.post('/auth/email-confirmation', { token: (await addPerson(shop.db)).token })
      const bounced = { state: 'bounced', next_attempt_at: null } as const
      const { id } = await shop.db
        .updateTable('emails')
        .set(bounced)
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    act: (id) => shop.post(`/email/retry/${id}`, asAdmin()),
  },
  sendParked: { tables: [], act: () => shop.post('/email/send-parked', asAdmin()) },
  readWarnings: {
    tables: [],
    act: () => shop.post('/email/read-warnings', asAdmin({ ids: [] })),
  },
  dropParked: { tables: [], act: () => shop.delete('/email/drop-parked', asAdmin()) },
  updateProfile: {
    tables: ['users'],
    act: () =>
      shop.put('/auth/profile', {
        token: buyer.token,
        body: { name: 'B', password: 'new-secret' },
      }),
  },
  startPayment: { tables: [], act: startPayment },
  verifyPayment: {
    tables: [],
    ready: startedPayment,
    act: (id) => verify(buyer, signedPayment(id)),
  },
  cancelPayment: {
    tables: [],
    ready: startedPayment,
    act: (id) => cancel(buyer, id),
  },
}

const writing = declared.filter(([, { method, access }]) => method !== 'GET' && !isOpen(access))

/** The caller of each level, and the kind that the audit log has of it. */
const CALLERS: Record<Access, () => [kind: string, person: Person]> = {
  public: () => ['user', buyer],
  user: () => ['user', buyer],
  admin: () => ['admin', admin],
}

const actorsOf = (entries: Awaited<ReturnType<typeof entriesOf>>) =>
  [...new Set(entries.map(({ actor_kind, actor_id }) => `${actor_kind} ${actor_id}`))].join()

/** The changed tables that cached answers may show, without a published tag. */
async function unpublishedOf(tables: string[]) {
  const published = await shop.db.selectFrom('change_feed').select('tag').execute()
  return tables
    .filter((table) => !NOT_CACHED.includes(table))
    .filter((table) => !published.some(({ tag }) => isTagOf(table, tag)))
}

describe.each(writing)('%s', (name, { access }) => {
  it('has entries with its caller', async () => {
    const call = CALLS[name]
    if (!call) throw new Error(`Which audit entries does ${name} write?`)
    const id = (await call.ready?.()) ?? ''
    const [kind, caller] = CALLERS[access]()
    await shop.db.deleteFrom('change_feed').execute()
    const entries = await entriesOf(shop.db, async () =>
      expect((await call.act(id)).status).toBeLessThan(300),
    )
    const tables = new Set(entries.map(({ table_name }) => table_name))
    expect([...tables].sort()).toEqual(call.tables)
    if (call.tables.length > 0)
      expect(actorsOf(entries)).toBe(
        [`${kind} ${caller.id}`, call.afterwards].filter(Boolean).join(),
      )
    // a change that no tag says would never be seen in cached answers
    if (isForStaff(access)) expect(await unpublishedOf(call.tables)).toEqual([])
  })
})

it('knows the provider, the shop by itself, and the owner', async () => {
  const { tell } = provider(shop)
  // with the rates of the tests above, a purchase needs a place
  await shop.db.deleteFrom('tax_rates').execute()
  const { payment } = await paidOrder()
  const reported = await entriesOf(shop.db, () => tell(refundReport('refund.processed', payment)))
  expect(actorsOf(reported)).toBe('provider null')

  const { body } = await startPayment()
  const proof = signedPayment(body.id)
  const refused = () => Promise.reject(new Error('not now'))
  const failing = paymentContext(shop, { refund: refused })
  await verify(buyer, signedPayment(body.id))
  await payAndVerify(shop.db, failing, { buyerId: buyer.id, proof }).catch(() => {})
  await shop.db
    .updateTable('refunds')
    .set({ next_attempt_at: new Date(0) })
    .where('next_attempt_at', 'is not', null)
    .execute()
  const refunded = await entriesOf(shop.db, () => processRefunds(shop.db, paymentContext(shop)))
  expect(actorsOf(refunded)).toBe('shop null')

  const facts = { name: 'O', phone: '-', address: '-', password: 'owner-secret', answer: 'chess' }
  const opened = await entriesOf(shop.db, () =>
    openAccount(shop.db, { ...facts, email: 'owner@example.com' }, { admin: true }),
  )
  expect(actorsOf(opened)).toBe('owner null')
  expect(opened).toMatchObject([{ table_name: 'users', after: { is_admin: true } }])
})

it('forgets the actor with the end of the transaction', async () => {
  await shop.post('/category/create-category', asAdmin({ name: 'Pans' }))
  expect(actorsOf(await entriesOf(shop.db, cup))).toBe('shop null')
})
