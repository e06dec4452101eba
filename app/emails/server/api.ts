import type { emailAdminCalls, ListedEmail } from '#app/emails/admin-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { conflict, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { deleteParked, releaseParked } from '#app/shared/server/outbox/deliveries-store.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { linkPurposeOf, renderToShow } from './render.ts'
import { describeError } from './send-through.ts'
import type { MailingShop } from './settings.ts'
import {
  countEmails,
  type EmailRow,
  markRead,
  requeueEmail,
  selectEmail,
  selectEmails,
  selectWarnings,
} from './store.ts'
import { contentOf } from './templates/templates.ts'

type Dependencies = { db: Database; shop: () => Promise<MailingShop> }

const presentEmail = (row: EmailRow, shop: MailingShop): ListedEmail => ({
  _id: row.id,
  kind: row.kind,
  state: row.state,
  recipient: row.recipient,
  subject: contentOf(row, shop).subject,
  createdAt: row.created_at.toISOString(),
  sentAt: row.sent_at?.toISOString() ?? null,
  attempts: row.attempts,
  nextAt: row.next_attempt_at?.toISOString() ?? null,
  lastError: row.last_error === null ? null : describeError(row.last_error),
})

async function findEmail(db: Database, id: string): Promise<EmailRow> {
  const row = await selectEmail(db, id)
  if (!row) throw notFound('There is no such e-mail. It may be deleted already.')
  return row
}

export const emailAdminHandlers = ({
  db,
  shop,
}: Dependencies): Handlers<typeof emailAdminCalls> => ({
  async getEmails({ query: { page, q = '', ...rest }, request, reply }) {
    const filter = { ...rest, q: q.trim() }
    const [today, rows, total] = await Promise.all([
      shop(),
      selectEmails(db, filter, sliceOf(page)),
      countEmails(db, filter),
    ])
    setPagingHeaders(request, reply, { page, total })
    return rows.map((row) => presentEmail(row, today))
  },
  async getEmail({ params: { id } }) {
    const row = await findEmail(db, id)
    const today = await shop()
    const { text, html } = await renderToShow(db, today, row)
    return { ...presentEmail(row, today), text, html, hidesLink: linkPurposeOf(row) !== null }
  },
  async retryEmail({ params: { id }, caller }) {
    const isQueued = await inTransaction(db, admin(caller), (tx) => requeueEmail(tx, id))
    if (!isQueued) {
      await findEmail(db, id)
      throw conflict('This e-mail is sent already, or is about to be sent.')
    }
    return { success: true, message: 'The e-mail will be sent again' }
  },
  async sendParked({ caller }) {
    const count = await inTransaction(db, admin(caller), (tx) => releaseParked(tx, 'emails'))
    return { success: true, message: `Parked e-mails that will be sent: ${count}` }
  },
  async getWarnings({ caller }) {
    const today = await shop()
    return (await selectWarnings(db, caller.userId)).map((row) => ({
      _id: row.id,
      subject: contentOf(row, today).subject,
      by: row.facts.by,
      at: row.facts.at,
    }))
  },
  async readWarnings({ body: { ids }, caller }) {
    await markRead(db, caller.userId, ids)
    return { success: true, message: 'Marked as read' }
  },
  async dropParked({ caller }) {
    const count = await inTransaction(db, admin(caller), (tx) => deleteParked(tx, 'emails'))
    return { success: true, message: `Parked e-mails that were deleted: ${count}` }
  },
})
