import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { queueEmailsTo } from '#tests/support/emails.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { plain } from '#tests/support/pictures.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { holdFirstMessage, passPauses, runJob, sendEmails } from '#tests/support/smtp.ts'

const { smtp, shop } = await openMailShop()
const { start, verify } = purchases(shop)

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})
afterEach(async () => {
  smtp.behaviour = {}
  await shop.db.deleteFrom('emails').execute()
  smtp.received.length = 0
})

/** A customer to whom an e-mail is queued. */
async function addRecipient(): Promise<Person> {
  const person = await addPerson(shop.db)
  const reply = await shop.post('/auth/email-confirmation', { token: person.token })
  expect(reply.status).toBe(200)
  return person
}

const listed = async () =>
  (await shop.get<Record<string, unknown>[]>('/email/emails', { token: admin.token })).body

describe('sending e-mails', () => {
  it('sends a queued e-mail once, as text and HTML, with the sender of the settings', async () => {
    const { email } = await addRecipient()
    await sendEmails(shop)
    await sendEmails(shop)
    expect(smtp.received).toHaveLength(1)
    const [message] = smtp.received
    expect(message).toMatchObject({
      to: email,
      subject: 'Confirm your e-mail address for Haat',
      headers: { from: 'Haat <shop@example.com>', 'auto-submitted': 'auto-generated' },
    })
    expect(message?.text).toContain('https://shop.example.com/confirm-email#')
    expect(message?.html).toContain('https://shop.example.com/confirm-email#')
    expect(await listed()).toMatchObject([{ state: 'sent', attempts: 1, recipient: email }])
  })

  it('names the shop as its settings do when it is sent', async () => {
    const { save } = settingsThrough(shop, () => admin)
    await addRecipient()
    expect((await save({ name: 'Souk' })).status).toBe(200)
    await sendEmails(shop)
    const subject = 'Confirm your e-mail address for Souk'
    expect(smtp.received).toMatchObject([{ subject, html: expect.stringContaining('>Souk</a>') }])
    expect((await save({ name: 'Haat' })).status).toBe(200)
  })

  it('has the accent colour and the logo of the settings, as a part of the message', async () => {
    const { save } = settingsThrough(shop, () => admin)
    const logo = await plain(800, 200, '#123456').png().toBuffer()
    const uploaded = await shop.post<{ picture: { id: string } }>('/settings/picture', {
      token: admin.token,
      body: formOf({ photo: fileOf(logo) }),
    })
    await save({ accent: '#0b5d8a', logo: uploaded.body.picture.id })
    await addRecipient()
    await sendEmails(shop)
    const [message] = smtp.received
    expect(message?.html).toContain('background:#0b5d8a')
    expect(message?.html).not.toContain('#b4441f')
    expect(message?.html).toContain('<img src="cid:logo@shop" alt="Haat" width="160" height="40"')
    // a light plate behind it in a dark client
    expect(message?.html).toMatch(/prefers-color-scheme:dark[^@]*\.logo\{[^}]*background:#ffffff/)
    expect(message?.attached).toMatchObject([
      { 'content-type': 'image/png; name=logo.png', 'content-id': '<logo@shop>' },
    ])
    const [{ _id = '' } = {}] = (await listed()) as { _id: string }[]
    const shown = await shop.get<{ html: string }>(`/email/email/${_id}`, { token: admin.token })
    expect(shown.body.html).toContain('<img src="data:image/png;base64,')
    await save({ accent: '#b4441f', logo: null })
    await addRecipient()
    await sendEmails(shop)
    expect(smtp.received[1]).toMatchObject({
      attached: [],
      html: expect.stringContaining('#b4441f'),
    })
  })

  it('sends each of many e-mails once, when two processes run the job at the same time', async () => {
    const people = []
    for (let n = 0; n < 8; n++) people.push(await addRecipient())
    await Promise.all([runJob(shop, 'sending e-mails'), runJob(shop, 'sending e-mails')])
    expect(smtp.received.map(({ to }) => to).sort()).toEqual(
      people.map(({ email }) => email).sort(),
    )
  })

  it('sends more than a batch of e-mails in one run, over few connections', async () => {
    await queueEmailsTo(await addPerson(shop.db), 90, shop.db)
    const rows = await shop.db.selectFrom('emails').select('id').execute()
    expect(rows).toHaveLength(90)
    const before = smtp.connections
    await runJob(shop, 'sending e-mails')
    const ids = smtp.received.map(({ headers }) => headers['message-id'])
    expect(ids.sort()).toEqual(rows.map(({ id }) => `<${id}@example.com>`).sort())
    expect(smtp.connections - before).toBeLessThanOrEqual(4)
  })

  it('tries again later after a temporary refusal, with the same Message-ID', async () => {
    await addRecipient()
    const ids: unknown[] = []
    smtp.behaviour = { message: () => ({ code: 451, text: 'Try again later' }) }
    await sendEmails(shop)
    expect(await listed()).toMatchObject([
      { state: 'queued', attempts: 1, lastError: expect.stringContaining('451') },
    ])
    // not before its pause is over
    smtp.behaviour = {}
    await sendEmails(shop)
    expect(smtp.received).toEqual([])
    await passPauses(shop)
    await sendEmails(shop)
    ids.push(smtp.received[0]?.headers['message-id'])
    const [row] = await listed()
    expect(row).toMatchObject({ state: 'sent', attempts: 2, lastError: null })
    expect(ids).toEqual([`<${row?._id}@example.com>`])
  })

  it('waits twice as long after each failure, and at most six hours', async () => {
    await addRecipient()
    smtp.behaviour = { message: () => ({ code: 450, text: 'Not now' }) }
    const pauses: number[] = []
    for (let n = 0; n < 10; n++) {
      await passPauses(shop)
      await sendEmails(shop)
      const [row] = await listed()
      pauses.push(Math.round((Date.parse(String(row?.nextAt)) - Date.now()) / 60_000))
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360])
  })

  it('shows a refused recipient as bounced, and sends the e-mails of others', async () => {
    const gone = await addRecipient()
    const there = await addRecipient()
    smtp.behaviour = {
      recipient: (address) =>
        address === gone.email ? { code: 550, text: 'No such mailbox' } : undefined,
    }
    await sendEmails(shop)
    expect(smtp.received.map(({ to }) => to)).toEqual([there.email])
    expect(await listed()).toMatchObject([
      { state: 'sent', recipient: there.email },
      {
        state: 'bounced',
        recipient: gone.email,
        lastError: expect.stringContaining('No such mailbox'),
      },
    ])
    await passPauses(shop)
    await sendEmails(shop)
    expect(smtp.received).toHaveLength(1)
  })

  it('sends it again when the server dies while it receives the message', async () => {
    await addRecipient()
    smtp.behaviour = { dies: true }
    await sendEmails(shop)
    expect(await listed()).toMatchObject([{ state: 'queued', attempts: 1 }])
    smtp.behaviour = {}
    await passPauses(shop)
    await sendEmails(shop)
    expect(smtp.received).toHaveLength(1)
  })

  it('has the same Message-ID when a process died between acceptance and commit', async () => {
    await addRecipient()
    await sendEmails(shop)
    // what such a process leaves
    await shop.db
      .updateTable('emails')
      .set({ state: 'queued', next_attempt_at: new Date(0) })
      .execute()
    await sendEmails(shop)
    const ids = smtp.received.map(({ headers }) => headers['message-id'])
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
  })

  it('fails an e-mail that no server accepted in time', async () => {
    await addRecipient()
    await shop.db
      .updateTable('emails')
      .set({ expires_at: new Date(0) })
      .execute()
    await sendEmails(shop)
    expect(smtp.received).toEqual([])
    const [row] = await listed()
    expect(row).toMatchObject({ state: 'failed', lastError: 'It could not be sent in time.' })
  })

  it('delays no purchase while the server does not answer, and is aborted when the shop closes', async () => {
    const { email } = await addRecipient()
    const { reached, release } = holdFirstMessage(smtp)
    const closing = new AbortController()
    const running = runJob(shop, 'sending e-mails', closing.signal)
    await reached
    const buyer = await addPerson(shop.db)
    const product = await addProduct(shop.db, { category: await addCategory(shop.db, 'Kitchen') })
    const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    closing.abort()
    await running
    release()
    const emails = await listed()
    expect(emails).toHaveLength(3)
    // two of the same moment
    expect(
      emails
        .slice(0, 2)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['new_order', 'order_confirmation'])
    expect(emails).toMatchObject([
      { state: 'queued', attempts: 0 },
      { state: 'queued', attempts: 0 },
      { recipient: email, state: 'queued', attempts: 1 },
    ])
  })

  it('ignores the end of an attempt whose lease has ended', async () => {
    await addRecipient()
    const { reached, release } = holdFirstMessage(smtp)
    let answers = 0
    // the second attempt is answered first
    smtp.behaviour.message = () => {
      answers += 1
      return answers === 1
        ? { code: 451, text: 'Try again later' }
        : { code: 550, text: 'Late refusal' }
    }
    const first = runJob(shop, 'sending e-mails')
    await reached
    await passPauses(shop)
    await runJob(shop, 'sending e-mails')
    release()
    await first
    expect(await listed()).toMatchObject([
      { state: 'queued', attempts: 2, lastError: expect.stringContaining('451') },
    ])
  })
})

describe('a server that closes each connection', () => {
  it('is not tried with every e-mail in each run', async () => {
    for (let n = 0; n < 6; n++) await addRecipient()
    smtp.behaviour = { dies: true }
    await runJob(shop, 'sending e-mails')
    const tried = (await listed()).filter(({ attempts }) => attempts === 1)
    expect(tried).toHaveLength(4)
    expect((await listed()).filter(({ attempts }) => attempts === 0)).toHaveLength(2)
  })
})
