import { afterAll, expect, it, vi } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'
import { mailSettings, openSmtp, runJob } from '#tests/support/smtp.ts'

const smtp = await openSmtp()
afterAll(smtp.close)
const shop = testShop(mailSettings(smtp))

it('is taken again two minutes after its job has died, and not while a job is sending it', async () => {
  const person = await addPerson(shop.db)
  await shop.post('/auth/email-confirmation', { token: person.token })
  const nextAt = async () => {
    const query = shop.db.selectFrom('emails').select('next_attempt_at')
    const row = await query.executeTakeFirstOrThrow()
    return (row.next_attempt_at?.getTime() ?? 0) - Date.now()
  }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let release = () => {}
  const reached = new Promise<void>((resolve) => {
    smtp.behaviour = {
      received: () => {
        resolve()
        return new Promise<void>((done) => {
          release = done
        })
      },
    }
  })
  const running = runJob(shop, 'sending e-mails')
  await reached
  expect(await nextAt()).toBeLessThan(120_000)
  await shop.db
    .updateTable('emails')
    .set({ next_attempt_at: new Date(Date.now() + 1000) })
    .execute()
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.poll(nextAt).toBeGreaterThan(60_000)
  vi.useRealTimers()
  release()
  await running
  const emails = await shop.db.selectFrom('emails').selectAll().execute()
  expect(emails).toMatchObject([{ state: 'sent', attempts: 1 }])
})
