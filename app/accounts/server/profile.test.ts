import { describe, expect, it, vi } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { freezeClock } from '#tests/support/frozen-clock.ts'
import { testShop } from '#tests/support/shop.ts'
import { openAccount } from './service.ts'
import { openSession } from './sessions.ts'

const shop = testShop()
const limited = testShop({ RATE_LIMIT: 'on' })
type Shop = typeof shop

let people = 0
/** A session of an account whose password is `first secret` and whose answer is `Chess`. */
async function signedIn({ at = shop, admin = false } = {}) {
  const email = `tara-${++people}@example.com`
  const facts = { name: 'Tara', email, phone: '555 0104', address: '5 Market Lane' }
  const secrets = { password: 'first secret', answer: 'Chess' }
  const user = await openAccount(at.db, { ...facts, ...secrets }, { admin })
  return { email, token: await openSession(at.db, user) }
}

const anAddress = () => `198.51.100.${++people % 250}`

const change = (token: string, body: object, { at = shop, from = anAddress() } = {}) =>
  at.put('/auth/profile', { token, body, from })
const login = (
  email: string,
  password: string,
  { at = shop, from = anAddress() }: { at?: Shop; from?: string } = {},
) => at.post('/auth/login', { body: { email, password }, from })
const reset = async (email: string, answer: string) => {
  const body = { email, answer, newPassword: 'by the answer' }
  return (await shop.post('/auth/forgot-password', { body })).status
}

const MISSING = 'Please enter your current password.'
const WRONG = 'The current password is wrong.'

describe('a new password in the profile', () => {
  it('needs no other for an ordinary user whose client sends none', async () => {
    const { email, token } = await signedIn()
    expect((await change(token, { password: 'second secret' })).status).toBe(200)
    expect((await login(email, 'second secret')).status).toBe(200)
  })

  it.each([
    ['wrong', 'not the secret', WRONG],
    ['empty', '', MISSING],
    ['blank', '  ', WRONG],
  ])('is refused with a current one that is %s', async (_how, currentPassword, message) => {
    const { email, token } = await signedIn()
    const refused = await change(token, { name: 'T', password: 'second secret', currentPassword })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid', message } })
    expect(refused.body.error).toBe(message)
    const { body } = await shop.post<{ user: { name: string } }>('/auth/login', {
      body: { email, password: 'first secret' },
    })
    expect(body.user.name).toBe('Tara')
  })

  it('is taken with the current one', async () => {
    const { email, token } = await signedIn()
    const body = { password: 'second secret', currentPassword: 'first secret' }
    expect((await change(token, body)).status).toBe(200)
    expect((await login(email, 'second secret')).status).toBe(200)
  })

  it('always needs the current one for an admin', async () => {
    const { email, token } = await signedIn({ admin: true })
    const body = { password: 'second secret' }
    expect(await change(token, body)).toMatchObject({ status: 400, body: { message: MISSING } })
    expect((await login(email, 'second secret')).status).toBe(401)
    expect((await change(token, { ...body, currentPassword: 'first secret' })).status).toBe(200)
    expect((await login(email, 'second secret')).status).toBe(200)
  })
})

describe('a new security answer in the profile', () => {
  it('needs the current password', async () => {
    const { email, token } = await signedIn()
    const replies = [
      await change(token, { answer: 'Golf' }),
      await change(token, { answer: 'Golf', currentPassword: '' }),
      await change(token, { answer: 'Golf', currentPassword: 'not the secret' }),
    ]
    expect(replies.map(({ status, body }) => [status, body.message])).toEqual([
      [400, MISSING],
      [400, MISSING],
      [400, WRONG],
    ])
    expect(await reset(email, 'Golf')).toBe(404)
    expect(await reset(email, 'Chess')).toBe(200)
  })

  it('takes the place of the old one, and leaves sessions alone', async () => {
    const { email, token } = await signedIn()
    const body = { answer: ' Golf ', currentPassword: 'first secret' }
    expect((await change(token, body)).status).toBe(200)
    expect((await shop.get('/auth/user-auth', { token })).status).toBe(200)
    expect(await reset(email, 'Chess')).toBe(404)
    expect(await reset(email, 'golf')).toBe(200)
  })

  it('is none where it is empty, and the current password is no matter then', async () => {
    const { email, token } = await signedIn()
    for (const answer of ['', ' ']) {
      const body = { name: 'Tara D', password: '', answer, currentPassword: 'whatever' }
      expect((await change(token, body)).status).toBe(200)
    }
    expect(await reset(email, 'Chess')).toBe(200)
  })
})

describe('a wrong current password', () => {
  freezeClock()

  it('counts as a failed log-in there', async () => {
    const { email, token } = await signedIn({ at: limited })
    const there = { at: limited, from: '203.0.113.9' }
    const body = { password: 'second secret', currentPassword: 'not the secret' }
    for (let n = 0; n < 3; n++) expect((await change(token, body, there)).status).toBe(400)
    for (let n = 0; n < 2; n++) expect((await login(email, 'a guess', there)).status).toBe(401)
    expect((await login(email, 'first secret', there)).status).toBe(429)
    const right = { ...body, currentPassword: 'first secret' }
    expect((await change(token, right, there)).status).toBe(429)
  })
})

describe('secrets in the profile', () => {
  freezeClock()
  const at = limited
  const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

  it('are changed five times in ten minutes by an account, and all else as often as it likes', async () => {
    const { token } = await signedIn({ at })
    const body = { password: 'second secret' }
    for (let n = 0; n < 5; n++) expect((await change(token, body, { at })).status).toBe(200)
    const refused = await change(token, body, { at })
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '600'])
    expect((await change(token, { answer: 'Golf' }, { at })).status).toBe(429)
    for (let n = 0; n < 50; n++) {
      const plain = { name: `Tara ${n}`, password: '', answer: ' ' }
      expect((await change(token, plain, { at })).status).toBe(200)
    }
    pass(600)
    expect((await change(token, body, { at })).status).toBe(200)
  })

  it('are changed twenty times a day by an account', async () => {
    const { token } = await signedIn({ at })
    const statuses = []
    for (let n = 0; n < 22; n++) {
      statuses.push((await change(token, { password: 'second secret' }, { at })).status)
      pass(300)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.slice(20)).toEqual([429, 429])
  })

  it('are changed thirty times in ten minutes from an address, whatever the account', async () => {
    const from = '203.0.113.77'
    const statuses = []
    for (let n = 0; n < 32; n++) {
      const { token } = await signedIn({ at })
      statuses.push((await change(token, { password: 'second secret' }, { at, from })).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual([429, 429])
  })
})

describe('log-in', () => {
  /** The results of log-ins while a flood of requests fills its queue. */
  const logInsDuring = async (flood: (n: number) => Promise<number>) => {
    const others = await Promise.all(Array.from({ length: 8 }, () => signedIn()))
    const flooding = Array.from({ length: 150 }, (_, n) => flood(n))
    const refused = flooding.map(async (status) => expect(await status).toBe(503))
    await Promise.any(refused)
    const replies = await Promise.all(others.map(({ email }) => login(email, 'first secret')))
    await Promise.all(flooding)
    return replies.map(({ status }) => status)
  }
  const ALL_IN = Array.from({ length: 8 }, () => 200)

  it('has its own share of hashing during a flood of profile changes', async () => {
    const { token } = await signedIn()
    const flood = async () => (await change(token, { password: 'second secret' })).status
    expect(await logInsDuring(flood)).toEqual(ALL_IN)
  })

  it('has its own share of hashing during a flood of closing accounts', async () => {
    const leaving = await Promise.all(Array.from({ length: 150 }, () => addPerson(shop.db)))
    const body = { password: 'not the secret' }
    const flood = async (n: number) =>
      (await shop.post('/auth/close-account', { token: leaving[n]?.token, body })).status
    expect(await logInsDuring(flood)).toEqual(ALL_IN)
  })

  it('has its own share of hashing during floods of registrations and of resets', async () => {
    const body = { name: 'F', phone: '5', address: 'L', password: 'a long secret', answer: 'Chess' }
    const flood = async (n: number) => {
      const email = `flood-${n}@example.com`
      if (n % 2 === 0) return reset(email, 'Chess')
      return (await shop.post('/auth/register', { body: { ...body, email } })).status
    }
    expect(await logInsDuring(flood)).toEqual(ALL_IN)
  })
})

describe('GET /.well-known/change-password', () => {
  it('leads a password manager to the form for a new password', async () => {
    const { statusCode, headers } = await shop.app.inject('/.well-known/change-password')
    expect([statusCode, headers.location]).toEqual([303, '/dashboard/user/profile'])
  })
})
