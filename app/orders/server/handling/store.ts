/** What admins write of orders: status, shipment, and notes. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { sectionOf } from '#app/shared/server/personal-data-store.ts'
import { anyOf, changesRow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { AUDITED_NAME } from '../store.ts'

const HANDLED = ['status', 'carrier', 'tracking_number', 'customer_note'] as const

/** Locks the accounts of the buyers of orders until the transaction ends, for one that locks payments before the orders. */
export const lockAccounts = (tx: Database, orderIds: string[]) =>
  tx
    .selectFrom('users')
    .where('id', 'in', (eb) =>
      eb.selectFrom('orders').where('orders.id', '=', anyOf(orderIds)).select('user_id'),
    )
    .orderBy('id')
    .select('id')
    .forKeyShare()
    .execute()

/** Locks orders until the transaction ends, each after its buyer, who gets an e-mail. */
export const lockOrders = (tx: Database, ids: string[]) =>
  tx
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .where('orders.id', '=', anyOf(ids))
    .orderBy('orders.id')
    .select(['orders.id', 'orders.user_id', 'number', 'buyer_name', 'buyer_email'])
    .select(['mailed_statuses', ...HANDLED])
    // rows are locked in the order of these clauses
    .forKeyShare('users')
    .forNoKeyUpdate('orders')
    .execute()

export type HandledOrder = Awaited<ReturnType<typeof lockOrders>>[number]

/** Stores the status, the shipment and the note of orders, and of which statuses their buyers are notified. */
export const updateHandling = (tx: Database, orders: HandledOrder[]) =>
  sql`
    update orders set
      status = handled.status,
      carrier = handled.carrier,
      tracking_number = handled.tracking_number,
      customer_note = handled.customer_note,
      mailed_statuses = handled.mailed_statuses
    from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as handled(id uuid, status text,
      carrier text, tracking_number text, customer_note text, mailed_statuses text[])
    where orders.id = handled.id`.execute(tx)

/** Inserts a note. False when there is no such order, and for an author whose account is closed. */
export const insertNote = (
  tx: Database,
  { orderId, authorId, text }: { orderId: string; authorId: string; text: string },
) =>
  changesRow(
    tx
      .insertInto('order_notes')
      .columns(['id', 'order_id', 'author_id', 'text'])
      .expression((eb) =>
        eb
          .selectFrom('orders')
          .innerJoin('users', (join) => join.on('users.id', '=', authorId))
          .where('orders.id', '=', orderId)
          .where('closed_at', 'is', null)
          .select([
            sql<string>`${uuidv7()}::uuid`.as('id'),
            'orders.id as order_id',
            'users.id as author_id',
            sql<string>`${text}::text`.as('text'),
          ])
          .forKeyShare(['orders', 'users']),
      ),
  )

export const deleteNote = (tx: Database, id: string): Promise<boolean> =>
  changesRow(tx.deleteFrom('order_notes').where('id', '=', id))

/** The notes of an order, the newest first. */
export const selectNotes = (db: Database, orderId: string) =>
  db
    .selectFrom('order_notes')
    .innerJoin('users', 'users.id', 'author_id')
    .where('order_id', '=', orderId)
    .orderBy('order_notes.id', 'desc')
    .select(['order_notes.id', 'text', 'users.name as author', 'order_notes.created_at'])
    .execute()

/** The notes about orders of a user, for the export. */
export const notesAboutUser = sectionOf(
  (userId) => sql`
    select order_notes.id::text as key, to_jsonb(order_notes) - 'author_id' as item
    from order_notes join orders on orders.id = order_id
    where user_id = ${userId}`,
)

/** Deletes the notes about orders of a user. */
export const deleteNotesAboutUser = (tx: Database, userId: string) =>
  tx
    .deleteFrom('order_notes')
    .where('order_id', 'in', (eb) =>
      eb.selectFrom('orders').select('orders.id').where('user_id', '=', userId),
    )
    .execute()

/** Notes have the names of their orders in the history, whose ids their entries have. */
export const AUDITED_NOTES: AuditedRows = {
  order_notes: { name: AUDITED_NAME, stored: ['author_id'] },
}
