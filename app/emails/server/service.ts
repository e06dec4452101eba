/** The outbox: services queue e-mails in their own transactions, and a job sends them. */
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '#db/schema.ts'
import type { EmailKind } from '../admin-contract.ts'
import type { EmailFacts } from './facts.ts'
import { countEmailsSince, insertEmail } from './store.ts'

export { sendsEmail } from './settings.ts'

type NewEmail = EmailFacts & {
  /** The account to which it belongs. */
  userId: string
  recipient: string
  /** The order that it is about. */
  orderId?: string
  /** After so many seconds it is not sent any more; by default after three days. */
  expiresInSeconds?: number
}

/**
 * Queues an e-mail inside the caller's transaction: it is sent if and only if that commits. Does
 * nothing for an account that is closed or has no e-mail address. Locks the user: a transaction that
 * locks payments or orders locks their buyer before them.
 */
export async function queueEmail(tx: Database, email: NewEmail): Promise<void> {
  if (email.recipient.trim() === '') return
  await insertEmail(tx, { ...email, id: uuidv7() })
}

/** The number of e-mails of a kind that were queued for a user within the last seconds. */
export const countRecentEmails = (
  db: Database,
  { userId, kind, seconds }: { userId: string; kind: EmailKind; seconds: number },
): Promise<number> => countEmailsSince(db, { userId, kind, seconds })
