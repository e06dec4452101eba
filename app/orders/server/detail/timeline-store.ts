/** What happened to an order: its row, its money, its e-mails, its notes, and the audit log. */
import { sql } from 'kysely'
import type { ActorKind } from '#app/audit/admin-contract.ts'
import type { EmailKind, EmailState } from '#app/emails/admin-contract.ts'
import type { OrderStatus } from '#app/orders/contract.ts'
import type { EventKind, RefundState } from '#app/orders/handling-contract.ts'
import type { Database } from '#db/schema.ts'

/** The facts of an event; each kind has some of them. */
type Facts = {
  amount_minor?: number
  text?: string | null
  number?: number
  status?: OrderStatus
  before?: OrderStatus
  refund?: RefundState
  email?: { id: string; kind: EmailKind; state: EmailState; sends_at: string | null }
}

export type EventRow = {
  kind: EventKind
  at: Date
  actor_kind: ActorKind
  actor_name: string | null
  facts: Facts
}

/** More than an order usually has. */
const MAX_EVENTS = 300

const MONEY = sql`
  select 'captured' as kind, received_at as at,
    case when received_by is null then 'provider' else 'admin' end as actor_kind, received_by as actor_id,
    jsonb_build_object('amount_minor', captures.amount_minor) as facts
  from captures, of_order where captures.payment_id = of_order.payment_id and purpose = 'order'
  union all
  select 'voided', voided_at, 'provider', null, jsonb_build_object('amount_minor', captures.amount_minor)
  from captures, of_order
  where captures.payment_id = of_order.payment_id and purpose = 'order' and voided_at is not null
  union all
  select 'refund', refunds.created_at, case when requested_by is null then 'provider' else 'admin' end,
    requested_by, jsonb_build_object('amount_minor', refunds.amount_minor, 'text', reason, 'refund', state)
  from of_order join captures on captures.payment_id = of_order.payment_id and purpose = 'order'
    join refunds on capture_id = captures.id`

const DOCUMENTS = sql`
  select 'invoice', issued_at, 'shop', null::uuid, jsonb_build_object('number', invoices.number)
  from invoices, of_order where order_id = of_order.id
  union all
  select 'credit_note', issued_at, 'shop', null, jsonb_build_object('number', credit_notes.number)
  from of_order join captures on captures.payment_id = of_order.payment_id
    join refunds on capture_id = captures.id join credit_notes on refund_id = refunds.id
  union all
  select 'email', emails.created_at, 'shop', null, jsonb_build_object(
    'text', recipient, 'status', events.facts ->> 'status', 'email', jsonb_build_object(
      'id', emails.id, 'kind', emails.kind, 'state', emails.state, 'sends_at', next_attempt_at))
  from of_order join events on subject_id = of_order.id join emails on event_id = events.id
  where emails.kind <> 'new_order'`

const CHANGES = sql`
  select change.kind, audit_log.at, audit_log.actor_kind, audit_log.actor_id, change.facts
  from audit_log, of_order, lateral (values
    ('status', 'status', jsonb_build_object('before', before -> 'status', 'status', after -> 'status')),
    ('shipment', case when after ? 'carrier' then 'carrier' else 'tracking_number' end,
      jsonb_build_object('text', after -> 'carrier')),
    ('customer_note', 'customer_note', '{}')) as change (kind, field, facts)
  where row_id = of_order.id and table_name = 'orders' and action = 'update' and after ? change.field`

/** The lines of a return are written in one moment. One of 0.4.0 or before is of the whole order. */
const RETURNS = sql`
  select 'stock_returned', max(audit_log.at), actor_kind, actor_id, jsonb_build_object('number',
    sum((after ->> 'quantity')::integer - coalesce((before ->> 'quantity')::integer, 0)))
  from audit_log, of_order where row_id = of_order.id and table_name = 'returned_lines'
  group by actor_kind, actor_id, date_trunc('second', audit_log.at)
  union all
  select 'stock_returned', stock_returned_at, 'shop', null, '{}'
  from of_order where stock_returned_at is not null
    and not exists (select from returned_lines where order_id = of_order.id)`

/** The events of an order, the newest first; one kind after the other of the same moment. */
export async function selectEvents(db: Database, orderId: string): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    with of_order as (select * from orders where id = ${orderId}::uuid),
    timeline (kind, at, actor_kind, actor_id, facts) as (
      -- an order that an admin places is in the audit log
      select 'placed', created_at, coalesce(actor_kind, 'user'), coalesce(actor_id, user_id),
        jsonb_build_object('amount_minor', total_minor)
      from of_order left join audit_log
        on row_id = of_order.id and table_name = 'orders' and action = 'insert'
      union all
      select 'note', order_notes.created_at, 'admin', author_id, jsonb_build_object('text', text)
      from order_notes, of_order where order_id = of_order.id
      union all ${RETURNS} union all ${MONEY} union all ${DOCUMENTS} union all ${CHANGES}
    )
    select kind, at, actor_kind, facts, users.name as actor_name
    from timeline left join users on users.id = actor_id
    order by at desc, kind limit ${sql.lit(MAX_EVENTS)}`.execute(db)
  return rows
}
