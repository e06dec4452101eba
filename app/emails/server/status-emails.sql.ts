/** E-mails about statuses of orders, which are queued by a trigger on events, as orders read and withdraw them. */
import { sql } from 'kysely'
import type { OrderStatus } from '#app/orders/contract.ts'
import { anyOf } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/**
 * Deletes the e-mails about new statuses of these orders that wait to be sent the first time; answers the status
 * of each by its order. An e-mail that is being sent, or was, stays.
 */
export async function withdrawStatusEmails(tx: Database, orderIds: string[]) {
  const { rows } = await sql<{ order_id: string; status: OrderStatus }>`
    delete from emails using events
    where events.id = event_id and subject_id = ${anyOf(orderIds)} and emails.kind = 'status_changed'
      and state = 'queued' and attempts = 0 and next_attempt_at > now()
    returning subject_id as order_id, facts ->> 'status' as status`.execute(tx)
  return new Map(rows.map(({ order_id, status }) => [order_id, status]))
}

/** The shipment that the last e-mail about each of these orders on its way has, by the order. */
export async function selectMailedShipments(tx: Database, orderIds: string[]) {
  type Shipment = { order_id: string; carrier: string | null; tracking_number: string | null }
  const { rows } = await sql<Shipment>`
    select distinct on (subject_id) subject_id as order_id, facts ->> 'carrier' as carrier,
      facts ->> 'tracking_number' as tracking_number
    from events join emails on event_id = events.id
    where subject_id = ${anyOf(orderIds)} and events.kind = 'order_sent' and emails.kind = 'status_changed'
    order by subject_id, emails.id desc`.execute(tx)
  return new Map(rows.map((row) => [row.order_id, row]))
}
