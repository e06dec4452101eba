import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { atOnce } from '#tests/support/at-once.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import { endExpiredHolds } from '../holds.ts'
import { forgetOldSpells } from './fair-share.ts'

const shop = testShop()
const { cancel, verify, stockOf } = purchases(shop)

let category: { id: string }
beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
})

type Product = { id: string }

const cup = (quantity: number, facts = {}) => addProduct(shop.db, { category, quantity, ...facts })
const pieces = (count: number, product: Product) => Array<Product>(count).fill(product)
const person = () => addPerson(shop.db)

/** An address of a telephone company, and one elsewhere. */
const THERE = '2001:db8:7:1::1'
const ELSEWHERE = '203.0.113.9'

const startFrom = (from: string, { token }: Person, ...cart: Product[]) =>
  shop.post<{ id: string; code?: string; message: string }>('/product/razorpay/order', {
    ...{ token, from },
    body: { amount: 1250 * cart.length, cart: cartOf(...cart) },
  })
const statusOf = async (...wanted: Parameters<typeof startFrom>) =>
  (await startFrom(...wanted)).status

/** So many minutes later. */
async function pass(minutes: number) {
  const ago = sql`${minutes}::float * interval '1 minute'`
  await sql`update holds set expires_at = expires_at - ${ago}`.execute(shop.db)
  await sql`
    update hold_spells set began_at = began_at - ${ago}, ended_at = ended_at - ${ago}`.execute(
    shop.db,
  )
  await endExpiredHolds(shop.db)
}

/** Starts again and again before the time is over. */
async function holdForAnHour(buyer: Person, ...cart: Product[]) {
  for (let minutes = 0; minutes < 60; minutes += 12) {
    expect(await statusOf(THERE, buyer, ...cart)).toBe(200)
    await pass(12)
  }
}

const minutesLeft = async ({ id }: Person) => {
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from expires_at - now()) / 60)::integer as minutes
    from holds where user_id = ${id}`.execute(shop.db)
  return rows.map(({ minutes }) => minutes)
}

describe('the last piece that is kept unpaid', () => {
  /** For how long `keepers`, who are there first each time, keep it from somebody elsewhere. */
  async function keptFor(keepers: () => Promise<Person>) {
    const [product, buyer] = [await cup(1), await person()]
    for (let minutes = 0; minutes <= 240; minutes += 5) {
      await startFrom(THERE, await keepers(), product)
      if ((await statusOf(ELSEWHERE, buyer, product)) === 200) return minutes
      await pass(5)
    }
    return Number.POSITIVE_INFINITY
  }

  it('goes to a buyer elsewhere after an hour, although two accounts take turns', async () => {
    const two = [await person(), await person()]
    let turn = 0
    expect(await keptFor(async () => two[++turn % 2] ?? person())).toBeLessThanOrEqual(75)
  })

  it('goes to them, although each who keeps it is new', async () => {
    expect(await keptFor(person)).toBeLessThanOrEqual(75)
  })

  it('is shown as free for a quarter of an hour, then anybody may hold it', async () => {
    const [product, keeper, neighbour] = [await cup(1), await person(), await person()]
    await holdForAnHour(keeper, product)
    await pass(3)
    for (const buyer of [keeper, neighbour]) {
      expect(await statusOf('2001:db8:7:2::2', buyer, product)).toBe(429)
      expect(await stockOf(product)).toBe(1)
    }
    await pass(14)
    expect(await statusOf(THERE, neighbour, product)).toBe(429)
    await pass(1)
    expect(await statusOf(THERE, neighbour, product)).toBe(200)
  })

  it('is refused with the time to wait, and what else is wanted is not', async () => {
    const [product, other] = [await cup(1, { name: 'Blue cup' }), await cup(1)]
    const keeper = await person()
    await holdForAnHour(keeper, product)
    const { status, headers, body } = await startFrom(THERE, keeper, other, product)
    expect(Number(headers['retry-after'])).toBeGreaterThan(17 * 60)
    expect([status, body]).toMatchObject([
      429,
      {
        code: 'rate_limited',
        message:
          'Blue cup was kept at your address, unpaid, for 60 minutes. It is others’ turn now. Try again in 18 minutes.',
      },
    ])
    // what they hold is theirs to its end
    expect([await stockOf(product), await stockOf(other)]).toEqual([0, 1])
    expect(await minutesLeft(keeper)).toEqual([3])
    expect(await statusOf(THERE, keeper, other)).toBe(200)
  })

  it('is held for its whole time, however late, and nobody loses it before', async () => {
    const [product, keeper, buyer] = [await cup(1), await person(), await person()]
    for (let times = 0; times < 4; times += 1) {
      await startFrom(THERE, keeper, product)
      await pass(14.9)
    }
    const { status, body } = await startFrom(THERE, keeper, product)
    expect(status).toBe(200)
    expect(await minutesLeft(keeper)).toEqual([15])
    await pass(14.9)
    expect(await statusOf(ELSEWHERE, buyer, product)).toBe(409)
    expect((await verify(keeper, signedPayment(body.id))).status).toBe(200)
  })

  it('may be taken by whoever comes back all evening to think it over', async () => {
    const [product, buyer] = [await cup(1), await person()]
    for (let times = 0; times < 12; times += 1) {
      const { status, body } = await startFrom(THERE, buyer, product)
      expect(status).toBe(200)
      await pass(4)
      await cancel(buyer, body.id)
      await pass(14)
    }
  })

  it('is not kept for longer by leaving in between', async () => {
    const [product, keeper] = [await cup(1), await person()]
    for (let times = 0; times < 5; times += 1) {
      const { body } = await startFrom(THERE, keeper, product)
      await pass(12)
      await cancel(keeper, body.id)
      await pass(12)
    }
    expect(await statusOf(THERE, keeper, product)).toBe(429)
    await pass(3)
    expect(await statusOf(THERE, keeper, product)).toBe(200)
  })

  it('is refused however many try at once', async () => {
    const [product, keeper] = [await cup(1), await person()]
    await holdForAnHour(keeper, product)
    await pass(3)
    const row = sql`select from products where id = ${product.id} for update`
    const people = await Promise.all(Array.from({ length: 6 }, person))
    const tries = people.map((one) => () => statusOf(THERE, one, product))
    expect(await atOnce(shop.db, row, tries)).toEqual(Array(6).fill(429))
  })
})

describe('a product of which many pieces are kept unpaid', () => {
  it('is half for others after an hour, and half for the network still', async () => {
    const [product, keeper, neighbour] = [await cup(10), await person(), await person()]
    await holdForAnHour(keeper, ...pieces(10, product))
    await pass(3)
    expect(await statusOf(THERE, keeper, ...pieces(6, product))).toBe(429)
    expect(await statusOf(THERE, keeper, ...pieces(3, product))).toBe(200)
    expect(await statusOf(THERE, neighbour, ...pieces(3, product))).toBe(429)
    expect(await statusOf(THERE, neighbour, ...pieces(2, product))).toBe(200)
    expect(await statusOf(ELSEWHERE, await person(), ...pieces(5, product))).toBe(200)
  })

  it('is refused to nobody of an office or a telephone company as long as half is left', async () => {
    const product = await cup(1300)
    const strangers = [await person(), await person(), await person()]
    for (let minutes = 0; minutes <= 120; minutes += 12) {
      for (const stranger of strangers)
        expect(await statusOf(THERE, stranger, ...pieces(200, product))).toBe(200)
      expect(await statusOf('2001:db8:7:9::1', await person(), product)).toBe(200)
      await pass(12)
    }
  })

  it('is no matter once one was sold there', async () => {
    const [product, keeper, buyer] = [await cup(6), await person(), await person()]
    await holdForAnHour(keeper, ...pieces(2, product))
    const { body } = await startFrom(THERE, buyer, product)
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    expect(await statusOf(THERE, await person(), ...pieces(2, product))).toBe(200)
  })

  it('is counted where its buyer was, and where they are', async () => {
    const [product, buyer] = [await cup(1), await person()]
    await startFrom(THERE, buyer, product)
    await pass(5)
    await startFrom(ELSEWHERE, buyer, product)
    const { rows } = await sql<{ network: string; minutes: number }>`
      select network, round(extract(epoch from ended_at - now()) / 60)::integer as minutes
      from hold_spells where product_id = ${product.id} order by minutes`.execute(shop.db)
    expect(rows).toEqual([
      { network: '2001:db8:7::/48', minutes: 0 },
      { network: ELSEWHERE, minutes: 15 },
    ])
  })
})

describe('what is remembered of it', () => {
  it('is forgotten after the pause', async () => {
    const left = async () => (await sql`select from hold_spells`.execute(shop.db)).rows.length
    await startFrom(THERE, await person(), await cup(1))
    await pass(29)
    await forgetOldSpells(shop.db, { holdMinutes: 15 })
    expect(await left()).toBeGreaterThan(0)
    await pass(1)
    await forgetOldSpells(shop.db, { holdMinutes: 15 })
    expect(await left()).toBe(0)
  })

  it('begins when the clock that was put back says', async () => {
    const [product, keeper] = [await cup(1), await person()]
    const { body } = await startFrom(THERE, keeper, product)
    await pass(-300)
    await cancel(keeper, body.id)
    await holdForAnHour(keeper, product)
    expect(await statusOf(THERE, keeper, product)).toBe(429)
  })
})
