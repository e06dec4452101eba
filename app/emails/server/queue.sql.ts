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
