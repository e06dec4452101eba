import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson, PASSWORD, type Person } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { shopOn } from '#tests/support/shop.ts'
import { mailSettings, runJob, sendEmails } from '#tests/support/smtp.ts'

const { smtp, shop } = await openMailShop()

let person: Person
beforeEach(async () => {
  person = await addPerson(shop.db)
  smtp.received.length = 0
})

const request = (email: string) =>
  shop.post<{ message: string }>('/auth/reset-link', { body: { email } })
const reset = (token: unknown, newPassword = 'another-horse') =>
  shop.post<{ message: string }>('/auth/reset-password', { body: { token, newPassword } })
const logIn = (password: string, { email } = person) =>
  shop.post('/auth/login', { body: { email, password } })

const mailsOf = ({ email } = person) => smtp.received.filter(({ to }) => to === email)

/** The token of the last link that a person has got. */
async function tokenOf(one = person): Promise<string> {
  await request(one.email)
  await sendEmails(shop)
  const text = mailsOf(one).at(-1)?.text ?? ''
  const [, token = ''] = /https:\/\/shop\.example\.com\/reset-password#([\w-]{43})/.exec(text) ?? []
  return token
}

const expireTokens = () =>
  shop.db
    .updateTable('account_tokens')
    .set({ expires_at: new Date(0) })
    .execute()

describe('POST /auth/reset-link', () => {
  it('answers the same with and without an account, and does the same', async () => {
    const statements = async (email: string) => {
      const before = await shop.db.selectFrom('reset_requests').selectAll().execute()
      const { status, body } = await request(email)
      const after = await shop.db.selectFrom('reset_requests').selectAll().execute()
      return { status, body, added: after.length - before.length }
    }
    const known = await statements(person.email)
    expect(known).toMatchObject({ status: 200, added: 1 })
    expect(await statements('nobody@example.com')).toEqual(known)
    await sendEmails(shop)
    expect(smtp.received.map(({ to }) => to)).toEqual([person.email])
    expect(await shop.db.selectFrom('reset_requests').selectAll().execute()).toEqual([])
  })

  it('finds the account by its e-mail without case', async () => {
    await request(` ${person.email.toUpperCase()} `)
    await sendEmails(shop)
    expect(mailsOf()).toHaveLength(1)
  })

  it('sends an account three links in an hour at most, from all requests together', async () => {
    for (let n = 0; n < 5; n++)
      await shop.post('/auth/reset-link', { body: { email: person.email }, from: `203.0.113.${n}` })
    await sendEmails(shop)
    expect(mailsOf()).toHaveLength(3)
  })

  it('is limited by address and account, for an account and for none alike', async () => {
    const limited = await shopOn(shop.db, { ...mailSettings(smtp), RATE_LIMIT: 'on' })
    for (const email of [person.email, 'nobody@example.com']) {
      const statuses = []
      for (let n = 0; n < 6; n++)
        statuses.push((await limited.post('/auth/reset-link', { body: { email } })).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    }
    await limited.app.close()
  })

  it('sends no more than these when two processes answer the requests at the same time', async () => {
    for (let n = 0; n < 8; n++) await request(person.email)
    const answer = () => runJob(shop, 'answering requests for reset links')
    await Promise.all([answer(), answer(), answer(), answer()])
    await sendEmails(shop)
    expect(mailsOf()).toHaveLength(3)
  })

  it('is not answered after an hour, such as in a restored backup', async () => {
    await request(person.email)
    await shop.db
      .updateTable('reset_requests')
      .set({ created_at: new Date(Date.now() - 61 * 60 * 1000) })
      .execute()
    await sendEmails(shop)
    expect(mailsOf()).toEqual([])
    expect(await shop.db.selectFrom('reset_requests').selectAll().execute()).toEqual([])
  })

  it('sends an admin no link', async () => {
    const admin = await addPerson(shop.db, { admin: true })
    expect(await tokenOf(admin)).toBe('')
    expect(mailsOf(admin)[0]?.text).toContain('A link cannot reset the password of an admin.')
  })

  it('says that a shop without an SMTP server sends no e-mails', async () => {
    const silent = await shopOn(shop.db)
    const reply = await silent.post('/auth/reset-link', { body: { email: person.email } })
    expect(reply).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await silent.app.close()
  })

  it('does not send a link that was asked for more than an hour ago', async () => {
    await request(person.email)
    await runJob(shop, 'answering requests for reset links')
    const { expires_at, created_at } = await shop.db
      .selectFrom('emails')
      .where('user_id', '=', person.id)
      .select(['expires_at', 'created_at'])
      .executeTakeFirstOrThrow()
    expect(expires_at.getTime() - created_at.getTime()).toBe(60 * 60 * 1000)
  })
})

describe('POST /auth/reset-password', () => {
  it('sets the password once, and ends every session', async () => {
    const token = await tokenOf()
    const entries = await entriesOf(shop.db, async () => {
      expect(await reset(token)).toMatchObject({
        status: 200,
        body: { message: 'Password reset successfully' },
      })
    })
    expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['update', person.id],
      ['password_reset_by_link', person.id],
    ])
    expect((await shop.get('/auth/user-auth', { token: person.token })).status).toBe(401)
    expect((await logIn(PASSWORD)).status).toBe(401)
    expect((await logIn('another-horse')).status).toBe(200)
    expect(await reset(token, 'stolen-horse')).toMatchObject({
      status: 400,
      body: { code: 'invalid' },
    })
    expect((await logIn('another-horse')).status).toBe(200)
    await sendEmails(shop)
    expect(mailsOf().at(-1)?.subject).toBe('Your password at Haat was changed')
  })

  it('lets one of two requests with the same token win', async () => {
    const token = await tokenOf()
    const replies = await Promise.all([reset(token), reset(token, 'stolen-horse')])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('refuses a token that is expired, unknown, or for another purpose', async () => {
    const token = await tokenOf()
    expect((await shop.post('/auth/confirm-email', { body: { token } })).status).toBe(400)
    await expireTokens()
    for (const wrong of [token, 'x', `${token}x`]) expect((await reset(wrong)).status).toBe(400)
    expect((await logIn(PASSWORD)).status).toBe(200)
  })

  it('refuses it after another new password, a promotion, and the closing of the account', async () => {
    const [first, second, third] = [
      await tokenOf(),
      await addPerson(shop.db),
      await addPerson(shop.db),
    ]
    await shop.put('/auth/profile', { token: person.token, body: { password: 'another-horse' } })
    expect((await reset(first)).status).toBe(400)

    const admin = await addPerson(shop.db, { admin: true })
    const promoted = await tokenOf(second)
    await shop.put(`/auth/user-role/${second.id}`, { token: admin.token, body: { role: 1 } })
    expect((await reset(promoted)).status).toBe(400)

    const closed = await tokenOf(third)
    await shop.post('/auth/close-account', { token: third.token, body: { password: PASSWORD } })
    expect((await reset(closed)).status).toBe(400)
  })

  it('stores no token: only its hash is in the database', async () => {
    const token = await tokenOf()
    const rows = await shop.db.selectFrom('emails').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(token).toHaveLength(43)
  })

  it('confirms the address, because its user reads its e-mails', async () => {
    await reset(await tokenOf())
    const { token } = (
      await shop.post<{ token: string }>('/auth/login', {
        body: { email: person.email, password: 'another-horse' },
      })
    ).body
    expect((await shop.get('/auth/email-status', { token })).body).toMatchObject({
      confirmed: true,
    })
  })
})
