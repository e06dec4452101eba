import { setImmediate } from 'node:timers/promises'
import { type NotNull, sql } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import { MOST_DESCRIBED, type OrderStatus } from '../contract.ts'

type NewOrder = Pick<Row<'orders'>, 'id' | 'payment_id' | 'user_id' | 'total_minor' | 'test'>

/** Inserts the order with the buyer's current name, e-mail, phone and address. */
export const insertOrder = (
  db: Database,
  { id, payment_id, user_id, total_minor, test }: NewOrder,
) =>
  db
    .insertInto('orders')
    .columns([
      'id',
      'payment_id',
      'user_id',
      'buyer_name',
      'buyer_email',
      'buyer_phone',
      'buyer_address',
      'total_minor',
      'test',
    ])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .where('users.id', '=', user_id)
        .select((select) => [
          select.cast<string>(select.val(id), 'uuid').as('id'),
          select.cast<string>(select.val(payment_id), 'uuid').as('payment_id'),
          'users.id as user_id',
          'users.name',
          'users.email',
          'users.phone',
          'users.address',
          select.cast<number>(select.val(total_minor), 'bigint').as('total_minor'),
          select.cast<boolean>(select.val(test), 'boolean').as('test'),
        ]),
    )
    .execute()

export const insertOrderLines = (db: Database, lines: Row<'order_lines'>[]) =>
  db.insertInto('order_lines').values(lines).execute()

/** Whether the buyer's e-mail, phone or address has changed since; not for a closed account. */
const IS_CHANGED = sql<boolean>`
  users.closed_at is null and (users.email, users.phone, users.address)
    is distinct from (orders.buyer_email, orders.buyer_phone, orders.buyer_address)`

/** Orders with their payments. */
export const orders = (db: Database) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.payment_id')
    .innerJoin('provider_payments', 'provider_payments.payment_id', 'orders.payment_id')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .where('provider_payments.state', '=', 'captured')
    .selectAll('orders')
    .select([
      'payments.provider_order_id',
      'provider_payments.id as provider_payment_id',
      'provider_payments.refunded_minor',
    ])
    .select(IS_CHANGED.as('is_changed'))
    // only an order opened at the provider can be paid
    .$narrowType<{ provider_order_id: NotNull }>()

export type OrderRow = Awaited<ReturnType<ReturnType<typeof orders>['executeTakeFirstOrThrow']>>

export const selectOrderOfPayment = (db: Database, paymentId: string) =>
  orders(db).where('orders.payment_id', '=', paymentId).executeTakeFirstOrThrow()

/** A page of a user's orders, newest first: ids are UUIDv7, so their order is that of creation. */
export const selectOrdersOfUser = (
  db: Database,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
) =>
  orders(db)
    .where('orders.user_id', '=', userId)
    .orderBy('orders.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const selectOrder = (db: Database, id: string) =>
  orders(db).where('orders.id', '=', id).executeTakeFirstOrThrow()

/** False when there is no such order. */
export async function updateOrderStatus(
  db: Database,
  id: string,
  status: OrderStatus,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ status })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function countOrdersOfUser(db: Database, userId: string): Promise<number> {
  const { total } = await db
    .selectFrom('orders')
    .where('user_id', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The number of a user's orders in these statuses. */
export async function countOrdersAt(
  db: Database,
  userId: string,
  statuses: OrderStatus[],
): Promise<number> {
  const { total } = await db
    .selectFrom('orders')
    .where('user_id', '=', userId)
    .where('status', 'in', statuses)
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Replaces the buyer's name on all orders of a user and empties the contact data. */
export const updateBuyerName = (db: Database, userId: string, name: string) =>
  db
    .updateTable('orders')
    .set({ buyer_name: name, buyer_email: '', buyer_phone: '', buyer_address: '' })
    .where('user_id', '=', userId)
    .execute()

/**
 * Large orders are read a few at a time, so that the event loop can serve other requests between.
 */
const ORDERS_AT_ONCE = 4

const selectLines = (db: Database, orderIds: string[]) =>
  db
    .selectFrom('order_lines')
    .where('order_id', 'in', orderIds)
    .orderBy('order_id')
    .orderBy('position')
    .select(['order_id', 'position', 'product_id', 'quantity', 'name', 'slug', 'price_minor'])
    // older orders may store whole descriptions
    .select((eb) =>
      eb.fn<string>('left', ['description', eb.lit(MOST_DESCRIBED)]).as('description'),
    )
    .execute()

/** The lines of some orders, in the order of their carts. */
export async function selectLinesOf(db: Database, orderIds: string[]) {
  const lines: Row<'order_lines'>[] = []
  for (let at = 0; at < orderIds.length; at += ORDERS_AT_ONCE) {
    const some = await selectLines(db, orderIds.slice(at, at + ORDERS_AT_ONCE))
    for (const line of some) lines.push(line)
    // the embedded database answers without yielding to the event loop
    await setImmediate()
  }
  return lines
}
