import { type ExpressionBuilder, sql } from 'kysely'
import type { OrderFilter } from '#app/orders/admin-contract.ts'
import { MOST_FOUND } from '#app/shared/contract/fields.ts'
import { startOfDay } from '#app/shared/server/day/day-store.ts'
import { cutPage, type ListPage, type Slice, walkToPage } from '#app/shared/server/pagination.ts'
import type { Database, Schema } from '#db/schema.ts'
import { type OrderRow, orders } from '../store.ts'

export type Filter = Omit<OrderFilter, 'page'>

const [FIRST_ID, LAST_ID] = ['0', 'f'].map((digit) =>
  [8, 4, 4, 4, 12].map((digits) => digit.repeat(digits)).join('-'),
) as [string, string]

/** The first and the last possible id that begin with a text; null when there is none. */
function idsFrom(beginning: string): [string, string] | null {
  const first = beginning + FIRST_ID.slice(beginning.length)
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(first)) return null
  return [first, beginning + LAST_ID.slice(beginning.length)]
}

/**
 * Matches part of the buyer's name or e-mail, the beginning of the order's id, or the payment's id.
 */
const foundBy = (eb: ExpressionBuilder<Schema, 'orders'>, text: string) => {
  const ids = idsFrom(text)
  return eb.or([
    eb('orders.search', 'like', sql<string>`containing(${text})`),
    eb(
      'orders.payment_id',
      '=',
      eb.selectFrom('payments').select('id').where('provider_payment_id', '=', text),
    ),
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

const idsInOrder = (db: Database, filter: Filter, direction: 'asc' | 'desc') =>
  db
    .selectFrom('orders')
    .select('id')
    .where(among(filter))
    .orderBy('created_at', direction)
    .orderBy('id', direction)

async function countOrders(db: Database, filter: Filter): Promise<number> {
  const { total } = await db
    .selectFrom('orders')
    .where(among(filter))
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** A page of the ids of all orders or, with a search text, of the newest that match. */
export async function selectOrderIds(
  db: Database,
  filter: Filter,
  slice: Slice,
): Promise<ListPage> {
  if (filter.q) {
    const found = idsInOrder(db, filter, 'desc').limit(MOST_FOUND)
    return cutPage(await found.execute(), slice)
  }
  return walkToPage(slice, await countOrders(db, filter), (direction, { limit, offset }) =>
    idsInOrder(db, filter, direction).limit(limit).offset(offset).execute(),
  )
}

/** Orders, newest first. */
export async function selectOrders(db: Database, ids: string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return []
  return orders(db)
    .where('orders.id', 'in', ids)
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc')
    .execute()
}
