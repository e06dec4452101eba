import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EmailContents, ListedEmail } from '#app/emails/admin-contract.ts'
import { addPerson, PASSWORD, type Person } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'
import { passPauses, runJob, sendEmails } from '#tests/support/smtp.ts'

const folder = await mkdtemp(join(tmpdir(), 'haat-emails-'))
const shop = testShop({ DATA_DIR: folder })

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

/** A customer with an e-mail that has a link. */
async function addRecipient(): Promise<Person> {
  const person = await addPerson(shop.db)
  await shop.post('/auth/email-confirmation', { token: person.token })
  return person
}

const list = (query = '') =>
  shop.get<ListedEmail[]>(`/email/emails${query}`, { token: admin.token })
const first = async ({ email }: Person) => {
  const [row] = (await list(`?q=${email}`)).body
  if (!row) throw new Error('There is no e-mail.')
  return row
}
const open = ({ _id }: { _id: string }) =>
  shop.get<EmailContents>(`/email/email/${_id}`, { token: admin.token })
const retry = ({ _id }: { _id: string }) =>
  shop.post<{ message: string }>(`/email/retry/${_id}`, { token: admin.token })

const fileOf = ({ _id }: { _id: string }) => join(folder, 'emails', `${_id}.eml`)

const DAY = 24 * 60 * 60 * 1000

describe('GET /email/emails', () => {
  it('lists the newest first, fifty a page, by state and by recipient', async () => {
    const people = []
    for (let n = 0; n < 51; n++) people.push(await addRecipient())
    const page = await list()
    expect(page.headers['x-total-count']).toBe('51')
    expect(page.body).toHaveLength(50)
    expect(page.body[0]).toMatchObject({
      recipient: people.at(-1)?.email,
      state: 'queued',
      subject: 'Confirm your e-mail address for Haat',
    })
    expect((await list('?page=2')).body).toHaveLength(1)
    expect((await list('?state=sent')).body).toEqual([])
    expect((await list('?state=lost')).status).toBe(400)
    expect((await list(`?q=${people[3]?.email.toUpperCase()}`)).body).toHaveLength(1)
    expect((await list('?q=%25')).body).toEqual([])
  })
})

describe('without an SMTP server', () => {
  it('writes each e-mail to a file that only the owner can read, with its link', async () => {
    const person = await addRecipient()
    await sendEmails(shop)
    const email = await first(person)
    expect(email.state).toBe('kept')
    const { mode } = await stat(fileOf(email))
    expect(mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'emails'))).mode & 0o777).toBe(0o700)
    const text = (await readFile(fileOf(email), 'utf8')).replace(/=\r\n/g, '')
    expect(text).toContain(`To: ${person.email}`)
    expect(text).toMatch(/http:\/\/127\.0\.0\.1:3000\/confirm-email#[\w-]+/)
  })

  it('deletes the e-mails of a closed account, and their files', async () => {
    const person = await addRecipient()
    await sendEmails(shop)
    const email = await first(person)
    await shop.post('/auth/close-account', { token: person.token, body: { password: PASSWORD } })
    expect((await open(email)).status).toBe(404)
    expect(await readdir(join(folder, 'emails'))).toContain(`${email._id}.eml`)
    await runJob(shop, 'deleting files of e-mails')
    expect(await readdir(join(folder, 'emails'))).not.toContain(`${email._id}.eml`)
  })

  it('deletes e-mails after 90 days, but not queued ones', async () => {
    const [old, recent] = [await addRecipient(), await addRecipient()]
    await sendEmails(shop)
    const queued = await addRecipient()
    const days = (count: number) => new Date(Date.now() - count * DAY)
    for (const { id } of [old, queued])
      await shop.db
        .updateTable('events')
        .set({ created_at: days(91) })
        .where('subject_id', '=', id)
        .execute()
    await runJob(shop, 'deleting old events')
    expect((await list(`?q=${old.email}`)).body).toEqual([])
    expect((await first(recent)).state).toBe('kept')
    expect((await first(queued)).state).toBe('queued')
  })
})

describe('GET /email/email/:id', () => {
  it('shows an e-mail without the secret of its link', async () => {
    const person = await addRecipient()
    await sendEmails(shop)
    const before = await shop.db.selectFrom('account_tokens').selectAll().execute()
    const { body } = await open(await first(person))
    expect(body.hidesLink).toBe(true)
    expect(body.text).toContain('http://127.0.0.1:3000/confirm-email#hidden')
    expect(body.html).toContain('http://127.0.0.1:3000/confirm-email#hidden')
    // and makes no other
    expect(await shop.db.selectFrom('account_tokens').selectAll().execute()).toEqual(before)
  })

  it.each([
    [
      'connect ECONNREFUSED 127.0.0.1:2599',
      'The SMTP server cannot be reached: nothing answers at this port. Check the port: 465 or 587 at most providers.',
    ],
    ['550 No such mailbox', '550 No such mailbox'],
  ])('tells an error of the connection in plain words: %s', async (stored, lastError) => {
    const person = await addRecipient()
    await shop.db
      .updateTable('emails')
      .set({ last_error: stored })
      .where('user_id', '=', person.id)
      .execute()
    expect((await first(person)).lastError).toBe(lastError)
  })

  it('answers 404 for an unknown one', async () => {
    expect((await open({ _id: '0197f9a0-0000-7000-8000-000000000000' })).status).toBe(404)
  })
})

describe('POST /email/send-parked and DELETE /email/drop-parked', () => {
  /** Two customers whose e-mails are parked, and one whose e-mail is queued. */
  async function park() {
    const people = [await addRecipient(), await addRecipient()]
    const other = await addRecipient()
    for (const { id } of people)
      await shop.db
        .updateTable('emails')
        .set({ state: 'parked', next_attempt_at: null })
        .where('user_id', '=', id)
        .execute()
    return { people, other }
  }

  it('sends all parked e-mails, and says how many', async () => {
    const { people } = await park()
    const { status, body } = await shop.post<{ message: string }>('/email/send-parked', {
      token: admin.token,
    })
    expect(status).toBe(200)
    expect(body.message).toBe('Parked e-mails that will be sent: 2')
    expect((await list('?state=parked')).body).toEqual([])
    await sendEmails(shop)
    for (const person of people) expect((await first(person)).state).toBe('kept')
  })

  it('deletes the parked e-mails and no others, and says how many', async () => {
    const { people, other } = await park()
    const { status, body } = await shop.delete<{ message: string }>('/email/drop-parked', {
      token: admin.token,
    })
    expect(status).toBe(200)
    expect(body.message).toBe('Parked e-mails that were deleted: 2')
    for (const { email } of people) expect((await list(`?q=${email}`)).body).toEqual([])
    expect((await first(other)).state).toBe('queued')
  })
})

describe('POST /email/retry/:id', () => {
  it('queues an e-mail again that was not delivered', async () => {
    const person = await addRecipient()
    for (const state of ['bounced', 'failed', 'kept'] as const) {
      const email = await first(person)
      await shop.db
        .updateTable('emails')
        .set({ state, next_attempt_at: null, last_error: 'No such mailbox', attempts: 9 })
        .where('id', '=', email._id)
        .execute()
      expect((await retry(email)).body.message).toBe('The e-mail will be sent again')
      expect(await first(person)).toMatchObject({ state: 'queued', attempts: 0, lastError: null })
    }
    await passPauses(shop)
    await sendEmails(shop)
    expect((await first(person)).state).toBe('kept')
  })

  it('tries it for three days, also when it is queued again a second time', async () => {
    const person = await addRecipient()
    for (const days of [10, 20]) {
      const { _id: id } = await first(person)
      await shop.db
        .updateTable('emails')
        .set({
          state: 'failed',
          next_attempt_at: null,
          created_at: new Date(Date.now() - days * DAY),
        })
        .where('id', '=', id)
        .execute()
      await retry({ _id: id })
      const { expires_at } = await shop.db
        .selectFrom('emails')
        .where('id', '=', id)
        .select('expires_at')
        .executeTakeFirstOrThrow()
      expect(Math.round((expires_at.getTime() - Date.now()) / DAY)).toBe(3)
    }
  })

  it('refuses one that is queued or sent', async () => {
    const person = await addRecipient()
    expect(await retry(await first(person))).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await retry({ _id: '0197f9a0-0000-7000-8000-000000000000' })).status).toBe(404)
  })
})
