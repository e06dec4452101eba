import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { queueEmailsTo } from '#tests/support/emails.ts'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { holdFirstMessage, runJob } from '#tests/support/smtp.ts'

const { smtp, shop } = await openMailShop()
afterEach(async () => {
  smtp.behaviour = {}
  await shop.db.deleteFrom('emails').execute()
})

/** Queues so many e-mails to a customer. */
const queueEmails = async (count: number) => queueEmailsTo(await addPerson(shop.db), count, shop.db)

/** Milliseconds until another job may take the e-mail. */
async function nextAt() {
  const query = shop.db.selectFrom('emails').select('next_attempt_at')
  const row = await query.executeTakeFirstOrThrow()
  return (row.next_attempt_at?.getTime() ?? 0) - Date.now()
}

const endLeasesSoon = () =>
  shop.db
    .updateTable('emails')
    .set({ next_attempt_at: new Date(Date.now() + 1000) })
    .execute()

it('is taken again two minutes after its job has died, and not while a job is sending it', async () => {
  const person = await addPerson(shop.db)
  await shop.post('/auth/email-confirmation', { token: person.token })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { reached, release } = holdFirstMessage(smtp)
  const running = runJob(shop, 'sending e-mails')
  await reached
  expect((await nextAt()) + Date.now()).toBeLessThanOrEqual(Date.now() + 120_000)
  await endLeasesSoon()
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.poll(nextAt).toBeGreaterThan(60_000)
  vi.useRealTimers()
  release()
  await running
  const emails = await shop.db.selectFrom('emails').selectAll().execute()
  expect(emails).toMatchObject([{ state: 'sent', attempts: 1 }])
})

it('is returned untried when the shop closes while it is taken', async () => {
  await queueEmails(41)
  const closing = new AbortController()
  let count = 0
  const lastOfBatch = Promise.withResolvers<void>()
  smtp.behaviour = {
    // four connections: the last four of a batch of forty wait for each other
    received() {
      count += 1
      if (count === 40) {
        closing.abort()
        lastOfBatch.resolve()
      }
      if (count > 36) return lastOfBatch.promise
    },
  }
  await runJob(shop, 'sending e-mails', closing.signal)
  const left = await shop.db
    .selectFrom('emails')
    .where('state', '=', 'queued')
    .selectAll()
    .execute()
  expect(left).toMatchObject([{ attempts: 0 }])
  expect(left[0]?.next_attempt_at?.getTime()).toBeLessThanOrEqual(Date.now())
})

it('is not sent from a batch once it is deleted, as with a closed account', async () => {
  await queueEmails(6)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const released = Promise.withResolvers<void>()
  let reached = 0
  smtp.received.length = 0
  smtp.behaviour = {
    received() {
      reached += 1
      return released.promise
    },
  }
  const running = runJob(shop, 'sending e-mails')
  await expect.poll(() => reached).toBe(4)
  const untried = shop.db.selectFrom('emails').select('id').orderBy('id', 'desc').limit(2)
  await shop.db.deleteFrom('emails').where('id', 'in', untried).execute()
  await endLeasesSoon()
  await vi.advanceTimersByTimeAsync(30_000)
  await expect.poll(nextAt).toBeGreaterThan(60_000)
  vi.useRealTimers()
  released.resolve()
  await running
  expect(smtp.received).toHaveLength(4)
})

it('does not stay queued when its end could not be stored at first', async () => {
  await queueEmails(2)
  await sql`create sequence stored_outcomes`.execute(shop.db)
  await sql`
    create function refuse_first_outcome() returns trigger language plpgsql as $$
    begin
      if nextval('stored_outcomes') = 1 then raise exception 'the disk is full'; end if;
      return new;
    end
    $$`.execute(shop.db)
  await sql`
    create trigger refuse_first_outcome before update on emails
    for each row when (new.state = 'sent') execute function refuse_first_outcome()`.execute(shop.db)
  const { reached, release } = holdFirstMessage(smtp)
  const running = expect(runJob(shop, 'sending e-mails')).rejects.toThrow('the disk is full')
  await reached
  await expect
    .poll(async () => {
      const { rows } = await sql<{ isRefused: boolean }>`
        select is_called as "isRefused" from stored_outcomes`.execute(shop.db)
      return rows[0]?.isRefused
    })
    .toBe(true)
  release()
  await running
  await sql`drop trigger refuse_first_outcome on emails`.execute(shop.db)
  const states = await shop.db.selectFrom('emails').select('state').execute()
  expect(states).toEqual([{ state: 'sent' }, { state: 'sent' }])
})
