import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testShop } from '#tests/support/shop.ts'
import type { User } from '../session-contract.ts'

const shop = testShop()

type Opened = { success: true; message: string; user: User }
type SignedIn = Opened & { token: string }

let people = 0
const newcomer = (facts: Record<string, unknown> = {}) => ({
  name: 'Asha Rao',
  email: `asha-${++people}@example.com`,
  password: 'a long secret',
  phone: '555 0100',
  address: '1 Market Lane',
  answer: 'Chess',
  ...facts,
})

const register = (facts: Record<string, unknown> = {}) =>
  shop.post<Opened>('/auth/register', { body: newcomer(facts) })

const login = (email: string, password = 'a long secret') =>
  shop.post<SignedIn>('/auth/login', { body: { email, password } })

/** A registered person with a session. */
async function signedIn(facts: Record<string, unknown> = {}) {
  const { body } = await register(facts)
  const { token } = (await login(body.user.email)).body
  return { ...body.user, token }
}

const mayEnter = async (token: string) => (await shop.get('/auth/user-auth', { token })).status

describe('POST /auth/register', () => {
  it('opens an account and answers it without a secret', async () => {
    const { status, body, bytes } = await register({
      name: ' Asha Rao ',
      email: ' New@Example.com ',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'Registered successfully',
      user: {
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Asha Rao',
        email: 'New@Example.com',
        phone: '555 0100',
        address: '1 Market Lane',
        role: 0,
      },
    })
    expect(bytes.toString()).not.toMatch(/argon|secret|chess/i)
  })

  it('keeps passwords and answers only as argon2id hashes of their own salt', async () => {
    const { _id } = (await register({ answer: 'a long secret' })).body.user
    const user = await shop.db
      .selectFrom('users')
      .where('id', '=', _id)
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(user.answer_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(user.answer_hash).not.toBe(user.password_hash)
    expect(JSON.stringify(user)).not.toContain('a long secret')
  })

  it('makes nobody an admin', async () => {
    const { user } = (await register({ role: 1, is_admin: true, admin: true })).body
    expect(user.role).toBe(0)
    const { token } = (await login(user.email)).body
    expect((await shop.get('/auth/admin-auth', { token })).status).toBe(403)
  })

  it('refuses an e-mail that is taken, in any case and with blanks around it', async () => {
    await register({ email: 'taken@example.com' })
    const again = await shop.post('/auth/register', {
      body: newcomer({ email: '  TAKEN@Example.COM ' }),
    })
    expect(again).toMatchObject({ status: 409, body: { success: false, code: 'conflict' } })
    expect(again.body.message).toBe('This email is already registered. Please log in.')
  })

  it('opens one account when the same e-mail registers many times at once', async () => {
    const body = newcomer({ email: 'racer@example.com' })
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => shop.post('/auth/register', { body })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })

  it.each(['asha', 'asha@', '@example.com', 'a b@example.com', 'a@b@c', 'a@b c'])(
    'refuses %j as an e-mail',
    async (email) => {
      const reply = await shop.post('/auth/register', { body: newcomer({ email }) })
      expect(reply).toMatchObject({ status: 400, body: { message: 'email is not valid.' } })
    },
  )

  it('wants 8 to 128 characters of a password', async () => {
    const status = async (length: number) =>
      (await register({ password: 'p'.repeat(length) })).status
    expect(await status(7)).toBe(400)
    expect(await status(8)).toBe(201)
    expect(await status(128)).toBe(201)
    expect(await status(129)).toBe(400)
  })

  it('refuses a password of blanks', async () => {
    expect((await register({ password: ' '.repeat(8) })).status).toBe(400)
  })
})

describe('POST /auth/login', () => {
  it('answers a token that is the session, and the user without a secret', async () => {
    const { user } = (await register()).body
    const { status, body, bytes } = await login(user.email)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: 'Logged in successfully',
      user,
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(bytes.toString()).not.toMatch(/argon|secret|chess/i)
    expect(await mayEnter(body.token)).toBe(200)
  })

  it('takes the e-mail in any case', async () => {
    const { user } = (await register()).body
    expect((await login(`  ${user.email.toUpperCase()} `)).status).toBe(200)
  })

  it('takes the password as it is, blanks and case included', async () => {
    const { user } = (await register({ password: ' Seven Seas ' })).body
    expect((await login(user.email, ' Seven Seas ')).status).toBe(200)
    expect((await login(user.email, 'Seven Seas')).status).toBe(401)
    expect((await login(user.email, ' seven seas ')).status).toBe(401)
  })

  it('answers a wrong e-mail and a wrong password alike', async () => {
    const { user } = (await register()).body
    const wrongPassword = await login(user.email, 'not the secret')
    const wrongEmail = await login('nobody@example.com', 'a long secret')
    expect(wrongPassword).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(wrongEmail.body).toEqual(wrongPassword.body)
    expect(wrongEmail.bytes).toHaveLength(wrongPassword.bytes.length)
  })

  it('sweeps away the sessions that have expired', async () => {
    const { _id, email } = await signedIn()
    await shop.db
      .updateTable('sessions')
      .set({ expires_at: sql`now() - interval '1 second'` })
      .where('user_id', '=', _id)
      .execute()
    await login(email)
    const sessions = shop.db.selectFrom('sessions').where('user_id', '=', _id).select('expires_at')
    expect(await sessions.execute()).toHaveLength(1)
  })
})

describe('GET /auth/user-auth', () => {
  it('tolerates Bearer before the token', async () => {
    const { token } = await signedIn()
    expect(await mayEnter(`Bearer ${token}`)).toBe(200)
    expect(await mayEnter(`bearer ${token}`)).toBe(200)
  })

  it('refuses no token, an empty one, a bare Bearer and a made-up one', async () => {
    for (const token of [undefined, '', 'Bearer ', 'made-up', 'x'.repeat(10_000)]) {
      const reply = await shop.get('/auth/user-auth', { token })
      expect(reply).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
  })

  it('refuses an expired session', async () => {
    const { _id, token } = await signedIn()
    await shop.db
      .updateTable('sessions')
      .set({ expires_at: sql`now()` })
      .where('user_id', '=', _id)
      .execute()
    expect(await mayEnter(token)).toBe(401)
  })
})

describe('GET /auth/admin-auth', () => {
  it('says ok to an admin, who is role 1, and 403 to a user', async () => {
    const { _id, email, token } = await signedIn()
    expect((await shop.get('/auth/admin-auth', { token })).status).toBe(403)
    await shop.db.updateTable('users').set({ is_admin: true }).where('id', '=', _id).execute()
    expect(await shop.get('/auth/admin-auth', { token })).toMatchObject({
      status: 200,
      body: { ok: true },
    })
    expect((await login(email)).body.user.role).toBe(1)
  })
})

describe('POST /auth/logout', () => {
  it('ends this session on the server and no other', async () => {
    const { email, token } = await signedIn()
    const other = (await login(email)).body.token
    expect(await shop.post('/auth/logout', { token })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await mayEnter(token)).toBe(401)
    expect(await mayEnter(other)).toBe(200)
    expect((await shop.post('/auth/logout', { token })).status).toBe(401)
  })
})
