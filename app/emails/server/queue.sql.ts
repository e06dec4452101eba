/** The outbox: services queue e-mails in their own transactions, and a job sends them. */
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { countRows, secondsFromNow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import type { EmailKind } from '../admin-contract.ts'
import type { EmailFacts } from './facts.ts'

type NewEmail = EmailFacts & {
  /** The account to which it belongs. */
  userId: string
  recipient: string
  /** The order that it is about. */
  orderId?: string
  /** After so many seconds it is not sent any more. */
  expiresInSeconds?: number
}

const THREE_DAYS = 3 * 24 * 60 * 60

/**
 * Queues an e-mail inside the caller's transaction: it is sent if and only if that commits. Does nothing for
 * an account that is closed or has no e-mail address. Waits for an account that is being closed, and locks
 * it, so that no e-mail is left of a closed one: a transaction that locks payments or orders locks their
 * buyer before them.
 */
export const queueEmail = (
  tx: Database,
  { userId, kind, facts, recipient, orderId, expiresInSeconds = THREE_DAYS }: NewEmail,
) =>
  sql`
    insert into emails (id, user_id, kind, order_id, recipient, facts, expires_at)
    select ${uuidv7()}::uuid, id, ${kind}, ${orderId ?? null}::uuid, ${recipient},
      ${JSON.stringify(facts)}::jsonb, ${secondsFromNow(expiresInSeconds)}
    from users
    where id = ${userId} and closed_at is null and ${recipient}::text ~ '\\S'
    for key share`.execute(tx)

/** The number of e-mails of a kind that were queued for a user within the last seconds. */
export const countRecentEmails = (
  db: Database,
  { userId, kind, seconds }: { userId: string; kind: EmailKind; seconds: number },
): Promise<number> =>
  countRows(
    db
      .selectFrom('emails')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('created_at', '>', secondsFromNow(-seconds)),
  )

/**
 * A common table expression that queues the e-mails about `placed`, a row of orders, so that a purchase has
 * no further statement: the confirmation, exactly once, and one to each admin, unless the settings say no.
 * `id` is that of the confirmation, a UUIDv7. Those to admins begin like it, so that the outbox lists them by
 * time.
 */
export const orderEmailsQueued = (id: string): RawBuilder<unknown> => sql`
  emails_queued as (
    insert into emails (id, user_id, kind, order_id, recipient, facts)
    select ${id}::uuid, placed.user_id, 'order_confirmation', placed.id, placed.buyer_email,
      jsonb_build_object('name', placed.buyer_name, 'number', placed.number)
    from placed
    where placed.buyer_email ~ '\\S'
    union all
    select overlay(${id}::text placing right(gen_random_uuid()::text, 10) from 27)::uuid, users.id,
      'new_order', placed.id, users.email,
      jsonb_build_object('name', users.name, 'number', placed.number)
    from placed, users
    where users.is_admin and users.email ~ '\\S'
      and coalesce((select mails_orders from settings where name = 'shop'), true)
  )`
