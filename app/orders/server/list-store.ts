import { type ExpressionBuilder, sql } from 'kysely'
import { MAX, NIL } from 'uuid'
import { isId, MAX_RESULTS } from '#app/shared/contract/fields.ts'
import { type Slice, selectPage, slicePage } from '#app/shared/server/pagination.ts'
import { startOfDay } from '#app/shared/server/settings/day-store.ts'
import { containing, countRows, inOrderOf } from '#app/shared/server/store.ts'
import type { Database, Schema } from '#db/schema.ts'
import type { OrderFilter } from '../admin-contract.ts'
import { type OrderRow, orders } from './store.ts'

export type Filter = Omit<OrderFilter, 'page'>

/** The first and the last possible id that begin with a text; null when there is none. */
function idsFrom(beginning: string): [string, string] | null {
  const first = beginning + NIL.slice(beginning.length)
  return isId(first) ? [first, beginning + MAX.slice(beginning.length)] : null
}

/** The number of an order in a text such as `3` or `#3`; null when it is none. */
function numberIn(text: string): number | null {
  const number = Number(/^#?\s*(\d+)$/.exec(text)?.[1] ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : null
}

/**
 * Matches the number, part of the buyer's name or e-mail, the beginning of the order's id, or the
 * payment's id; a text such as `#3` the number only.
 */
const foundBy = (eb: ExpressionBuilder<Schema, 'orders'>, text: string) => {
  const number = numberIn(text)
  if (text.startsWith('#') && number !== null) return eb('orders.number', '=', number)
  const ids = idsFrom(text)
  return eb.or([
    eb('orders.search', 'like', containing(text)),
    eb(
      'orders.payment_id',
      '=',
      eb
        .selectFrom('captures')
        .select('payment_id')
        .where('provider_payment_id', '=', text)
        .where('purpose', '=', 'order'),
    ),
    ...(number === null ? [] : [eb('orders.number', '=', number)]),
    ...(ids ? [eb.between('orders.id', ...ids)] : []),
  ])
}

const among =
  ({ status, from, to, q }: Filter) =>
  (eb: ExpressionBuilder<Schema, 'orders'>) =>
    eb.and([
      ...(status ? [eb('orders.status', '=', status)] : []),
      ...(from ? [eb('orders.created_at', '>=', startOfDay(from))] : []),
      ...(to ? [eb('orders.created_at', '<', startOfDay(to, 1))] : []),
      ...(q ? [foundBy(eb, q)] : []),
    ])

const idsInOrder = (db: Database, filter: Filter, direction: 'asc' | 'desc') => {
  const number = numberIn(filter.q ?? '')
  return db
    .selectFrom('orders')
    .select('id')
    .where(among(filter))
    .$if(number !== null, (ids) => ids.orderBy(sql`orders.number = ${number}`, 'desc'))
    .orderBy('created_at', direction)
    .orderBy('id', direction)
}

/**
 * A page of the ids of all orders or, with a search text, of the newest that match, after
 * the one of this number.
 */
export async function selectOrderIds(db: Database, filter: Filter, slice: Slice) {
  if (filter.q) {
    const found = await idsInOrder(db, filter, 'desc').limit(MAX_RESULTS).execute()
    return slicePage(found, slice)
  }
  const total = await countRows(db.selectFrom('orders').where(among(filter)))
  return selectPage(slice, total, (direction, { limit, offset }) =>
    idsInOrder(db, filter, direction).limit(limit).offset(offset).execute(),
  )
}

export const selectNewestOrders = (db: Database, limit: number): Promise<OrderRow[]> =>
  orders(db)
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(limit)
    .execute()

/** The orders of these ids, in the order of the ids. */
export async function selectOrders(db: Database, ids: string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return []
  return inOrderOf(ids, await orders(db).where('orders.id', 'in', ids).execute())
}
