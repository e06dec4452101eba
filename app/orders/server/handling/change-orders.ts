/** Changes of the status, the shipment and the note of orders, of one or of many at once. */
import {
  selectMailedShipments,
  withdrawStatusEmails,
} from '#app/emails/server/status-emails.sql.ts'
import type { Handling, OrderChange } from '#app/orders/handling-contract.ts'
import {
  cancelUnpaid,
  findNeverPaid,
  lockUnpaid,
  type Owed,
} from '#app/payments/server/owed/cancel-unpaid.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { conflict } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { NewEvent } from '#app/shared/server/outbox/events.ts'
import { recordEvents } from '#app/shared/server/outbox/events-store.ts'
import type { Database } from '#db/schema.ts'
import { returnStockOfAll } from '../service.ts'
import { isNews, isOtherShipment } from './news.ts'
import { type HandledOrder, lockAccounts, lockOrders, updateHandling } from './store.ts'

const eventOf = ({ after: order, isMailed }: Change): NewEvent => ({
  kind: order.status === 'Shipped' ? 'order_sent' : 'order_status_changed',
  subjectId: order.id,
  notify: isMailed,
  facts: {
    number: order.number,
    status: order.status,
    carrier: order.carrier,
    tracking_number: order.tracking_number,
    note: order.customer_note,
  },
})

const NEVER_PAID =
  'was cancelled before it was paid, and its pieces are for sale again. The customer can order again.'

/** A text without blanks around it; null for none. */
const trimmed = (text: string | null) => text?.trim() || null

/** The order with what a change sets. */
const changed = (order: HandledOrder, { status, ...change }: OrderChange): HandledOrder => ({
  ...order,
  status: status ?? order.status,
  ...('carrier' in change && { carrier: trimmed(change.carrier ?? null) }),
  ...('trackingNumber' in change && { tracking_number: trimmed(change.trackingNumber ?? null) }),
  ...('customerNote' in change && { customer_note: trimmed(change.customerNote ?? null) }),
})

/** The values of an order that another one does not have. */
const differences = (order: HandledOrder, other: HandledOrder): Handling => ({
  ...(order.status !== other.status && { status: order.status }),
  ...(order.carrier !== other.carrier && { carrier: order.carrier }),
  ...(order.tracking_number !== other.tracking_number && { trackingNumber: order.tracking_number }),
  ...(order.customer_note !== other.customer_note && { customerNote: order.customer_note }),
})

const isSame = (order: HandledOrder, other: HandledOrder) =>
  Object.keys(differences(order, other)).length === 0

/** The change that undoes the one from an order to another; it leaves out an order that is changed meanwhile. */
const undoOf = (before: HandledOrder, after: HandledOrder): OrderChange => ({
  orderId: before.id,
  ...differences(before, after),
  expects: differences(after, before),
})

/** Locks what ends with the unpaid orders among those that are cancelled, in the order of decision 14. */
async function lockCancelled(tx: Database, changes: OrderChange[]) {
  const cancelled = changes.filter(({ status }) => status === 'cancel')
  if (cancelled.length === 0) return []
  await lockAccounts(
    tx,
    changes.map(({ orderId }) => orderId),
  )
  return lockUnpaid(
    tx,
    cancelled.map(({ orderId }) => orderId),
  )
}

/** Ends locked payments: the pieces of their orders, which are locked, too, are for sale again. */
async function endUnpaid(tx: Database, owed: Owed[]): Promise<void> {
  await cancelUnpaid(tx, owed)
  await returnStockOfAll(
    tx,
    owed.map(({ order_id }) => order_id),
  )
}

/** An order before and after its change. */
type Change = { before: HandledOrder; after: HandledOrder; isMailed: boolean }

/** Locks the orders of changes. An order that has other values than its change expects is `kept` as it is. */
async function lockChanged(tx: Database, changes: OrderChange[]) {
  const byId = new Map(changes.map((change) => [change.orderId.toLowerCase(), change]))
  const orders = await lockOrders(tx, [...byId.keys()])
  const made = orders.flatMap((before) => {
    const change = byId.get(before.id)
    if (!change || !isSame(before, changed(before, { ...change.expects, orderId: before.id })))
      return []
    return [{ before, change }]
  })
  return { made, kept: orders.length - made.length }
}

/**
 * The changes of locked orders; an e-mail about a status that waits is withdrawn where the order changes, or nobody is
 * to be notified.
 */
async function prepare(
  tx: Database,
  locked: { before: HandledOrder; change: OrderChange }[],
  notify: boolean,
): Promise<Change[]> {
  const ids = locked.map(({ before }) => before.id)
  const neverPaid = await findNeverPaid(tx, ids)
  const differing = locked.filter(({ before, change }) => !isSame(before, changed(before, change)))
  const withdrawn = await withdrawStatusEmails(
    tx,
    (notify ? differing : locked).map(({ before }) => before.id),
  )
  const shipments = await selectMailedShipments(tx, ids)
  return locked.map(({ before, change }) => {
    const after = changed(before, change)
    if (after.status !== 'cancel' && change.status && neverPaid.has(before.id))
      throw conflict(`Order ${before.number} ${NEVER_PAID}`)
    const waiting = withdrawn.get(before.id)
    const shipment = shipments.get(before.id)
    // withdrawn as a correction only, the status stays mailed
    const mailed = before.mailed_statuses.filter(
      (status) => status !== waiting || (status === 'Shipped' && shipment),
    )
    const corrects =
      after.status === 'Shipped' && shipment !== undefined && isOtherShipment(after, shipment)
    const isNew = corrects || isNews(after.status, { ...before, mailed_statuses: mailed })
    // a change of the shipment alone sends the waiting e-mail again, with it
    const isMailed = change.status
      ? notify && isNew
      : waiting
        ? isNew
        : notify && corrects && isOtherShipment(after, before)
    const mailed_statuses = isMailed ? [...new Set([...mailed, after.status])] : mailed
    return { before, after: { ...after, mailed_statuses }, isMailed }
  })
}

/** What became of orders, and the changes that undo it. */
export type Changed = {
  changed: number
  mailed: number
  /** How many were cancelled before they were paid, which cannot be undone. */
  ended: number
  /** How many had other values than expected, and were not changed. */
  kept: number
  before: OrderChange[]
}

/**
 * Sets statuses, to any other (spec §4), shipments and notes of orders, and notifies their buyers of a new status by
 * e-mail, ten seconds later, and of another shipment of an order on its way. A status that is set again within
 * these takes the waiting e-mail away. Unknown orders are left out, and those that have other values than expected.
 * A cancelled order does not count in the figures; its stock and its money are not returned, unless
 * it was not paid yet. Throws `conflict` for an order that was cancelled before it was paid: its stock is sold again.
 */
export const changeOrders = (
  db: Database,
  actor: Actor,
  { changes, notify = true }: { changes: OrderChange[]; notify?: boolean | undefined },
): Promise<Changed> =>
  inTransaction(db, actor, async (tx) => {
    const owed = await lockCancelled(tx, changes)
    const { made: locked, kept } = await lockChanged(tx, changes)
    const made = await prepare(tx, locked, notify)
    const ids = new Set(made.map(({ before }) => before.id))
    const ended = owed.filter(({ order_id }) => ids.has(order_id))
    if (ended.length > 0) await endUnpaid(tx, ended)
    await updateHandling(
      tx,
      made.map(({ after }) => after),
    )
    const mailed = made.filter(({ isMailed }) => isMailed)
    const happened = made.filter(
      ({ before, after, isMailed }) => isMailed || before.status !== after.status,
    )
    await recordEvents(tx, happened.map(eventOf))
    const different = made.filter(({ before, after }) => !isSame(before, after))
    const isEnded = new Set(ended.map(({ order_id }) => order_id))
    return {
      changed: different.length,
      mailed: mailed.length,
      ended: ended.length,
      kept,
      before: different
        .filter(({ before }) => !isEnded.has(before.id))
        .map(({ before, after }) => undoOf(before, after)),
    }
  })
