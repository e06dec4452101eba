/** The rules of an order's page: changes of a selection, and notes. */

import { MAX_CHANGED, type OrderSelection } from '#app/orders/admin-contract.ts'
import type { Order, OrderStatus } from '#app/orders/contract.ts'
import type { Handling, OrderChange } from '#app/orders/handling-contract.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { invalid, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { checkSelected } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { selectMatchingIds } from '../list-store.ts'
import { openOrder } from '../service.ts'
import { type Changed, changeOrders } from './change-orders.ts'
import { deleteNote, insertNote } from './store.ts'

/** The ids of a selection. Throws as `checkSelected`. */
async function idsOf(db: Database, selection: OrderSelection): Promise<string[]> {
  if ('ids' in selection) return selection.ids
  const { q, ...filter } = selection.filter
  const ids = await selectMatchingIds(db, { ...filter, q: q?.trim() }, MAX_CHANGED + 1)
  checkSelected(ids.length, selection.count, MAX_CHANGED)
  return ids
}

type Given = {
  changes?: OrderChange[] | undefined
  selection?: OrderSelection | undefined
  set?: Handling | undefined
  notify?: boolean | undefined
}

/**
 * Changes orders, each in its own way, or all of a selection in the same. Throws `invalid` without orders, and for
 * an order that is named twice; as `checkSelected`.
 */
export async function changeSome(
  db: Database,
  actor: Actor,
  { changes = [], selection, set = {}, notify }: Given,
): Promise<Changed> {
  const selected = selection ? await idsOf(db, selection) : []
  const all = [...changes, ...selected.map((orderId) => ({ orderId, ...set }))]
  if (all.length === 0 && !selection) throw invalid('Choose the orders to change.', 'changes')
  const ids = new Set(all.map(({ orderId }) => orderId.toLowerCase()))
  if (ids.size < all.length) throw invalid('Name each order once.', 'changes')
  return changeOrders(db, actor, { changes: all, notify })
}

/**
 * Changes the status of an order, and answers the order. Throws `not_found` for an unknown one, and as
 * `changeOrders`.
 */
export async function changeStatus(
  db: Database,
  actor: Actor,
  {
    orderId,
    status,
    notify,
  }: { orderId: string; status: OrderStatus; notify?: boolean | undefined },
): Promise<Order> {
  await changeOrders(db, actor, { changes: [{ orderId, status }], notify })
  return openOrder(db, orderId)
}

/** Adds a note of an admin to an order. */
export async function addNote(
  db: Database,
  actor: Actor,
  note: { orderId: string; authorId: string; text: string },
): Promise<void> {
  if (!(await inTransaction(db, actor, (tx) => insertNote(tx, note))))
    throw notFound('There is no such order.')
}

export async function removeNote(db: Database, actor: Actor, id: string): Promise<void> {
  if (!(await inTransaction(db, actor, (tx) => deleteNote(tx, id))))
    throw notFound('There is no such note. It may be deleted already.')
}
