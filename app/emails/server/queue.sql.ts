/** SQL that queues e-mails inside a statement of another domain. */
import { type RawBuilder, sql } from 'kysely'

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
