import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAccount, replacePassword, signIn } from '#app/accounts/server/service.ts'
import { OWNER, SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { noCounters } from '#app/shared/server/limits/counters.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { addCategory, addPhoto, addProduct, insertProducts } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { addOrder } from '#tests/support/orders.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const { start, verify, cancel } = purchases(shop)

let admin: Person
let buyer: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  buyer = await addPerson(shop.db)
  category = await addCategory(shop.db, 'Kitchen')
})

const changes = async (work: () => Promise<unknown>) =>
  (await entriesOf(shop.db, work)).map(({ table_name, action, before, after }) => [
    `${action} ${table_name}`,
    before,
    after,
  ])

describe('a purchase', () => {
  it('writes no entry, also when it is cancelled or refused', async () => {
    const product = await addProduct(shop.db, { category, quantity: 2 })
    const purchase = async () => {
      const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
      expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
      const left = await start(buyer, { amount: 1250, cart: cartOf(product) })
      await cancel(buyer, left.body.id)
      const refused = await start(buyer, { amount: 2500, cart: cartOf(product, product) })
      expect(refused.status).toBe(409)
    }
    expect(await changes(purchase)).toEqual([])
  })

  it('that is refunded has entries of the refund', async () => {
    const product = await addProduct(shop.db, { category, quantity: 1 })
    const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
    await verify(buyer, signedPayment(body.id))
    const entries = await changes(() => verify(buyer, signedPayment(body.id)))
    expect(entries.map(([what, , after]) => [what, Object(after).state])).toEqual([
      ['insert refunds', 'pending'],
      ['update refunds', 'done'],
    ])
  })
})

describe('an order', () => {
  it('has an entry of each other status, and of nothing personal', async () => {
    const { id } = await addOrder(shop.db, buyer)
    const setStatus = (status: string) => () =>
      shop.put(`/auth/order-status/${id}`, { token: admin.token, body: { status } })
    expect(await changes(setStatus('Shipped'))).toEqual([
      ['update orders', { status: 'Not Process' }, { status: 'Shipped' }],
    ])
    expect(await changes(setStatus('Shipped'))).toEqual([])
  })

  it.each([
    'update order_lines set price_minor = 1',
    'delete from order_lines',
    'delete from orders',
  ])('keeps what was sold: %s is refused', async (statement) => {
    await addOrder(shop.db, buyer)
    await expect(sql.raw(statement).execute(shop.db)).rejects.toMatchObject({
      // restrict_violation by the trigger, foreign_key_violation of an order with lines
      code: expect.stringMatching(/^(23001|23503)$/),
    })
  })
})

describe('the catalogue', () => {
  it('has entries of the columns that differ, without derived columns and photos', async () => {
    const { id } = await addProduct(shop.db, { category, name: 'Mug', price: 3, quantity: 5 })
    const edit = (fields: Parameters<typeof formOf>[0]) => () =>
      shop.put(`/product/update-product/${id}`, { token: admin.token, body: formOf(fields) })
    expect(await changes(edit({ price: 4, name: 'Mug' }))).toEqual([
      ['update variants', { price_minor: 300 }, { price_minor: 400 }],
    ])
    expect(await changes(edit({ quantity: 7 }))).toEqual([
      ['update variants', { quantity: 5 }, { quantity: 7 }],
    ])
    expect(await changes(edit({ price: 4 }))).toEqual([])
    const photo = await changes(() => addPhoto(shop.db, { id }, { version: 'v2' }))
    expect(photo).toEqual([['insert product_photos', null, { alt: '', version: 'v2' }]])
    const deleted = await changes(() =>
      shop.delete(`/product/delete-product/${id}`, { token: admin.token }),
    )
    expect(deleted.map(([action]) => action).sort()).toEqual([
      'delete product_photos',
      'delete products',
      'delete variants',
    ])
    const product = deleted.find(([action]) => action === 'delete products')?.[1] as object
    expect(Object.keys(product).sort()).toEqual(
      ['category_id', 'description', 'name', 'publish_at', 'shipping', 'slug', 'status'].concat(
        'tax_class_id',
        'unpublish_at',
      ),
    )
  })

  it('has an entry of each row of a statement', async () => {
    await inTransaction(shop.db, SHOP, async (tx) => {
      const rows = Array.from({ length: 200 }, (_, at) => ({
        id: crypto.randomUUID(),
        name: `Row ${at}`,
        slug: `row-${at}`,
        description: 'd',
        price_minor: at,
        quantity: at,
        category_id: category.id,
      }))
      await insertProducts(tx, rows)
    })
    const raise = sql`update variants set price_minor = price_minor + 1 where product_id in (
      select id from products where name like 'Row %')`
    const entries = await entriesOf(shop.db, () => raise.execute(shop.db))
    expect(new Set(entries.map(({ row_id }) => row_id)).size).toBe(200)
    const price = (columns: Record<string, unknown> | null) => Number(columns?.price_minor)
    expect(entries.every(({ before, after }) => price(after) === price(before) + 1)).toBe(true)
  })

  it('has no entry of a transaction that was rolled back', async () => {
    const rollBack = () =>
      inTransaction(shop.db, OWNER, async (tx) => {
        await tx.deleteFrom('products').execute()
        throw new Error('rolled back')
      }).catch(() => {})
    expect(await changes(rollBack)).toEqual([])
  })
})

describe('a user', () => {
  it('has entries of role and secrets, never of the profile', async () => {
    const { id, token } = await addPerson(shop.db)
    const edit = (password: string) => () =>
      shop.put('/auth/profile', { token, body: { name: 'N', password } })
    expect(await changes(edit(''))).toEqual([])
    expect(await changes(edit('secret-9'))).toEqual([
      ['update users', { password: null }, { password: 'changed' }],
    ])
    const setRole = (role: number) =>
      shop.put(`/auth/user-role/${id}`, { token: admin.token, body: { role } })
    expect(await changes(() => setRole(1))).toEqual([
      ['update users', { is_admin: false }, { is_admin: true }],
      ['sessions_ended users', null, null],
      ['update users', { answer: null }, { answer: 'changed' }],
    ])
    expect(await changes(() => setRole(1))).toEqual([])
  })

  it('never leaves a secret or a personal value in the log', async () => {
    const facts = { name: 'Eve Adams', email: 'eve@example.com', phone: '555-01', address: 'Lane' }
    const secrets = { password: 'eves-password', answer: 'eves-answer' }
    await openAccount(shop.db, { ...facts, ...secrets }, { admin: true })
    const { user, token } = await signIn(
      shop.db,
      { counters: noCounters, address: '' },
      { ...facts, ...secrets },
    )
    await replacePassword(shop.db, { email: facts.email, newPassword: 'eves-second' })
    await shop.db.deleteFrom('users').where('id', '=', user.id).execute()
    const { rows } = await sql<{ text: string }>`
      select audit_log::text as text from audit_log where row_id = ${user.id}`.execute(shop.db)
    expect(rows).toHaveLength(4)
    const all = rows.map(({ text }) => text).join('\n')
    const { password_hash, answer_hash } = user
    const secret = [...Object.values({ ...facts, ...secrets }), token, password_hash, answer_hash]
    for (const value of secret) expect(all).not.toContain(value)
    expect(all).not.toMatch(/argon2|eves/)
  })
})

describe('the audit log', () => {
  it.each([
    'update audit_log set at = now()',
    'update audit_log set after = null where false',
    'delete from audit_log',
    'truncate audit_log',
  ])('refuses %s', async (statement) => {
    const before = await shop.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
    await expect(sql.raw(statement).execute(shop.db)).rejects.toMatchObject({
      // restrict_violation by the trigger, foreign_key_violation of an order with lines
      code: expect.stringMatching(/^(23001|23503)$/),
    })
    expect(await shop.db.selectFrom('audit_log').selectAll().orderBy('id').execute()).toEqual(
      before,
    )
  })
})
