/** The outbox: services queue e-mails in their own transactions, and a job sends them. */
import type { Database } from '#db/schema.ts'
import type { EmailKind } from '../admin-contract.ts'
import type { EmailSettings } from './settings.ts'
import { countEmailsSince, insertEmail, type NewEmail } from './store.ts'

/** Whether e-mails are sent; without an SMTP server they are written to files. */
export const sendsEmail = ({ SMTP_URL }: Pick<EmailSettings, 'SMTP_URL'>): boolean =>
  Boolean(SMTP_URL)

/**
 * Queues an e-mail inside the caller's transaction: it is sent if and only if that commits. Does
 * nothing for an account that is closed or has no e-mail address. Locks the user: a transaction that
 * locks payments or orders locks their buyer before them.
 */
export async function queueEmail(tx: Database, email: NewEmail): Promise<void> {
  if (email.recipient.trim() === '') return
  await insertEmail(tx, email)
}

/** The number of e-mails of a kind that were queued for a user within the last seconds. */
export const countRecentEmails = (
  db: Database,
  { userId, kind, seconds }: { userId: string; kind: EmailKind; seconds: number },
): Promise<number> => countEmailsSince(db, { userId, kind, seconds })
