import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedUser, UserDetail } from '#app/accounts/admin-contract.ts'
import { personalData } from '#app/modules.ts'
import type { Order, OrderStatus } from '#app/orders/contract.ts'
import { completePayment } from '#app/payments/server/completion.ts'
import { processRefunds } from '#app/payments/server/refunds/refunds.ts'
import { PROVIDER } from '#app/shared/server/actor/actor.ts'
import { addPerson, PASSWORD, type Person } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addOrder, addRefund, LINE } from '#tests/support/orders.ts'
import { paymentContext } from '#tests/support/payment-context.ts'
import { cartOf, moneyOf, purchases } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { closeUserAccount } from './close-account.ts'
import { signOutEverywhere } from './roles.ts'
import { hashOf } from './sessions.ts'

const shop = testShop()
const { start } = purchases(shop)

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const addCup = async () =>
  addProduct(shop.db, { category: await addCategory(shop.db, crypto.randomUUID()) })

const addCustomer = () => addPerson(shop.db, { name: `Asha ${crypto.randomUUID()}` })

const close = ({ token }: { token?: string }, password: unknown = PASSWORD) =>
  shop.post<{ message: string }>('/auth/close-account', { token, body: { password } })

const closeFor = ({ id }: { id: string }, { token }: Person = admin) =>
  shop.delete<{ message: string }>(`/auth/user/${id}`, { token })

const numberOf = async (id = '') =>
  (
    await shop.db
      .selectFrom('orders')
      .where('id', '=', id)
      .select('number')
      .executeTakeFirstOrThrow()
  ).number

const statusOf = async ({ token }: Person) => (await shop.get('/auth/user-auth', { token })).status

/** Every row of the database that contains one of these texts. */
async function traces(...texts: string[]) {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(shop.db)
  const found: string[] = []
  for (const { name } of tables)
    for (const text of texts) {
      const { rows } = await sql`
        select from ${sql.table(name)} as t where position(${text}::text in t::text) > 0`.execute(
        shop.db,
      )
      if (rows.length > 0) found.push(name)
    }
  return found
}

describe('POST /auth/close-account', () => {
  it('refuses a guest, a wrong password and no password', async () => {
    const person = await addCustomer()
    expect((await close({})).status).toBe(401)
    expect(await close(person, 'wrong-horse')).toMatchObject({
      status: 400,
      body: { code: 'invalid', message: 'The current password is wrong.' },
    })
    for (const password of ['', null, 1]) expect((await close(person, password)).status).toBe(400)
    expect(await statusOf(person)).toBe(200)
  })

  it('leaves nothing personal in any table, and the order under nobody’s name', async () => {
    const person = await addCustomer()
    const order = await addOrder(shop.db, person, { status: 'deliverd' })
    await shop.put('/auth/profile', {
      token: person.token,
      body: { phone: '555-closing', address: '7 Closing Lane' },
    })
    const reply = await close(person)
    expect([reply.status, reply.body]).toEqual([
      200,
      { success: true, message: 'Your account is closed.' },
    ])
    expect(await traces(person.name, person.email, '555-closing', '7 Closing Lane')).toEqual([])
    const { body } = await shop.get<Order[]>(`/auth/all-orders?q=${order.id}`, {
      token: admin.token,
    })
    expect(body).toMatchObject([
      {
        buyer: { _id: person.id, name: 'Closed account' },
        delivery: { name: 'Closed account', email: '', phone: '', address: '', isChanged: false },
        total: 39.98,
      },
    ])
  })

  it('ends every session, and nothing signs in or resets the password', async () => {
    const person = await addCustomer()
    const { email } = person
    const { body } = await shop.post<{ token: string }>('/auth/login', {
      body: { email, password: PASSWORD },
    })
    await close(person)
    expect(await statusOf(person)).toBe(401)
    expect(await statusOf({ ...person, token: body.token })).toBe(401)
    for (const name of [email, '', `closed ${person.id}`]) {
      const login = await shop.post('/auth/login', { body: { email: name, password: PASSWORD } })
      expect([400, 401]).toContain(login.status)
    }
    const reset = { email: `closed ${person.id}`, answer: '-', newPassword: 'another-horse' }
    expect((await shop.post('/auth/forgot-password', { body: reset })).status).toBe(404)
    expect((await closeFor(person)).status).toBe(404)
    const role = { token: admin.token, body: { role: 1 } }
    expect((await shop.put(`/auth/user-role/${person.id}`, role)).status).toBe(404)
  })

  it('frees the e-mail for a new account, which has nothing of the old one', async () => {
    const person = await addCustomer()
    await addOrder(shop.db, person, { status: 'Shipped' })
    await close(person)
    const { email } = person
    const facts = { name: 'Asha', phone: '5', address: '1 Lane', answer: 'Chess' }
    const body = { ...facts, email, password: 'another-horse' }
    expect((await shop.post('/auth/register', { body })).status).toBe(201)
    const { token } = (await shop.post<{ token: string }>('/auth/login', { body })).body
    expect((await shop.get('/auth/orders', { token })).body).toEqual([])
  })

  it('does not wait for an order that is wholly refunded', async () => {
    const buyer = await addPerson(shop.db)
    const order = await addOrder(shop.db, buyer)
    await addRefund(shop.db, order, 3997)
    expect((await close(buyer)).status).toBe(409)
    await addRefund(shop.db, order, 1)
    expect((await close(buyer)).status).toBe(200)
  })

  it.each<OrderStatus>(['Not Process', 'Processing'])(
    'waits for an order at %s, which needs its address',
    async (status) => {
      const person = await addCustomer()
      const { id } = await addOrder(shop.db, person, { status })
      const number = await numberOf(id)
      const message = `You have 1 order that is not sent or not paid yet (${number}). You can close your account when it is paid and on its way, or is cancelled.`
      expect(await close(person)).toMatchObject({ status: 409, body: { message } })
      expect(await statusOf(person)).toBe(200)
      await shop.put(`/auth/order-status/${id}`, { token: admin.token, body: { status: 'cancel' } })
      expect((await close(person)).status).toBe(200)
    },
  )

  it('waits for an order that nothing was paid for: it costs nothing, or is unpaid', async () => {
    const unpaid = { method: 'pay_on_delivery' as const, dueAt: new Date() }
    for (const order of [{ lines: [{ ...LINE, price_minor: 0 }] }, { unpaid }]) {
      const buyer = await addPerson(shop.db)
      await addOrder(shop.db, buyer, order)
      expect((await close(buyer)).status).toBe(409)
    }
  })

  it('is not for an admin', async () => {
    const other = await addPerson(shop.db, { admin: true })
    expect((await close(other)).status).toBe(409)
    expect(await statusOf(other)).toBe(200)
  })

  it('has an audit entry without personal values', async () => {
    const person = await addCustomer()
    const entries = await entriesOf(shop.db, () => close(person))
    const changed = { email: 'changed', password: 'changed', answer: 'changed' }
    expect(entries).toMatchObject([
      { actor_kind: 'user', actor_id: person.id, table_name: 'users', row_id: person.id },
    ])
    expect(entries[0]?.after).toEqual({ ...changed, closed_at: expect.any(String) })
  })
})

describe('each table with a foreign key to users', () => {
  it('has a section of the export and is erased, or a reason why not', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = 'users'::regclass`.execute(shop.db)
    expect(rows.length).toBeGreaterThan(5)
    for (const { name } of rows) expect(Object.keys(personalData)).toContain(name)
    for (const [name, { section, erase }] of Object.entries(personalData))
      for (const text of [section, erase])
        if (typeof text === 'string') expect(text, name).toMatch(/^[A-Za-z].{20,}\.$/)
  })
})

describe('money for a payment of a closed account', () => {
  it('goes back, from every report', async () => {
    const person = await addCustomer()
    const { body } = await start(person, { amount: 1250, cart: cartOf(await addCup()) })
    await close(person)
    const { provider } = shop
    const claim = { provider, providerOrderId: body.id, providerPaymentId: `pay_${body.id}` }
    const paid = { amountMinor: 1250, currency: 'INR' }
    await completePayment(shop.db, paymentContext(shop), { ...claim, paid, reporter: PROVIDER })
    // a report without the buyer leaves the refund to its job
    expect(await moneyOf(shop, body.id)).toMatchObject([{ state: 'refund_pending' }])
    await processRefunds(shop.db, paymentContext(shop))
    expect(await moneyOf(shop, body.id)).toMatchObject([{ state: 'refunded' }])
  })
})

const closeAccount = (...[db, caller, id]: Parameters<typeof signOutEverywhere>) =>
  closeUserAccount(db, personalData, caller, id)

describe.each([
  ['closing an account', closeAccount],
  ['ending sessions', signOutEverywhere],
])('%s', (_what, act) => {
  it('is refused in its transaction when the caller has become an ordinary user meanwhile', async () => {
    const person = await addCustomer()
    const former = await addCustomer()
    const caller = { userId: former.id, kind: 'admin' as const, session: hashOf(former.token) }
    await expect(act(shop.db, caller, person.id)).rejects.toThrow('This is for admins only.')
    expect(await statusOf(person)).toBe(200)
  })

  it('finds no user whose account is closed', async () => {
    const person = await addCustomer()
    await closeFor(person)
    const caller = { userId: admin.id, kind: 'admin' as const, session: hashOf(admin.token) }
    await expect(act(shop.db, caller, person.id)).rejects.toThrow('There is no such user.')
  })
})

describe('DELETE /auth/user/:userId', () => {
  it('closes the account of a user, who is listed as closed', async () => {
    const person = await addCustomer()
    expect(await closeFor(person)).toMatchObject({
      status: 200,
      body: { message: `The account of ${person.name} is closed` },
    })
    expect(await statusOf(person)).toBe(401)
    const { body } = await shop.get<ListedUser[]>('/auth/all-users', { token: admin.token })
    expect(body.find(({ _id }) => _id === person.id)).toMatchObject({
      name: 'Closed account',
      email: '',
      closedAt: expect.any(String),
    })
  })

  it('refuses customers, for an admin, for oneself, and for orders to be sent', async () => {
    const person = await addCustomer()
    const other = await addPerson(shop.db, { admin: true })
    expect((await closeFor(person, person)).status).toBe(403)
    expect((await closeFor(other)).status).toBe(409)
    expect((await closeFor(admin)).status).toBe(409)
    expect((await closeFor({ id: crypto.randomUUID() })).status).toBe(404)
    const open = [
      await addOrder(shop.db, person),
      await addOrder(shop.db, person, { status: 'Processing' }),
    ]
    await addOrder(shop.db, person, { status: 'Shipped' })
    const numbers = [await numberOf(open[0]?.id), await numberOf(open[1]?.id)]
    const { body } = await closeFor(person)
    expect(body.message).toBe(
      `This user has 2 orders that are not sent or not paid yet (${numbers.join(', ')}). The account can be closed when they are paid and on their way, or are cancelled.`,
    )
    const { token } = admin
    const user = await shop.get<UserDetail>(`/auth/user/${person.id}`, { token })
    expect(user.body.openOrders.map(({ number }) => number)).toEqual(numbers)
  })
})
