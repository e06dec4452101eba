import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'
import { openAccount } from './service.ts'

const shop = testShop()
let person: Person
beforeEach(async () => {
  person = await addPerson(shop.db)
})

const mayEnter = async (token: string) => (await shop.get('/auth/user-auth', { token })).status

/** Sets the age of the person's session and the time since its last use, in hours. */
const age = (hours: { old: number; unused: number }) =>
  shop.db
    .updateTable('sessions')
    .set({
      created_at: sql`now() - interval '1 hour' * ${hours.old}::float`,
      expires_at: sql`least(now() - interval '1 hour' * ${hours.unused}::float + interval '7 days',
        now() - interval '1 hour' * ${hours.old}::float + interval '30 days')`,
    })
    .where('user_id', '=', person.id)
    .execute()

/** The expiry of the session, in hours from now. */
async function hoursLeft() {
  const { left } = await shop.db
    .selectFrom('sessions')
    .where('user_id', '=', person.id)
    .select(sql<number>`extract(epoch from expires_at - now())::integer`.as('left'))
    .executeTakeFirstOrThrow()
  return left / 3600
}

const DAY = 24

describe('a session', () => {
  it('ends after seven days without a call', async () => {
    expect(await hoursLeft()).toBeCloseTo(7 * DAY, 1)
    await age({ old: 8 * DAY, unused: 7 * DAY + 1 })
    expect(await mayEnter(person.token)).toBe(401)
  })

  it('begins its seven days anew with a call', async () => {
    await age({ old: 6 * DAY, unused: 6 * DAY })
    expect(await mayEnter(person.token)).toBe(200)
    expect(await hoursLeft()).toBeCloseTo(7 * DAY, 1)
  })

  it('ends after thirty days, however much it is used', async () => {
    await age({ old: 29 * DAY, unused: 3 * DAY })
    expect(await mayEnter(person.token)).toBe(200)
    expect(await hoursLeft()).toBeCloseTo(DAY, 1)
    await age({ old: 30 * DAY + 1, unused: 0 })
    expect(await mayEnter(person.token)).toBe(401)
  })

  it('cannot be made to last longer, says the database', async () => {
    const forever = shop.db
      .updateTable('sessions')
      .set({ expires_at: sql`now() + interval '31 days'` })
      .where('user_id', '=', person.id)
      .execute()
    await expect(forever).rejects.toThrow('sessions_end_at_last')
  })

  it('is written at most once an hour', async () => {
    await age({ old: 0.5, unused: 0.5 })
    expect(await mayEnter(person.token)).toBe(200)
    expect(await hoursLeft()).toBeCloseTo(7 * DAY - 0.5, 1)
    await age({ old: 2, unused: 2 })
    await mayEnter(person.token)
    expect(await hoursLeft()).toBeCloseTo(7 * DAY, 1)
  })

  it('is not written by a public call', async () => {
    await age({ old: 2, unused: 2 })
    for (const path of ['/product/product-count', '/category/get-category', '/product/search/x']) {
      expect((await shop.get(path, { token: person.token })).status).toBe(200)
    }
    expect(await hoursLeft()).toBeCloseTo(7 * DAY - 2, 1)
  })
})

describe('POST /auth/login', () => {
  const password = 'a long secret'
  let people = 0
  async function anAccount() {
    const email = `fix-${++people}@example.com`
    const facts = { name: 'Kim', phone: '555', address: '4 Market Lane', answer: 'Chess' }
    await openAccount(shop.db, { ...facts, email, password })
    return email
  }
  const login = async (email: string, token?: string) =>
    (await shop.post<{ token: string }>('/auth/login', { body: { email, password }, token })).body
      .token

  it('makes a token that nobody chose, each time another', async () => {
    const email = await anAccount()
    const planted = 'x'.repeat(43)
    const tokens = [await login(email, planted), await login(email, planted), await login(email)]
    expect(new Set([...tokens, planted]).size).toBe(4)
    expect(await mayEnter(planted)).toBe(401)
    for (const token of tokens) expect(await mayEnter(token)).toBe(200)
  })

  it('ends the session that it was called with, and no other', async () => {
    const email = await anAccount()
    const elsewhere = await login(email)
    const before = await login(email)
    const after = await login(email, before)
    expect(await mayEnter(before)).toBe(401)
    expect([await mayEnter(after), await mayEnter(elsewhere)]).toEqual([200, 200])
  })

  it("ends a stranger's session that was planted in this browser", async () => {
    const mine = await login(await anAccount(), person.token)
    expect([await mayEnter(person.token), await mayEnter(mine)]).toEqual([401, 200])
  })

  it('ends nothing when it fails', async () => {
    const body = { email: await anAccount(), password: 'wrong' }
    await shop.post('/auth/login', { body, token: person.token })
    expect(await mayEnter(person.token)).toBe(200)
  })
})
