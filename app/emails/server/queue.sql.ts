/** The outbox: services queue e-mails in their own transactions, and a job sends them. */
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { STAFF_RECIPIENTS } from '#app/accounts/server/account-kinds.sql.ts'
import type { OrderStatus } from '#app/orders/contract.ts'
import { anyOf, countRows, secondsFromNow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import type { EmailKind } from '../admin-contract.ts'
import type { EmailFacts, Facts } from './facts.ts'

export type NewEmail = EmailFacts & {
  /** The account to which it belongs. */
  userId: string
  recipient: string
  /** The order that it is about. */
  orderId?: string
  /** It is sent after so many seconds; at once by default. */
  delaySeconds?: number
  /** After so many seconds it is not sent any more. */
  expiresInSeconds?: number
}

const THREE_DAYS = 3 * 24 * 60 * 60

/**
 * Queues e-mails inside the caller's transaction: they are sent if and only if that commits. Does nothing for
 * an account that is closed or has no e-mail address. Waits for an account that is being closed, and locks
 * it, so that no e-mail is left of a closed one: a transaction that locks payments or orders locks their
 * buyer before them.
 */
export async function queueEmails(tx: Database, emails: NewEmail[]): Promise<void> {
  if (emails.length === 0) return
  const rows = emails.map((email) => ({
    delaySeconds: 0,
    expiresInSeconds: THREE_DAYS,
    ...email,
    id: uuidv7(),
  }))
  await sql`
    insert into emails (id, user_id, kind, order_id, recipient, facts, next_attempt_at, expires_at)
    select email.id, users.id, kind, "orderId", recipient, facts,
      now() + "delaySeconds" * interval '1 second', now() + "expiresInSeconds" * interval '1 second'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as email(id uuid, "userId" uuid, kind text,
        "orderId" uuid, recipient text, facts jsonb, "delaySeconds" float, "expiresInSeconds" float)
      join users on users.id = "userId"
    where closed_at is null and recipient ~ '\\S'
    for key share of users`.execute(tx)
}

export const queueEmail = (tx: Database, email: NewEmail): Promise<void> => queueEmails(tx, [email])

/**
 * Deletes the e-mails about new statuses of these orders that wait to be sent the first time; answers the status
 * of each by its order. An e-mail that is being sent, or was, stays.
 */
export async function withdrawStatusEmails(tx: Database, orderIds: string[]) {
  const { rows } = await sql<{ order_id: string; status: OrderStatus }>`
    delete from emails
    where order_id = ${anyOf(orderIds)} and kind = 'status_changed' and state = 'queued'
      and attempts = 0 and next_attempt_at > now()
    returning order_id, facts ->> 'status' as status`.execute(tx)
  return new Map(rows.map(({ order_id, status }) => [order_id, status]))
}

/** The shipment that the last e-mail about each of these orders on its way has, by the order. */
export async function selectMailedShipments(tx: Database, orderIds: string[]) {
  type Shipment = { order_id: string; carrier: string | null; tracking_number: string | null }
  const { rows } = await sql<Shipment>`
    select distinct on (order_id) order_id, facts ->> 'carrier' as carrier,
      facts ->> 'tracking_number' as tracking_number
    from emails
    where order_id = ${anyOf(orderIds)} and kind = 'status_changed' and facts ->> 'status' = 'Shipped'
    order by order_id, id desc`.execute(tx)
  return new Map(rows.map((row) => [row.order_id, row]))
}

/** Queues an e-mail to each admin inside the caller's transaction; answers the ids. */
export async function queueToAdmins(
  tx: Database,
  { kind, facts }: { kind: 'settings_changed'; facts: Omit<Facts['settings_changed'], 'name'> },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into emails (id, user_id, kind, recipient, facts, expires_at)
    select overlay(${uuidv7()}::text placing right(gen_random_uuid()::text, 10) from 27)::uuid, id, ${kind}, email,
      jsonb_build_object('name', name) || ${JSON.stringify(facts)}::jsonb, ${secondsFromNow(THREE_DAYS)}
    from users
    where ${STAFF_RECIPIENTS} and closed_at is null and email ~ '\\S'
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

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
    where ${STAFF_RECIPIENTS} and users.email ~ '\\S'
      and coalesce((select mails_orders from settings where name = 'shop'), true)
  )`
