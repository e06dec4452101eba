/** SQL that queues an e-mail inside a statement of another domain. */
import { type RawBuilder, sql } from 'kysely'

/**
 * A common table expression that queues the confirmation of `placed`, a row of orders: an order has it
 * exactly once, and a purchase has no further statement. `id` is that of the e-mail.
 */
export const confirmationQueued = (id: string): RawBuilder<unknown> => sql`
  confirmation as (
    insert into emails (id, user_id, kind, order_id, recipient, facts)
    select ${id}::uuid, placed.user_id, 'order_confirmation', placed.id, placed.buyer_email,
      jsonb_build_object('name', placed.buyer_name, 'number', placed.number)
    from placed
    where placed.buyer_email ~ '\\S'
  )`

/**
 * A common table expression that queues an e-mail about `placed` for each admin, unless the settings say no.
 * Ids begin like `id`, the UUIDv7 of the moment, so that the outbox lists them by time.
 */
export const adminsNotified = (id: string): RawBuilder<unknown> => sql`
  notified as (
    insert into emails (id, user_id, kind, order_id, recipient, facts)
    select overlay(${id}::text placing right(gen_random_uuid()::text, 10) from 27)::uuid, users.id,
      'new_order', placed.id, users.email,
      jsonb_build_object('name', users.name, 'number', placed.number)
    from placed, users
    where users.is_admin and users.email ~ '\\S'
      and coalesce((select mails_orders from settings), true)
  )`
