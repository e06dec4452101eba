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
const { start, cancel, verify, stockOf } = purchases(shop)

let category: { id: string }
beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
})

const cup = (facts = {}) => addProduct(shop.db, { category, quantity: 2, ...facts })

type Product = { id: string }

const startFor = (buyer: Person, ...pieces: Product[]) =>
  start(buyer, { amount: 1250 * pieces.length, cart: cartOf(...pieces) })

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
async function holdForAnHour(buyer: Person, ...pieces: Product[]) {
  for (let minutes = 0; minutes < 60; minutes += 12) {
    expect((await startFor(buyer, ...pieces)).status).toBe(200)
    await pass(12)
  }
}

const minutesLeft = async ({ id }: Person) => {
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from expires_at - now()) / 60)::integer as minutes
    from holds where user_id = ${id}`.execute(shop.db)
  return rows.map(({ minutes }) => minutes)
}

describe('a hold that is taken again and again', () => {
  it('ends for good after four times its minutes, and others may buy', async () => {
    const [product, other] = [await cup({ name: 'Blue cup' }), await cup()]
    const [keeper, buyer] = [await addPerson(shop.db), await addPerson(shop.db)]
    await holdForAnHour(keeper, product, product)
    expect(await stockOf(product)).toBe(2)
    const refused = await startFor(keeper, other, product)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3550)
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        success: false,
        code: 'rate_limited',
        message:
          'Blue cup was kept for you, unpaid, for 60 minutes in all. It is open to others now. Try again in 60 minutes.',
      },
    ])
    expect([await stockOf(product), await stockOf(other)]).toEqual([2, 2])
    expect((await startFor(buyer, product)).status).toBe(200)
    expect((await startFor(keeper, other)).status).toBe(200)
  })

  it('lasts no longer than what is left of them', async () => {
    const product = await cup()
    const keeper = await addPerson(shop.db)
    for (let times = 0; times < 4; times += 1) {
      await startFor(keeper, product)
      await pass(14)
    }
    await startFor(keeper, await cup(), product)
    expect(await minutesLeft(keeper)).toEqual([4])
  })

  it('is not renewed by leaving in between, however often', async () => {
    const product = await cup()
    const keeper = await addPerson(shop.db)
    for (let times = 0; times < 5; times += 1) {
      const { body } = await startFor(keeper, product)
      await pass(12)
      await cancel(keeper, body.id)
      await pass(50)
    }
    expect((await startFor(keeper, product)).status).toBe(429)
    await pass(5)
    expect((await startFor(keeper, product)).status).toBe(429)
    await pass(5)
    expect((await startFor(keeper, product)).status).toBe(200)
    expect(await minutesLeft(keeper)).toEqual([15])
  })

  it('counts only while it is held', async () => {
    const product = await cup()
    const buyer = await addPerson(shop.db)
    for (let times = 0; times < 12; times += 1) {
      const { status, body } = await startFor(buyer, product)
      expect(status).toBe(200)
      await pass(1)
      await cancel(buyer, body.id)
      await pass(20)
    }
    await startFor(buyer, product)
    expect(await minutesLeft(buyer)).toEqual([15])
  })

  it('is no matter once it is paid for', async () => {
    const product = await cup({ quantity: 10 })
    const buyer = await addPerson(shop.db)
    for (let times = 0; times < 6; times += 1) {
      const { body } = await startFor(buyer, product)
      await pass(12)
      expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    }
    expect(await stockOf(product)).toBe(4)
  })

  it('is refused however often it is tried at once', async () => {
    const product = await cup()
    const keeper = await addPerson(shop.db)
    await holdForAnHour(keeper, product)
    const account = sql`select from users where id = ${keeper.id} for update`
    const tries = Array.from({ length: 6 }, () => () => startFor(keeper, product))
    const replies = await atOnce(shop.db, account, tries)
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(429))
  })

  it('is forgotten after the pause', async () => {
    const left = async () => (await sql`select from hold_spells`.execute(shop.db)).rows.length
    await startFor(await addPerson(shop.db), await cup())
    await pass(14)
    await forgetOldSpells(shop.db, { holdMinutes: 15 })
    expect(await left()).toBeGreaterThan(0)
    await pass(62)
    await forgetOldSpells(shop.db, { holdMinutes: 15 })
    expect(await left()).toBe(0)
  })

  it('begins when the clock that was put back says', async () => {
    const product = await cup()
    const keeper = await addPerson(shop.db)
    const { body } = await startFor(keeper, product)
    await pass(-300)
    await cancel(keeper, body.id)
    await holdForAnHour(keeper, product)
    expect((await startFor(keeper, product)).status).toBe(429)
  })
})

describe('what one network holds', () => {
  const buyFrom = (from: string, { token }: Person, ...pieces: Product[]) =>
    shop.post<{ id: string; code?: string; message: string }>('/product/razorpay/order', {
      ...{ token, from },
      body: { amount: 1250 * pieces.length, cart: cartOf(...pieces) },
    })
  const strangers = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => ({
        buyer: await addPerson(shop.db),
        pieces: Array<Product>(200).fill(await cup({ quantity: 300 })),
      })),
    )

  it('is five hundred pieces at most, whoever is there', async () => {
    const [all, [elsewhere]] = [await strangers(3), await strangers(1)]
    const replies = []
    for (const [n, { buyer, pieces }] of all.entries())
      replies.push(await buyFrom(`2001:db8:7:${n}::1`, buyer, ...pieces))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(replies[2]?.headers['retry-after']).toBe('60')
    expect(replies[2]?.body.message).toBe(
      'Very many pieces are kept for buyers at your address. Try again in a minute.',
    )
    if (!elsewhere || !all[0] || !all[2]) throw new Error('Nobody is there.')
    expect(await stockOf(all[2].pieces[0] ?? { id: '' })).toBe(300)
    const other = await buyFrom('2001:db8:8::1', elsewhere.buyer, ...elsewhere.pieces)
    expect(other.status).toBe(200)
    await cancel(all[0].buyer, replies[0]?.body.id)
    const again = await buyFrom('2001:db8:7:9::1', all[2].buyer, ...all[2].pieces)
    expect(again.status).toBe(200)
  })

  it('is no more when many come at once', async () => {
    const all = await strangers(6)
    const ids = all.map(({ pieces: [product] }) => product?.id)
    const rows = sql`select from products where id = any(${ids}::uuid[]) order by id for update`
    const works = all.map(
      ({ buyer, pieces }) =>
        () =>
          buyFrom('203.0.113.9', buyer, ...pieces),
    )
    const replies = await atOnce(shop.db, rows, works)
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429])
  })

  it('lets an office of a hundred buy', async () => {
    const product = await cup({ quantity: 1000 })
    for (let n = 0; n < 100; n += 1) {
      const buyer = await addPerson(shop.db)
      expect((await buyFrom('198.51.100.1', buyer, ...Array(5).fill(product))).status).toBe(200)
    }
  })
})
