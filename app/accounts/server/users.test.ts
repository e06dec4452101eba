import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedUser } from '#app/accounts/admin-contract.ts'
import type { User } from '#app/accounts/session-contract.ts'
import { seed } from '#bench/seed/seed.ts'
import { addPerson, PASSWORD_HASH, type Person, signInAgain } from '#tests/support/accounts.ts'
import { atOnce } from '#tests/support/concurrently.ts'
import { addOrder, addRefund, LINE } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'
import { openSession } from './sessions.ts'

const shop = testShop()
const UNKNOWN = '0197f9a0-0000-7000-8000-000000000000'

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Meera Nair' })
})

describe('GET /auth/all-users', () => {
  const list = (query: Record<string, string> = {}) =>
    shop.get<ListedUser[]>(`/auth/all-users?${new URLSearchParams(query)}`, { token: admin.token })
  const found = async (q: string) => (await list({ q })).body.map(({ _id }) => _id)

  it('lists everybody, newest first, fifty a page, with the paging facts', async () => {
    const newestFirst = [admin.id]
    for (let n = 0; n < 51; n++) newestFirst.unshift((await addPerson(shop.db)).id)
    const first = await list()
    const second = await list({ page: '2' })
    expect([first.body.length, second.body.length]).toEqual([50, 2])
    expect([...first.body, ...second.body].map(({ _id }) => _id)).toEqual(newestFirst)
    expect(first.headers['x-total-count']).toBe('52')
    expect(first.headers.link).toContain('rel="next"')
    expect((await list({ page: '1000000' })).body).toEqual([])
  })

  it('counts who comes and who goes', async () => {
    const total = async () => Number((await list()).headers['x-total-count'])
    const before = await total()
    const people = await Promise.all([addPerson(shop.db), addPerson(shop.db), addPerson(shop.db)])
    expect(await total()).toBe(before + 3)
    const ids = people.map(({ id }) => id)
    await shop.db.deleteFrom('users').where('id', 'in', ids).execute()
    expect(await total()).toBe(before)
  })

  it('finds the newest thousand of those that a search would find', async () => {
    await seed(shop.db, { users: 1002 })
    const search = { q: 'shopper-' }
    const { body, headers } = await list({ ...search, page: '20' })
    expect(headers['x-total-count']).toBe('1000')
    expect(body.map(({ email }) => email)).toEqual(
      Array.from({ length: 50 }, (_, n) => `shopper-${52 - n}@example.com`),
    )
    expect((await list({ ...search, page: '21' })).body).toEqual([])
    await shop.db.deleteFrom('users').where('email', 'like', 'shopper-%').execute()
  })

  it('has views of customers, admins and closed accounts, sorted by time or name', async () => {
    const people = ['Zoe List', 'Éva List', 'adam List']
    for (const name of people) await addPerson(shop.db, { name })
    const gone = await addPerson(shop.db, { name: 'Bea List' })
    await addPerson(shop.db, { name: 'Carl List', admin: true })
    const named = async (query: Record<string, string>) => {
      const { body, headers } = await list({ q: ' list', ...query })
      expect(headers['x-total-count']).toBe(String(body.length))
      return body.map(({ name }) => name.split(' ')[0])
    }
    expect(await named({})).toEqual(['Carl', 'Bea', 'adam', 'Éva', 'Zoe'])
    expect(await named({ sort: 'name' })).toEqual(['adam', 'Bea', 'Carl', 'Éva', 'Zoe'])
    expect(await named({ sort: '-name' })).toEqual(['Zoe', 'Éva', 'Carl', 'Bea', 'adam'])
    expect(await named({ view: 'admins' })).toEqual(['Carl'])
    expect(await named({ view: 'customers', sort: 'since' })).toEqual(['Zoe', 'Éva', 'adam', 'Bea'])
    await shop.delete(`/auth/user/${gone.id}`, { token: admin.token })
    const closed = await list({ view: 'closed' })
    expect(closed.body.map(({ _id }) => _id)).toContain(gone.id)
    for (const view of ['customers', 'admins', 'closed', 'all']) {
      const query: Record<string, string> = view === 'all' ? {} : { view }
      const pages = await Promise.all([list(query), list({ ...query, sort: 'since' })])
      const [total, newest, oldest] = [
        Number(pages[0].headers['x-total-count']),
        pages[0].body.map(({ _id }) => _id),
        pages[1].body.map(({ _id }) => _id),
      ]
      const last = await list({ ...query, page: String(Math.ceil(total / 50)) })
      expect(last.body.map(({ _id }) => _id).toReversed()).toEqual(
        oldest.slice(0, last.body.length),
      )
      expect(newest).toHaveLength(Math.min(50, total))
    }
  })

  it('shows what a user is and has bought; a cancelled order counts for nothing', async () => {
    const buyer = await addPerson(shop.db, { name: 'Big Spender' })
    await addOrder(shop.db, buyer)
    await addOrder(shop.db, buyer)
    await addOrder(shop.db, buyer, { status: 'cancel' })
    const { body, bytes } = await list({ q: 'big spender' })
    expect(body).toEqual([
      {
        _id: buyer.id,
        name: 'Big Spender',
        email: buyer.email,
        phone: '555 0100',
        address: '1 Market Lane',
        role: 0,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        closedAt: null,
        orders: 2,
        spent: 79.96,
      },
    ])
    expect(bytes.toString()).not.toMatch(/hash|argon|search/)
  })

  it('has what a user spent less refunds, without wholly refunded orders', async () => {
    const buyer = await addPerson(shop.db, { name: 'Often Refunded' })
    const orders = [await addOrder(shop.db, buyer), await addOrder(shop.db, buyer)]
    for (const [at, minor] of [3998, 998].entries())
      await addRefund(shop.db, { payment_id: orders[at]?.payment_id ?? '' }, minor)
    const { body } = await list({ q: 'often refunded' })
    expect(body).toMatchObject([{ orders: 1, spent: 30 }])
  })

  it('counts an unpaid order, and one that costs nothing, and spent is what was received', async () => {
    const buyer = await addPerson(shop.db, { name: 'Part Payer' })
    const unpaid = { method: 'bank_transfer' as const, dueAt: new Date() }
    await addOrder(shop.db, buyer, { unpaid })
    await addOrder(shop.db, buyer, { unpaid: { ...unpaid, received: 1000 } })
    await addOrder(shop.db, buyer, { lines: [{ ...LINE, price_minor: 0 }] })
    const { body } = await list({ q: 'part payer' })
    expect(body).toMatchObject([{ orders: 3, spent: 10 }])
  })

  it('finds by a part of the name or e-mail, each character for itself', async () => {
    const { id, email } = await addPerson(shop.db, { name: 'Łucja 50%_ Ünal' })
    for (const q of ['Ünal', 'unal', '50%', '%_ ', email.toUpperCase(), email.slice(20, 36)]) {
      expect(await found(q), q).toEqual([id])
    }
    for (const q of ['5%0', '___', UNKNOWN]) expect(await found(q), q).toEqual([])
    expect((await list({ q: 'ünal' })).headers['x-total-count']).toBe('1')
    expect((await found(' ')).length).toBe(50)
  })
})

describe('PUT /auth/user-role/:userId', () => {
  type Answer = { success: boolean; code?: string; message: string; user: User }
  const set = (by: Person, id: string, role: unknown) =>
    shop.put<Answer>(`/auth/user-role/${id}`, { token: by.token, body: { role } })
  const mayEnter = async ({ token }: Person) =>
    (await shop.get('/auth/admin-auth', { token })).status

  it('makes a user an admin, who has to sign in again, and back from the next request on', async () => {
    const person = await addPerson(shop.db, { name: 'Sam Rivera' })
    expect(await mayEnter(person)).toBe(403)
    const { status, body } = await set(admin, person.id, 1)
    expect([status, body.message, body.user.role]).toEqual([200, 'Sam Rivera is an admin now', 1])
    expect((await shop.get('/auth/user-auth', { token: person.token })).status).toBe(401)
    const promoted = await signInAgain(shop.db, person)
    expect(await mayEnter(promoted)).toBe(200)
    const back = await set(admin, person.id.toUpperCase(), 0)
    expect(back.body).toMatchObject({
      message: 'Sam Rivera is no longer an admin',
      user: { role: 0 },
    })
    expect(await mayEnter(promoted)).toBe(403)
    expect((await shop.get('/auth/user-auth', { token: promoted.token })).status).toBe(200)
  })

  it('says so again where nothing changes', async () => {
    const person = await addPerson(shop.db)
    expect((await set(admin, person.id, 0)).status).toBe(200)
    expect(await mayEnter(person)).toBe(403)
  })

  it('never changes oneself', async () => {
    for (const id of [admin.id, admin.id.toUpperCase()]) {
      for (const role of [0, 1]) {
        expect(await set(admin, id, role)).toMatchObject({
          status: 409,
          body: { code: 'conflict' },
        })
      }
    }
    expect(await mayEnter(admin)).toBe(200)
  })

  it('leaves one admin when all demote each other at once', async () => {
    for (let round = 0; round < 40; round++) {
      const all = [
        admin,
        await addPerson(shop.db, { admin: true }),
        await addPerson(shop.db, { admin: true }),
      ]
      const demotions = all.flatMap((by) =>
        all.filter((one) => one !== by).map((one) => [by, one] as const),
      )
      const admins = sql`select from users where is_admin for update`
      const works = demotions.map(
        ([by, one]) =>
          () =>
            set(by, one.id, 0),
      )
      const answers = await atOnce(shop.db, admins, works)
      for (const { status, body } of answers) expect([200, 403], body.message).toContain(status)
      const left = []
      for (const one of all) if ((await mayEnter(one)) === 200) left.push(one)
      expect(left).toHaveLength(1)
      admin = left[0] ?? admin
    }
  })

  it('refuses any other role, and users that are not', async () => {
    expect((await set(admin, (await addPerson(shop.db)).id, 2)).status).toBe(400)
    for (const id of [UNKNOWN, 'x']) expect((await set(admin, id, 1)).status).toBe(404)
  })
})

describe('DELETE /auth/user-sessions/:userId', () => {
  const end = (id: string) => shop.delete(`/auth/user-sessions/${id}`, { token: admin.token })
  const mayEnter = async (token: string) => (await shop.get('/auth/user-auth', { token })).status

  it("ends all of a user's sessions and nobody else's", async () => {
    const person = await addPerson(shop.db, { name: 'Sam Rivera' })
    const other = await addPerson(shop.db)
    const second = await openSession(shop.db, { id: person.id, password_hash: PASSWORD_HASH })
    expect(await end(person.id)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Sam Rivera is signed out everywhere' },
    })
    expect([await mayEnter(person.token), await mayEnter(second)]).toEqual([401, 401])
    expect([await mayEnter(other.token), await mayEnter(admin.token)]).toEqual([200, 200])
    expect((await end(person.id)).status).toBe(200)
  })

  it('knows no other user', async () => {
    for (const id of [UNKNOWN, 'x']) expect((await end(id)).status).toBe(404)
  })
})
