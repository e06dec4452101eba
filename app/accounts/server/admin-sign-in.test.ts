import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { addPerson, PASSWORD, type Person } from '#tests/support/accounts.ts'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { sendEmails } from '#tests/support/smtp.ts'

const { smtp, shop } = await openMailShop()

/** The e-mails that a person has got, the oldest first. */
async function inboxOf({ email }: Person) {
  await sendEmails(shop)
  const found = smtp.received.filter(({ to }) => to === email)
  return found.sort((a, b) =>
    String(a.headers['message-id']).localeCompare(String(b.headers['message-id'])),
  )
}

describe('a sign-in of an admin', () => {
  const signIn = (email: string, from: string, browser: string) =>
    shop.post('/auth/login', {
      from,
      headers: { 'user-agent': browser },
      body: { email, password: PASSWORD },
    })

  it('is told from a new network and in a new browser, and not again', async () => {
    const person = await addPerson(shop.db, { admin: true })
    await signIn(person.email, '203.0.113.7', 'Firefox/131.0')
    await signIn(person.email, '203.0.113.7', 'Firefox/132.0')
    await signIn(person.email, '203.0.113.7', 'Chrome/131.0 <script>')
    await signIn(person.email, '203.0.113.9', 'Firefox/132.0')
    const messages = await inboxOf(person)
    expect(
      messages.map(({ text }) => /IP address: (.*)\nBrowser: (.*)/.exec(text)?.slice(1)),
    ).toEqual([
      ['203.0.113.7', 'Firefox/131.0'],
      ['203.0.113.7', 'Chrome/131.0 <script>'],
      ['203.0.113.9', 'Firefox/132.0'],
    ])
    expect(messages[1]?.html).not.toContain('<script>')
  })

  it('is not told of a browser that is used again within thirty days', async () => {
    const person = await addPerson(shop.db, { admin: true })
    const passDays = () =>
      shop.db
        .updateTable('known_places')
        .set({ seen_at: sql<Date>`seen_at - interval '20 days'` })
        .where('user_id', '=', person.id)
        .execute()
    for (let n = 0; n < 3; n++) {
      await signIn(person.email, '203.0.113.7', 'Firefox/131.0')
      await passDays()
    }
    expect(await inboxOf(person)).toHaveLength(1)
    await passDays()
    // also of an admin who does not come back
    const other = await addPerson(shop.db, { admin: true })
    await signIn(other.email, '203.0.113.7', 'Firefox/131.0')
    const rows = await shop.db.selectFrom('known_places').select('user_id').execute()
    expect(rows.filter(({ user_id }) => user_id === person.id)).toEqual([])
  })

  it('is not told of a customer', async () => {
    const person = await addPerson(shop.db)
    await signIn(person.email, '203.0.113.7', 'Firefox/131.0')
    expect(await inboxOf(person)).toEqual([])
  })
})
