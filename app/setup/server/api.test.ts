import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { User } from '#app/accounts/session-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { cachedShopOn } from '#tests/support/cached-shop.ts'
import { atOnce } from '#tests/support/concurrently.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { announced, codeOf, FIRST_RUN } from '#tests/support/first-run.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

beforeEach(async () => {
  await shop.db.deleteFrom('users').execute()
  await shop.db.deleteFrom('first_run_codes').execute()
})

const PATH = '/api/v1/settings'

type Made = { message: string; user: User; token: string }

const make = (code: string, facts: object = {}) =>
  shop.post<Made>('/setup/first-admin', { body: { ...FIRST_RUN, code, ...facts } })

const admins = () =>
  shop.db.selectFrom('users').where('is_admin', '=', true).select('name').execute()

describe('POST /setup/first-admin', () => {
  it('makes the first admin, names the shop and starts a session', async () => {
    const reply = await make(await codeOf(shop))
    expect(reply).toMatchObject({
      status: 201,
      body: { user: { name: 'Ada', email: 'ada@example.com', role: 1 } },
    })
    const { token } = reply.body
    expect((await shop.get('/auth/admin-auth', { token })).status).toBe(200)
    expect((await shop.get<{ name: string }>('/settings')).body.name).toBe('Souk')
    const login = { email: FIRST_RUN.email, password: FIRST_RUN.password }
    expect((await shop.post('/auth/login', { body: login })).status).toBe(200)
  })

  it('stores the country, the currency and the time zone of the shop', async () => {
    const place = { country: 'DE', currencyDisplay: 'EUR', timeZone: 'Europe/Berlin' }
    const { token } = (await make(await codeOf(shop), place)).body
    const { settings } = (await shop.get<{ settings: object }>('/settings/all', { token })).body
    expect(settings).toMatchObject({ name: 'Souk', ...place })
  })

  it.each([
    ['country', 'ZZ'],
    ['currencyDisplay', 'ZZZ'],
    ['timeZone', 'Europe/Bielefeld'],
  ])('refuses an unknown %s, and makes no account', async (field, value) => {
    const code = await codeOf(shop)
    expect(await make(code, { [field]: value })).toMatchObject({ status: 400, body: { field } })
    expect(await admins()).toEqual([])
    expect((await make(code)).status).toBe(201)
  })

  it('sends no e-mail about the sign-in of the owner, nor about their next one from there', async () => {
    expect((await make(await codeOf(shop))).status).toBe(201)
    const login = { email: FIRST_RUN.email, password: FIRST_RUN.password }
    const again = (userAgent?: string) =>
      shop.post('/auth/login', {
        body: login,
        ...(userAgent && { headers: { 'user-agent': userAgent } }),
      })
    expect((await again()).status).toBe(200)
    const kinds = () => shop.db.selectFrom('emails').select('kind').execute()
    expect(await kinds()).toEqual([])
    await again('Other/1.0')
    expect(await kinds()).toEqual([{ kind: 'new_sign_in' }])
  })

  it('is recorded as the act of the admin whom it makes', async () => {
    const code = await codeOf(shop)
    const entries = await entriesOf(shop.db, () => make(code, { shopName: 'Bazaar' }))
    expect(entries).toMatchObject([
      { actor_kind: 'admin', table_name: 'settings' },
      { actor_kind: 'admin', table_name: 'users', after: { is_admin: true } },
      { actor_kind: 'admin', action: 'signed_in' },
    ])
  })

  it('takes the code without case, hyphens and spaces, and letters that look like its digits', async () => {
    const code = await codeOf(shop)
    const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect((await make(typed)).status).toBe(201)
  })

  it.each(['', 'XXXX-XXXX-XXXX-XXXX', '%', '0'.repeat(101)])(
    'refuses a guess, and makes no account: %j',
    async (guess) => {
      await codeOf(shop)
      expect((await make(guess)).status).toBe(400)
      expect(await shop.db.selectFrom('users').select('id').execute()).toEqual([])
    },
  )

  it('refuses every code while no start has printed one', async () => {
    expect((await make('XXXX-XXXX-XXXX-XXXX')).status).toBe(400)
  })

  it('does not exist any more once there is an admin of another origin', async () => {
    const code = await codeOf(shop)
    await addPerson(shop.db, { admin: true })
    const reply = await make(code)
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await admins()).toHaveLength(1)
  })

  it('takes the codes of all starts, and none of them twice', async () => {
    const first = await codeOf(shop)
    const second = await codeOf(shop)
    expect(second).not.toBe(first)
    expect((await make(first)).status).toBe(201)
    for (const code of [first, second])
      expect((await make(code, { email: 'eve@example.com' })).status).toBe(404)
    expect(await admins()).toEqual([{ name: 'Ada' }])
  })

  it('voids all but the newest ten codes', async () => {
    const codes = []
    for (let start = 0; start < 11; start += 1) codes.push(await codeOf(shop))
    const [oldest = '', next = ''] = codes
    expect((await make(oldest)).status).toBe(400)
    expect((await make(next)).status).toBe(201)
  })

  it('makes one admin of two submissions at the same time', async () => {
    const codes = [await codeOf(shop), await codeOf(shop)]
    const replies = await atOnce(
      shop.db,
      sql`select from first_run_codes for update`,
      codes.map((code, at) => () => make(code, { email: `${at}@example.com` })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 404])
    expect(await admins()).toHaveLength(1)
  })

  it('keeps the code when the account cannot be made', async () => {
    const code = await codeOf(shop)
    const { email } = await addPerson(shop.db)
    expect(await make(code, { email })).toMatchObject({
      status: 409,
      body: { message: 'A customer has registered with this email. Please use another one.' },
    })
    expect((await make(code)).status).toBe(201)
  })

  it('does not store the code, and prints none when there is an admin', async () => {
    const code = await codeOf(shop)
    const { rows } = await sql`select code_hash::text as stored from first_run_codes`.execute(
      shop.db,
    )
    expect(JSON.stringify(rows).toUpperCase()).not.toContain(code.replaceAll('-', ''))
    await addPerson(shop.db, { admin: true })
    expect(await announced(shop)).toEqual([])
    expect(await shop.db.selectFrom('first_run_codes').select('code_hash').execute()).toEqual([])
  })
})

describe('guesses of the code', () => {
  const limited = testShop({ RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' })
  const guess = (code: string, from: string) =>
    limited.post<Made>('/setup/first-admin', { body: { ...FIRST_RUN, code }, from })

  it('are limited by address, and never keep the owner out, who has another one', async () => {
    const code = await codeOf(limited)
    const wrong = async (from: string) => (await guess('wrong', from)).status
    for (let n = 0; n < 20; n += 1) expect(await wrong('203.0.113.1')).toBe(400)
    expect(await wrong('203.0.113.1')).toBe(429)
    expect((await guess(code, '203.0.113.1')).status).toBe(429)
    for (let n = 0; n < 320; n += 1) expect(await wrong(`198.51.${n % 250}.${n >> 3}`)).toBe(400)
    expect((await guess(code, '192.0.2.1')).status).toBe(201)
  })
})

it('the settings say that there is an admin, also where they were kept before', async () => {
  const { db, close } = await openTestDatabase()
  const kept = await cachedShopOn(db)
  const hasAdmin = async () => JSON.parse(String((await kept.ask(PATH)).bytes)).hasAdmin
  expect(await hasAdmin()).toBe(false)
  await hasAdmin()
  const made = kept.made()
  await hasAdmin()
  expect(kept.made()).toBe(made)
  const code = await codeOf(kept)
  await kept.post('/setup/first-admin', { body: { ...FIRST_RUN, code } })
  await expect.poll(hasAdmin).toBe(true)
  await kept.close()
  await close()
})
