import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAccount, signIn } from '#app/accounts/server/service.ts'
import { verifyPayment } from '#app/payments/server/settlement.ts'
import { OWNER, SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { noCounters } from '#app/shared/server/limits/counters.ts'
import type { Database } from '#db/schema.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { deskOf } from '#tests/support/desk.ts'
import { formOf } from '#tests/support/form.ts'
import { writtenBy } from '#tests/support/ledger.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify } = purchases(shop)

let admin: Person
let buyer: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  buyer = await addPerson(shop.db)
  category = await addCategory(shop.db, 'Kitchen')
})

const changes = async (work: () => Promise<unknown>) =>
  (await writtenBy(shop.db, work)).map(({ object_kind, action, before, after }) => [
    `${action} ${object_kind}`,
    before,
    after,
  ])

describe('a purchase', () => {
  it('is told from the held pieces to the order, in full', async () => {
    const product = await addProduct(shop.db, { category, name: 'Cup', quantity: 5 })
    const line = { product_id: product.id, quantity: 2, price_minor: 1250 }
    let order = ''
    const started = await changes(async () => {
      const { body } = await start(buyer, { amount: 2500, cart: cartOf(product, product) })
      order = body.id
    })
    expect(started).toEqual([
      ['create payment', null, expect.objectContaining({ amount_minor: 2500, currency: 'INR' })],
      ['update product', { quantity: 5 }, { quantity: 3 }],
      ['create hold', null, expect.objectContaining({ user_id: buyer.id, lines: [line] })],
      ['update payment', { provider_order_id: null }, { provider_order_id: order }],
    ])
    const proof = signedPayment(order)
    const id = proof.razorpay_payment_id
    expect(await changes(() => verify(buyer, proof))).toEqual([
      ['create money', null, expect.objectContaining({ id, state: 'unclaimed' })],
      ['update payment', { settled_at: null }, { settled_at: expect.any(String) }],
      ['delete hold', expect.not.objectContaining({ lines: expect.anything() }), null],
      ['update money', { id, state: 'unclaimed' }, { id, state: 'kept' }],
      ['create order', null, expect.objectContaining({ status: 'Not Process', total_minor: 2500 })],
      ['update order', {}, { lines: [{ ...line, name: 'Cup' }] }],
    ])
  })

  it('that is refused leaves no trace but of what happened', async () => {
    const product = await addProduct(shop.db, { category, quantity: 1 })
    const nothing = () => start(buyer, { amount: 2500, cart: cartOf(product, product) })
    expect(await changes(nothing)).toEqual([])
  })

  it('tells of a refund that failed and is still due, but not of the next try’s time', async () => {
    const product = await addProduct(shop.db, { category, quantity: 1 })
    const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
    const [first, second] = [signedPayment(body.id), signedPayment(body.id)]
    await verify(buyer, first)
    const refund = () => Promise.reject(new Error('not now'))
    const again = { buyerId: buyer.id, proof: second }
    const told = await changes(() =>
      verifyPayment(shop.db, deskOf(shop, { refund }), again).catch(() => {}),
    )
    const id = second.razorpay_payment_id
    expect(told.slice(1)).toEqual([
      [
        'update money',
        { id, state: 'unclaimed', refusal: null, refusal_code: null },
        expect.objectContaining({ id, state: 'refund_due' }),
      ],
      [
        'update money',
        { id, refund_error: null, refund_tries: 0 },
        { id, refund_error: 'not now', refund_tries: 1 },
      ],
    ])
  })
})

describe('the catalogue', () => {
  it('is told by the columns that differ, never by words for the search or a picture', async () => {
    const { id } = await addProduct(shop.db, { category, name: 'Mug', price: 3 })
    const edit = (fields: Parameters<typeof formOf>[0]) => () =>
      shop.put(`/product/update-product/${id}`, { token: admin.token, body: formOf(fields) })
    expect(await changes(edit({ price: 4, name: 'Mug' }))).toEqual([
      ['update product', { price_minor: 300 }, { price_minor: 400 }],
    ])
    expect(await changes(edit({ price: 4 }))).toEqual([])
    const photo = await changes(() => addPhoto(shop.db, { id }, { version: 'v2' }))
    expect(photo).toEqual([['update product', { photo_version: null }, { photo_version: 'v2' }]])
    const [[action, before] = []] = await changes(() =>
      shop.delete(`/product/delete-product/${id}`, { token: admin.token }),
    )
    expect(action).toBe('delete product')
    expect(Object.keys(before as object).sort()).toEqual(
      ['category_id', 'created_at', 'description', 'id', 'name', 'photo_version'].concat(
        ...['price_minor', 'quantity', 'shipping', 'slug'],
      ),
    )
  })

  it('tells of each row of a statement, however many', async () => {
    await inTransaction(shop.db, SHOP, async (tx) => {
      await sql`insert into products (id, name, slug, description, price_minor, quantity, category_id)
        select gen_random_uuid(), 'Row ' || n, 'row-' || n, 'd', n, n, ${category.id}::uuid
        from generate_series(1, 2000) as n`.execute(tx)
    })
    const raise = sql`update products set price_minor = price_minor + 1 where name like 'Row %'`
    const told = await writtenBy(shop.db, () => raise.execute(shop.db))
    expect(told).toHaveLength(2000)
    expect(new Set(told.map(({ object_id }) => object_id)).size).toBe(2000)
    expect(told.every(({ before, after }) => sumOf(after) === sumOf(before) + 1)).toBe(true)
  })

  it('leaves nothing of what was undone', async () => {
    const undone = () =>
      inTransaction(shop.db, OWNER, async (tx) => {
        await tx.deleteFrom('products').execute()
        throw new Error('undone')
      }).catch(() => {})
    expect(await changes(undone)).toEqual([])
  })
})

const sumOf = (columns: Record<string, unknown> | null) => Number(columns?.price_minor)

describe('a user', () => {
  it('is told by the role and by what was done with the account, never by its facts', async () => {
    const { id, token } = await addPerson(shop.db)
    const edit = (password: string) => () =>
      shop.put('/auth/profile', { token, body: { name: 'N', password } })
    expect(await changes(edit(''))).toEqual([])
    expect(await changes(edit('secret-9'))).toEqual([
      ['update user', {}, { event: 'password_changed' }],
    ])
    const role = (role: number) =>
      shop.put(`/auth/user-role/${id}`, { token: admin.token, body: { role } })
    expect(await changes(() => role(1))).toEqual([
      ['update user', { is_admin: false }, { is_admin: true }],
      ['update user', {}, { event: 'answer_replaced' }],
      ['update user', {}, { event: 'sessions_ended' }],
    ])
    expect(await changes(() => role(1))).toEqual([])
    expect(await changes(() => shop.db.deleteFrom('users').where('id', '=', id).execute())).toEqual(
      [['delete user', { is_admin: true }, null]],
    )
  })

  it('never leaves a secret in the ledger', async () => {
    const facts = { name: 'Eve', email: 'eve@example.com', phone: '5', address: 'Lane' }
    const secrets = { password: 'eves-password', answer: 'eves-answer' }
    await openAccount(shop.db, { ...facts, ...secrets }, { admin: true })
    const door = { counters: noCounters, address: '' }
    const { user, token } = await signIn(shop.db, door, { ...facts, ...secrets })
    const { rows } = await sql<{ text: string }>`select ledger::text as text from ledger`.execute(
      shop.db,
    )
    const all = rows.map(({ text }) => text).join('\n')
    expect(all).toContain(user.id)
    for (const secret of [...Object.values(secrets), token, user.password_hash, user.answer_hash])
      expect(all).not.toContain(secret)
    expect(all).not.toMatch(/argon2|_hash|token|bytes|tsvector|name_folded/)
  })
})

describe('the ledger', () => {
  // the embedded database has one session
  it.skipIf(!process.env.DATABASE_URL)('has who waited after whom they waited for', async () => {
    const { id } = await addProduct(shop.db, { category, quantity: 10 })
    const take = (db: Database) =>
      sql`update products set quantity = quantity - 1 where id = ${id}`.execute(db)
    const told = await writtenBy(shop.db, () =>
      inTransaction(shop.db, SHOP, async (late) => {
        await take(shop.db)
        await take(late)
      }),
    )
    const inTime = told.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.id - b.id)
    expect(inTime.map(({ after }) => after)).toEqual([{ quantity: 9 }, { quantity: 8 }])
  })

  it.each([
    'update ledger set at = now()',
    'update ledger set after = null where false',
    'delete from ledger',
    'truncate ledger',
    'truncate ledger cascade',
    `insert into ledger (id, actor_kind, object_kind, object_id, action, after) overriding system value
      select id, actor_kind, object_kind, object_id, action, after from ledger limit 1
      on conflict (id) do update set after = null`,
  ])('refuses %s, whoever asks', async (statement) => {
    const before = await shop.db.selectFrom('ledger').selectAll().orderBy('id').execute()
    await expect(sql.raw(statement).execute(shop.db)).rejects.toMatchObject({ code: '23001' })
    expect(await shop.db.selectFrom('ledger').selectAll().orderBy('id').execute()).toEqual(before)
  })
})

describe('what would leave no entry', () => {
  const KINDS = ['orders', 'payments', 'holds', 'provider_payments', 'products', 'categories']

  it.each([
    ...[...KINDS, 'users', 'order_lines', 'payment_lines'].map(
      (table) => `truncate ${table} cascade`,
    ),
    'update order_lines set price_minor = 1',
    'update order_lines set quantity = 1 where false',
    'delete from order_lines',
    // takes its lines with it
    'delete from orders',
    'update payment_lines set quantity = 1',
    'delete from payment_lines',
  ])('is refused: %s', async (statement) => {
    const product = await addProduct(shop.db, { category })
    const bought = await start(buyer, { amount: 1250, cart: cartOf(product) })
    await verify(buyer, signedPayment(bought.body.id))
    const told = await changes(() =>
      expect(sql.raw(statement).execute(shop.db)).rejects.toMatchObject({ code: '23001' }),
    )
    expect(told).toEqual([])
  })

  it('is no payment that is deleted with what was asked for', async () => {
    const product = await addProduct(shop.db, { category })
    const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
    await shop.post('/product/razorpay/cancel', {
      token: buyer.token,
      body: { razorpay_order_id: body.id },
    })
    const gone = shop.db.deleteFrom('payments').where('provider_order_id', '=', body.id)
    expect(await changes(() => gone.execute())).toMatchObject([
      ['delete payment', { amount_minor: 1250 }, null],
    ])
  })
})

describe('a shop whose history was bypassed', () => {
  it('is seen to contradict itself', async () => {
    const product = await addProduct(shop.db, { category })
    const held = () => start(buyer, { amount: 1250, cart: cartOf(product) })
    await verify(buyer, signedPayment((await held()).body.id))
    await held()
    const found = async () =>
      Object.keys(await contradictionsIn(shop.db)).filter((what) => /histor|hold/.test(what))
    expect(await found()).toEqual([])
    const unseen = {
      orders: sql`update orders set status = 'Shipped'`,
      order_lines: sql`update order_lines set name = 'Mug'`,
      users: sql`update users set is_admin = not is_admin`,
    }
    for (const [table, change] of Object.entries(unseen)) {
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(shop.db)
      await change.execute(shop.db)
      await sql`alter table ${sql.table(table)} enable trigger user`.execute(shop.db)
    }
    expect((await found()).sort()).toEqual([
      'a user whose history ends with another role',
      'an order whose history ends with another status',
      'an order whose history has other lines',
    ])
  })
})
