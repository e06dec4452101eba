import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { onServer } from '#tests/support/database.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { addPerson } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import { heedClock } from './clock-store.ts'

const shop = testShop()
const { start } = purchases(shop)
const RULES = { retrySeconds: 60, holdMinutes: 15 }

type Waits = { ask: number; hold: number }

/** How many minutes from now the provider is asked about a payment, and its hold ends. */
async function waitsOf(providerOrderId: string): Promise<Waits> {
  const { rows } = await sql<Waits>`
    select round(extract(epoch from next_ask_at - now()) / 60)::integer as ask,
      round(extract(epoch from expires_at - now()) / 60)::integer as hold
    from payments join holds on payment_id = id
    where provider_order_id = ${providerOrderId}`.execute(shop.db)
  return rows[0] ?? { ask: 0, hold: 0 }
}

async function started(): Promise<string> {
  const category = await addCategory(shop.db, `Kitchen ${Math.random()}`)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(await addPerson(shop.db), { amount: 1250, cart: cartOf(product) })
  return body.id
}

it('waits no longer than it ever would when the clock was put back', async () => {
  const id = await started()
  const hours = sql`interval '5 hours'`
  await sql`update payments set next_ask_at = next_ask_at + ${hours}`.execute(shop.db)
  await sql`update holds set expires_at = expires_at + ${hours}`.execute(shop.db)
  await heedClock(shop.db, RULES)
  expect(await waitsOf(id)).toEqual({ ask: 0, hold: 15 })
})

it('looks again at what is settled, although some time after the clock was put back', async () => {
  const id = await started()
  const hoursTo = async () => {
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from next_ask_at - now()) / 3600)::integer as hours
      from payments where provider_order_id = ${id}`.execute(shop.db)
    return rows[0]?.hours
  }
  const put = (days: number) =>
    sql`
    update payments set settled_at = now(), next_ask_at = now() + ${days} * interval '24 hours'
    where provider_order_id = ${id}`.execute(shop.db)
  await put(4)
  await heedClock(shop.db, RULES)
  expect(await hoursTo()).toBe(96)
  await put(40)
  await heedClock(shop.db, RULES)
  expect(await hoursTo()).toBe(6)
})

it('leaves what may wait as it is, however often it was asked', async () => {
  const id = await started()
  expect(await waitsOf(id)).toEqual({ ask: 1, hold: 15 })
  await sql`
    update payments set asks = 5, next_ask_at = now() + interval '32 minutes'
    where provider_order_id = ${id}`.execute(shop.db)
  await sql`update holds set expires_at = now() + interval '3 minutes'`.execute(shop.db)
  await heedClock(shop.db, RULES)
  expect(await waitsOf(id)).toEqual({ ask: 32, hold: 3 })
})

// the embedded database has one session
it.skipIf(!onServer)(
  'waits for nobody, and leaves what they work on for the next time',
  async () => {
    const [one, other] = [await started(), await started()]
    const hours = sql`interval '5 hours'`
    await sql`update payments set next_ask_at = next_ask_at + ${hours}`.execute(shop.db)
    await sql`update holds set expires_at = expires_at + ${hours}`.execute(shop.db)
    await shop.db.transaction().execute(async (tx) => {
      await sql`select from payments join holds on payment_id = id
      where provider_order_id = ${one} for update`.execute(tx)
      const heeded = vi.fn()
      void heedClock(shop.db, RULES).then(heeded)
      await vi.waitFor(() => expect(heeded).toHaveBeenCalled(), { timeout: 20_000 })
      expect(await waitsOf(other)).toEqual({ ask: 0, hold: 15 })
      expect(await waitsOf(one)).toEqual({ ask: 301, hold: 315 })
    })
    await heedClock(shop.db, RULES)
    expect(await waitsOf(one)).toEqual({ ask: 0, hold: 15 })
  },
)
