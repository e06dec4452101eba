import { describe, expect, it } from 'vitest'
import type { FailureBody } from '#app/shared/contract/failure.ts'
import { noCounters } from '#app/shared/server/limits/counters.ts'
import { testShop } from '#tests/support/shop.ts'
import type { User } from '../session-contract.ts'
import { changeProfile } from './profile.ts'
import { openAccount } from './service.ts'
import { findCaller, openSession } from './sessions.ts'

const shop = testShop()
const CONTEXT = { counters: noCounters, address: '203.0.113.5' }

let people = 0
async function signedIn() {
  const email = `ravi-${++people}@example.com`
  const facts = { name: 'Ravi', email, phone: '555 0101', address: '2 Market Lane' }
  const user = await openAccount(shop.db, { ...facts, password: 'first secret', answer: 'Chess' })
  return { user, email, token: await openSession(shop.db, user) }
}

const loginStatus = async (email: string, password: string) =>
  (await shop.post('/auth/login', { body: { email, password } })).status

const mayEnter = async (token: string) => (await shop.get('/auth/user-auth', { token })).status

describe('POST /auth/forgot-password', () => {
  const reset = (email: string, answer = 'Chess', newPassword = 'second secret') =>
    shop.post('/auth/forgot-password', { body: { email, answer, newPassword } })

  it('sets the new password and ends every session', async () => {
    const { user, email, token } = await signedIn()
    const other = await openSession(shop.db, user)
    expect(await reset(email.toUpperCase())).toMatchObject({
      status: 200,
      body: { success: true, message: 'Password reset successfully' },
    })
    expect([await mayEnter(token), await mayEnter(other)]).toEqual([401, 401])
    expect(await loginStatus(email, 'first secret')).toBe(401)
    expect(await loginStatus(email, 'second secret')).toBe(200)
  })

  it('leaves the sessions of others alone', async () => {
    const bystander = await signedIn()
    await reset((await signedIn()).email)
    expect(await mayEnter(bystander.token)).toBe(200)
  })

  it('compares the answer trimmed and without case', async () => {
    expect((await reset((await signedIn()).email, '  cHESS ')).status).toBe(200)
  })

  it('answers a wrong e-mail and a wrong answer alike, and changes nothing', async () => {
    const { email, token } = await signedIn()
    const wrongAnswer = await reset(email, 'Football')
    const wrongEmail = await reset('nobody@example.com')
    expect(wrongAnswer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(wrongEmail.body).toEqual(wrongAnswer.body)
    expect(wrongEmail.bytes).toHaveLength(wrongAnswer.bytes.length)
    expect(await mayEnter(token)).toBe(200)
    expect(await loginStatus(email, 'first secret')).toBe(200)
  })

  it('gives no session to a client that proved the old password just before', async () => {
    const { user, email } = await signedIn()
    await reset(email)
    await expect(openSession(shop.db, user)).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describe('PUT /auth/profile', () => {
  type Changed = { success: true; message: string; updatedUser: User }
  const change = <Body = FailureBody>(token: string | undefined, body: unknown) =>
    shop.put<Body>('/auth/profile', { token, body })

  it('changes what is given, and neither e-mail nor role', async () => {
    const { user, email, token } = await signedIn()
    const facts = { name: ' Ravi Das ', phone: '555 0199', address: '3 Market Lane' }
    const body = { ...facts, email: 'other@example.com', role: 1, _id: 'x' }
    expect(await change<Changed>(token, body)).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Profile Updated Successfully',
        updatedUser: { ...facts, name: 'Ravi Das', _id: user.id, email, role: 0 },
      },
    })
    expect(await loginStatus(email, 'first secret')).toBe(200)
  })

  it('keeps the old value of an empty, blank or missing field', async () => {
    const { email, token } = await signedIn()
    for (const body of [
      {},
      { name: '', password: '', phone: '', address: '' },
      { name: ' ', password: '  ' },
    ]) {
      const { status, body: answer } = await change<Changed>(token, body)
      expect(status).toBe(200)
      expect(answer.updatedUser).toMatchObject({ name: 'Ravi', phone: '555 0101', email })
    }
    expect(await loginStatus(email, 'first secret')).toBe(200)
  })

  it('ends the other sessions when the password is new, and only then', async () => {
    const { user, email, token } = await signedIn()
    const other = await openSession(shop.db, user)
    await change(token, { name: 'Ravi Das' })
    expect(await mayEnter(other)).toBe(200)
    const { bytes } = await change(token, { password: 'second secret' })
    expect(bytes.toString()).not.toMatch(/argon|secret|chess/i)
    expect([await mayEnter(token), await mayEnter(other)]).toEqual([200, 401])
    expect(await loginStatus(email, 'first secret')).toBe(401)
    expect(await loginStatus(email, 'second secret')).toBe(200)
  })

  it('refuses a session that ended while the change was under way, and changes nothing', async () => {
    const { user, email, token } = await signedIn()
    const caller = await findCaller(shop.db, token)
    if (!caller) throw new Error('not signed in')
    await shop.post('/auth/forgot-password', {
      body: { email, answer: 'Chess', newPassword: 'second secret' },
    })
    const change = changeProfile(shop.db, CONTEXT, caller, {
      name: 'Thief',
      password: 'stolen secret',
    })
    await expect(change).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await loginStatus(email, 'stolen secret')).toBe(401)
    const { body } = await shop.post<{ user: User }>('/auth/login', {
      body: { email, password: 'second secret' },
    })
    expect(body.user.name).toBe(user.name)
  })

  it('says every failure once more as error', async () => {
    const { token } = await signedIn()
    const broken = shop.put('/auth/profile', {
      token,
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    const replies = [
      await change(undefined, { name: 'x' }),
      await change('made-up', { name: 'x' }),
      await change(token, { password: '1234567' }),
      await change(token, { name: 7 }),
      await change(token, { name: 'x'.repeat(2 ** 20) }),
      await broken,
    ]
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 400, 400, 413, 400])
    for (const { body } of replies) expect(body.error).toBe(body.message)
    expect(replies[2]?.body.message).toBe('password must have at least 8 characters.')
    const elsewhere = await shop.get('/auth/user-auth')
    expect(elsewhere.body).not.toHaveProperty('error')
  })
})

describe('somebody unknown', () => {
  const time = async (path: string, body: object) => {
    const start = performance.now()
    await shop.post(path, { body })
    return performance.now() - start
  }

  it.each(['/auth/login', '/auth/forgot-password'])('is refused no sooner by %s', async (path) => {
    const { email } = await signedIn()
    const wrong = { password: 'not the secret', answer: 'Football', newPassword: 'second secret' }
    const known: number[] = []
    const unknown: number[] = []
    // alternating, so that a busy machine slows both
    for (let round = 0; round < 5; round++) {
      known.push(await time(path, { ...wrong, email }))
      unknown.push(await time(path, { ...wrong, email: 'nobody@example.com' }))
    }
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 4)
  })
})
