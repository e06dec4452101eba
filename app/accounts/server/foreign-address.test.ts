/** An account that a stranger registered with the e-mail address of somebody else, its owner. */

import { beforeEach, describe, expect, it } from 'vitest'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { sendEmails } from '#tests/support/smtp.ts'

const { smtp, shop } = await openMailShop()

/** The networks of the two. */
const STRANGER = '203.0.113.66'
const OWNER = '198.51.100.7'

const REGISTERED = { password: 'registered horse', answer: 'Chess' }

let email: string
beforeEach(async () => {
  email = `${crypto.randomUUID()}@example.com`
  smtp.received.length = 0
  const facts = { name: 'Asha', phone: '5', address: '1 Lane' }
  const body = { ...facts, ...REGISTERED, email }
  expect((await shop.post('/auth/register', { body, from: STRANGER })).status).toBe(201)
})

/** The token of the last link in the e-mails to the address. */
async function mailedToken(path: string): Promise<string> {
  await sendEmails(shop)
  const link = new RegExp(`${path}#([\\w-]{43})`)
  const mails = smtp.received.filter(({ to, text }) => to === email && link.test(text))
  return link.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
}

const logIn = async (password: string, from = STRANGER) => {
  const { status, body } = await shop.post<{ token: string }>('/auth/login', {
    body: { email, password },
    from,
  })
  return { status, token: body.token }
}

const mayEnter = async (token: string) => (await shop.get('/auth/user-auth', { token })).status

/** The stranger's way back in: the status is 200 when the answer opens the account. */
const resetByAnswer = async (answer = REGISTERED.answer, from = STRANGER) =>
  (
    await shop.post('/auth/forgot-password', {
      body: { email, answer, newPassword: 'stolen horse' },
      from,
    })
  ).status

async function confirm(token?: string) {
  const body = { token: await mailedToken('confirm-email') }
  return shop.post<{ message: string }>('/auth/confirm-email', {
    body,
    from: OWNER,
    ...(token !== undefined && { token }),
  })
}

async function resetByLink(newPassword = 'owner horse') {
  await shop.post('/auth/reset-link', { body: { email }, from: OWNER })
  const body = { token: await mailedToken('reset-password'), newPassword }
  expect((await shop.post('/auth/reset-password', { body, from: OWNER })).status).toBe(200)
}

/** The statuses of every way in that the stranger has had. */
async function strangerIn(sessions: string[], ...passwords: string[]): Promise<number[]> {
  const statuses = [await resetByAnswer(), ...(await Promise.all(sessions.map(mayEnter)))]
  for (const password of passwords) statuses.push((await logIn(password)).status)
  return statuses
}

const profile = (token: string, body: object) => shop.put('/auth/profile', { token, body })

describe('after a reset by link, nothing that the stranger set opens the account', () => {
  it('of an address that was not confirmed', async () => {
    const { token } = await logIn(REGISTERED.password)
    await resetByLink()
    expect(await strangerIn([token], REGISTERED.password)).toEqual([404, 401, 401])
    expect((await logIn('owner horse', OWNER)).status).toBe(200)
  })

  it('of an address that its owner confirmed by the e-mail of the welcome', async () => {
    const { token } = await logIn(REGISTERED.password)
    expect((await confirm()).status).toBe(200)
    await resetByLink()
    expect(await strangerIn([token], REGISTERED.password)).toEqual([404, 401, 401])
    await resetByLink('another horse')
    expect(await strangerIn([], REGISTERED.password)).toEqual([404, 401])
  })

  it('of an answer that the stranger set after the confirmation', async () => {
    await confirm()
    const { token } = await logIn(REGISTERED.password)
    const secrets = { answer: 'Golf', currentPassword: REGISTERED.password }
    expect((await profile(token, secrets)).status).toBe(200)
    await resetByLink()
    expect(await resetByAnswer('Golf')).toBe(404)
    expect(await strangerIn([token], REGISTERED.password)).toEqual([404, 401, 401])
  })

  it('of an address that was confirmed while its answer stayed', async () => {
    await shop.db
      .updateTable('users')
      .set({ email_confirmed_at: new Date() })
      .where('email_key', '=', email)
      .execute()
    await resetByLink()
    expect(await strangerIn([], REGISTERED.password)).toEqual([404, 401])
  })

  it('also after a new password in the profile, and from a network that the account knew', async () => {
    await logIn(REGISTERED.password)
    await confirm()
    await resetByLink()
    const { token } = await logIn('owner horse', OWNER)
    expect((await profile(token, { password: 'newest horse' })).status).toBe(200)
    expect(await strangerIn([], REGISTERED.password, 'owner horse')).toEqual([404, 401, 401])
    const known = await shop.db
      .selectFrom('known_places')
      .innerJoin('users', 'users.id', 'user_id')
      .where('email_key', '=', email)
      .select('place')
      .execute()
    expect(known).toHaveLength(1)
  })

  it('while the stranger sets an answer at the same time', async () => {
    const { token } = await logIn(REGISTERED.password)
    const secrets = { answer: 'Golf', currentPassword: REGISTERED.password }
    await Promise.all([profile(token, secrets), resetByLink()])
    expect(await resetByAnswer('Golf')).toBe(404)
    expect(await mayEnter(token)).toBe(401)
  })
})

describe('confirming the address without a session of the account', () => {
  it('ends the answer and the sessions, and says so; the password stays', async () => {
    const { token } = await logIn(REGISTERED.password)
    const { body } = await confirm()
    expect(body.message).toContain('set a new answer in your profile')
    expect(await mayEnter(token)).toBe(401)
    expect(await resetByAnswer()).toBe(404)
    const again = await logIn(REGISTERED.password, OWNER)
    const secrets = { answer: 'Tennis', currentPassword: REGISTERED.password }
    expect((await profile(again.token, secrets)).status).toBe(200)
    expect(await resetByAnswer('Tennis', OWNER)).toBe(200)
  })

  it('is no different with the session of another account', async () => {
    const own = email
    const { token: ownToken } = await logIn(REGISTERED.password)
    email = `${crypto.randomUUID()}@example.com`
    const facts = { name: 'Devi', phone: '5', address: '1 Lane', ...REGISTERED, email }
    await shop.post('/auth/register', { body: facts })
    const { token } = await logIn(REGISTERED.password)
    email = own
    expect((await confirm(token)).status).toBe(200)
    expect(await resetByAnswer()).toBe(404)
    expect([await mayEnter(token), await mayEnter(ownToken)]).toEqual([200, 401])
  })

  it('leaves an answer that was set after the first confirmation', async () => {
    const { token } = await logIn(REGISTERED.password)
    await confirm(token)
    await shop.db
      .updateTable('users')
      .set({ email_confirmed_at: null })
      .where('email_key', '=', email)
      .execute()
    await shop.post('/auth/email-confirmation', { token })
    const second = await mailedToken('confirm-email')
    await shop.db
      .updateTable('users')
      .set({ email_confirmed_at: new Date() })
      .where('email_key', '=', email)
      .execute()
    const { status } = await shop.post('/auth/confirm-email', { body: { token: second } })
    expect(status).toBe(200)
    expect(await resetByAnswer()).toBe(200)
  })
})

describe('confirming the address with a session of the account', () => {
  it('leaves the answer and the sessions', async () => {
    const { token } = await logIn(REGISTERED.password)
    expect((await confirm(token)).body.message).toBe('Your e-mail address is confirmed.')
    expect(await mayEnter(token)).toBe(200)
    expect(await resetByAnswer()).toBe(200)
  })
})
