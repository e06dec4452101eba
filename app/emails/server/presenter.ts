import type { EmailContents, ListedEmail } from '#app/emails/admin-contract.ts'
import { linkPurposeOf, type RenderedEmail } from './render.ts'
import type { EmailRow } from './store.ts'
import { subjectOf } from './templates/templates.ts'

/** An e-mail in the list. */
export const presentEmail = (row: EmailRow, shopName: string): ListedEmail => ({
  _id: row.id,
  kind: row.kind,
  state: row.state,
  recipient: row.recipient,
  subject: subjectOf(row, shopName),
  createdAt: row.created_at.toISOString(),
  sentAt: row.sent_at?.toISOString() ?? null,
  attempts: row.attempts,
  nextAt: row.next_attempt_at?.toISOString() ?? null,
  lastError: row.last_error,
})

/** An e-mail with its contents. */
export const presentContents = (
  row: EmailRow,
  shopName: string,
  { text, html }: RenderedEmail,
): EmailContents => ({
  ...presentEmail(row, shopName),
  text,
  html,
  hidesLink: linkPurposeOf(row) !== null,
})
