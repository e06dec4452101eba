/** E-mails that a shop of 0.7.0 had queued, after the upgrade. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreDump } from '#tests/releases/restore-dump.ts'
import { shopOn, type TestShop } from '#tests/support/shop.ts'
import { mailSettings, openSmtp, passPauses, runJob } from '#tests/support/smtp.ts'
import type { OpenDatabase } from './connect.ts'
import { migrate } from './migrate.ts'
import { finishRestore, markRestore } from './restored.ts'

const LIVE = {
  RAZORPAY_KEY_ID: 'rzp_live_upgrade',
  RAZORPAY_KEY_SECRET: 'secret',
  RAZORPAY_API_URL: 'http://127.0.0.1:9',
  RATE_LIMIT: 'on',
}

let opened: OpenDatabase
let shop: TestShop
let smtp: Awaited<ReturnType<typeof openSmtp>>
beforeAll(async () => {
  smtp = await openSmtp()
  opened = await restoreDump('0.7.0')
  // those that the shop without an SMTP server has written to files
  await sql`
    update emails set state = 'queued', next_attempt_at = now(), expires_at = now() + interval '1 day'
    where state = 'kept'`.execute(opened.db)
  await migrate(opened.db)
  shop = await shopOn(opened.db, { ...LIVE, ...mailSettings(smtp) })
})
afterAll(async () => {
  await shop.app.close()
  await opened.close()
  await smtp.close()
})

const queued = async () =>
  (
    await opened.db
      .selectFrom('emails')
      .where('state', '=', 'queued')
      .select(['id', 'recipient'])
      .execute()
  ).map(({ id, recipient }) => `<${id}@example.com> ${recipient}`)

it('are one event for an order, of which its buyer and the admin are told', async () => {
  const { rows } = await sql`
    select array_agg(emails.kind order by emails.kind) as mails
    from events join emails on event_id = events.id
    where events.kind = 'order_placed' group by events.id`.execute(opened.db)
  expect(rows.length).toBeGreaterThan(5)
  const both = { mails: ['new_order', 'order_confirmation'] }
  expect(rows).toEqual(expect.arrayContaining([both]))
  const { rows: twice } = await sql`
    select subject_id from events where kind = 'order_placed' group by subject_id having count(*) > 1`.execute(
    opened.db,
  )
  expect(twice).toEqual([])
})

it('are parked where they come from a restored backup', async () => {
  const before = await queued()
  await markRestore(opened.db)
  await finishRestore(opened.db)
  expect(await queued()).toEqual([])
  await runJob(shop, 'sending e-mails')
  expect(smtp.received).toEqual([])
  await sql`
    update emails set state = 'queued', next_attempt_at = now() where state = 'parked'`.execute(
    opened.db,
  )
  expect((await queued()).sort()).toEqual(before.sort())
})

it('are sent exactly once, by two processes, with their greeting', async () => {
  const waiting = await queued()
  expect(waiting.length).toBeGreaterThan(15)
  for (let turn = 0; turn < 2; turn += 1) {
    await Promise.all([runJob(shop, 'sending e-mails'), runJob(shop, 'sending e-mails')])
    await passPauses(shop)
  }
  const sent = smtp.received.map(({ headers, to }) => `${headers['message-id']} ${to}`)
  expect(sent.sort()).toEqual(waiting.sort())
  const confirmation = smtp.received.find(({ subject }) => /^Your order 1 at/.test(subject ?? ''))
  expect(confirmation?.text).toContain('Hello Asha Rao,')
})
