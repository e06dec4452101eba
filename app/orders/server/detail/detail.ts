/** The page of an order: the order with its money, notes, and everything that happened. */

import type { OrderDetail, OrderEvent } from '#app/orders/handling-contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { notFound } from '#app/shared/server/failure.ts'
import type { Database, Row } from '#db/schema.ts'
import { selectNotes } from '../handling/store.ts'
import { presentListed } from '../presenter.ts'
import { presentVariant } from '../sold-products.ts'
import { selectLinesOf, selectOrder } from '../store.ts'
import { selectIdsToSend } from '../views.sql.ts'
import {
  selectCaptures,
  selectInvoiceNumber,
  selectLeft,
  selectPresentProducts,
  selectRefunds,
} from './store.ts'
import { type EventRow, selectEvents } from './timeline-store.ts'

const presentEvent =
  (currency: string) =>
  ({ kind, at, actor_kind, actor_name, facts }: EventRow): OrderEvent => {
    const { amount_minor, text, number, status, before, refund, email } = facts
    return {
      kind,
      at: at.toISOString(),
      by: { kind: actor_kind, name: actor_name },
      ...(amount_minor !== undefined && { amount: toMajor(amount_minor, currency) }),
      ...(text && { text }),
      ...(number !== undefined && { number }),
      ...(status && { status }),
      ...(before && { before }),
      ...(refund && { refund }),
      ...(email && {
        email: {
          _id: email.id,
          kind: email.kind,
          state: email.state,
          sendsAt: email.sends_at && new Date(email.sends_at).toISOString(),
        },
      }),
    }
  }

const presentLine =
  (currency: string, present: Set<string>, left: Map<number, number>) =>
  (line: Row<'order_lines'>): OrderDetail['lines'][number] => ({
    ...presentVariant(line),
    name: line.name,
    slug: line.slug,
    description: line.description,
    quantity: line.quantity,
    left: left.get(line.position) ?? line.quantity,
    price: toMajor(line.price_minor, currency),
    isForSale: present.has(line.product_id),
  })

const NO_ORDER = 'There is no such order.'

/** Everything of an order. Throws `not_found` when there is none. */
export async function openDetail(db: Database, orderId: string): Promise<OrderDetail> {
  const order = await selectOrder(db, orderId)
  if (!order) throw notFound(NO_ORDER)
  const [lines, left, toSend, captures, refunds, invoice, notes, events] = await Promise.all([
    selectLinesOf(db, [order.id]),
    selectLeft(db, order.id),
    selectIdsToSend(db, [order.id]),
    selectCaptures(db, order.payment_id),
    selectRefunds(db, order.payment_id),
    selectInvoiceNumber(db, order.id),
    selectNotes(db, order.id),
    selectEvents(db, order.id),
  ])
  const [listed] = presentListed([order], lines, toSend)
  if (!listed) throw notFound(NO_ORDER)
  const present = await selectPresentProducts(
    db,
    lines.map(({ product_id }) => product_id),
  )
  return {
    order: listed,
    lines: lines.map(presentLine(order.currency, present, left)),
    captures: captures.map((row) => ({
      _id: row.id,
      paymentId: row.provider_payment_id,
      provider: row.provider,
      amount: toMajor(row.amount_minor, order.currency),
      at: row.received_at.toISOString(),
      state: row.state,
    })),
    refunds: refunds.map((row) => ({
      _id: row.id,
      amount: toMajor(row.amount_minor, order.currency),
      state: row.state,
      reason: row.reason,
      at: row.created_at.toISOString(),
      creditNote: row.credit_note,
    })),
    invoice,
    notes: notes.map(({ id, text, author, created_at }) => ({
      _id: id,
      text,
      author,
      createdAt: created_at.toISOString(),
    })),
    timeline: events.map(presentEvent(order.currency)),
  }
}
