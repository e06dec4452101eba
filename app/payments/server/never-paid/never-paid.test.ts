import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { onServer } from '#tests/support/database.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import { removeNeverPaid } from './never-paid.ts'

const shop = testShop()
const { start, cancel, verify, letHoldsExpire } = purchases(shop)

let product: { id: string }
let buyer: Person
beforeAll(async () => {
  product = await addProduct(shop.db, { category: await addCategory(shop.db, 'Kitchen') })
  buyer = await addPerson(shop.db, { name: 'Asha Rao' })
})

/** A payment whose buyer has left. */
async function left() {
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  await cancel(buyer, body.id)
  return body.id
}

/** So long ago that nobody is asked about them any more. */
const age = (days: number, ...orders: string[]) =>
  sql`
    update payments set next_ask_at = null, created_at = now() - ${days} * interval '24 hours'
    where provider_order_id = any(${orders}::text[])`.execute(shop.db)

const found = async (...orders: string[]) => {
  const { rows } = await sql<{ id: string }>`
    select provider_order_id as id from payments
    where provider_order_id = any(${orders}::text[])`.execute(shop.db)
  return rows.map(({ id }) => id)
}

describe('a payment that was never paid', () => {
  it('is removed after ninety days, and what it was for', async () => {
    const [old, young] = [await left(), await left()]
    await age(91, old)
    await age(89, young)
    expect(await removeNeverPaid(shop.db)).toBe(1)
    expect(await found(old, young)).toEqual([young])
    const { rows } = await sql`
      select from payment_lines where payment_id not in (select id from payments)`.execute(shop.db)
    expect(rows).toEqual([])
  })

  it('is removed with all others, a few at a time', async () => {
    const all = []
    for (let n = 0; n < 5; n += 1) all.push(await left())
    await age(100, ...all)
    expect(await removeNeverPaid(shop.db, undefined, 2)).toBe(5)
    expect(await found(...all)).toEqual([])
  })

  it('is looked for by an index in all that may hold it back, however much that is', async () => {
    const { rows } = await sql`
      select conrelid::regclass::text as searched from pg_constraint
      where contype = 'f' and confrelid = 'payments'::regclass and not exists (
        select from pg_index
        where indrelid = conrelid and indkey[0] = conkey[1] and indpred is null)`.execute(shop.db)
    expect(rows).toEqual([])
  })

  it('waits for the next time when the shop closes', async () => {
    const old = await left()
    await age(91, old)
    expect(await removeNeverPaid(shop.db, AbortSignal.abort())).toBe(0)
    expect(await removeNeverPaid(shop.db)).toBe(1)
  })

  // the embedded database has one session
  it.skipIf(!onServer)('stays while somebody works on it', async () => {
    const old = await left()
    await age(91, old)
    await shop.db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('payments')
        .where('provider_order_id', '=', old)
        .select('id')
        .forUpdate()
        .execute()
      expect(await removeNeverPaid(shop.db)).toBe(0)
    })
    expect(await removeNeverPaid(shop.db)).toBe(1)
  })
})

describe('a payment stays that', () => {
  const KEPT: Record<string, (order: string) => Promise<unknown>> = {
    'was paid': async (order) => verify(buyer, signedPayment(order)),
    'is to be asked about': (order) =>
      sql`update payments set next_ask_at = now() where provider_order_id = ${order}`.execute(
        shop.db,
      ),
    'has money that nobody has claimed': (order) =>
      sql`insert into provider_payments (id, payment_id, state, amount_minor, currency)
        select 'pay_' || id, id, 'unclaimed', 1250, 'INR' from payments
        where provider_order_id = ${order}`.execute(shop.db),
    'has money at the sandbox': (order) =>
      shop.post('/payment/sandbox/pay', { body: { razorpay_order_id: order } }),
  }

  it.each(Object.entries(KEPT))('%s', async (_what, happen) => {
    const order = await left()
    await age(91, order)
    await happen(order)
    expect(await removeNeverPaid(shop.db)).toBe(0)
    expect(await found(order)).toEqual([order])
  })

  it('holds something still, until that is over', async () => {
    const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
    await age(91, body.id)
    expect(await removeNeverPaid(shop.db)).toBe(0)
    await letHoldsExpire()
    expect(await removeNeverPaid(shop.db)).toBe(1)
  })
})
