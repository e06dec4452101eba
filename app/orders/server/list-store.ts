import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { MAX, NIL } from 'uuid'
import { isId, MAX_RESULTS } from '#app/shared/contract/fields.ts'
import { type ListPage, type Slice, selectPage, slicePage } from '#app/shared/server/pagination.ts'
import { startOfDay } from '#app/shared/server/settings/day-store.ts'
import { containing, countRows, inOrderOf } from '#app/shared/server/store.ts'
import type { Database, Schema } from '#db/schema.ts'
import {
  type OrderFilter,
  type OrderSort,
  SORT_COLUMNS,
  type SortColumn,
} from '../admin-contract.ts'
import { numberIn } from './order-number.ts'
import { type OrderRow, orders } from './store.ts'
import { ORDER_VIEWS } from './views.sql.ts'

type SortedFilter = Omit<OrderFilter, 'page'>
type Filter = Omit<SortedFilter, 'sort'>

/** The first and the last possible id that begin with a text; null when there is none. */
function idsFrom(beginning: string): [string, string] | null {
  const first = beginning + NIL.slice(beginning.length)
  return isId(first) ? [first, beginning + MAX.slice(beginning.length)] : null
}

/**
 * Matches the number, part of the buyer's name or e-mail, or of the name that is billed, the beginning of the order's id, or the
 * payment's id; a text such as `#3` the number only.
 */
const foundBy = (eb: ExpressionBuilder<Schema, 'orders'>, text: string) => {
  const number = numberIn(text)
  if (text.startsWith('#') && number !== null) return eb('orders.number', '=', number)
  const ids = idsFrom(text)
  return eb.or([
    eb('orders.search', 'like', containing(text)),
    sql<boolean>`orders.billing is not null and folded(orders.billing ->> 'name') like ${containing(text)}`,
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
  ({ view, status, customer, from, to, q }: Filter) =>
  (eb: ExpressionBuilder<Schema, 'orders'>) =>
    eb.and([
      ...(view ? [ORDER_VIEWS[view]] : []),
      ...(status ? [eb('orders.status', '=', status)] : []),
      ...(customer ? [eb('orders.user_id', '=', customer)] : []),
      ...(from ? [eb('orders.created_at', '>=', startOfDay(from))] : []),
      ...(to ? [eb('orders.created_at', '<', startOfDay(to, 1))] : []),
      ...(q ? [foundBy(eb, q)] : []),
    ])

/** The columns of the sorted lists; each has an index. */
const SORTED_BY: Record<SortColumn, RawBuilder<unknown>> = {
  number: sql.ref('number'),
  date: sql.ref('created_at'),
  // begins with the name
  customer: sql`left(search, 100)`,
  total: sql.ref('total_minor'),
}

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const

/** The order of a list: the column, and its direction from the first page on. */
function orderOf(sort: OrderSort = '-date') {
  const isDescending = sort.startsWith('-')
  const column = SORT_COLUMNS.find((one) => one === (isDescending ? sort.slice(1) : sort)) ?? 'date'
  return { by: SORTED_BY[column], direction: isDescending ? 'desc' : 'asc' } as const
}

const sorted = <O>(
  ids: SelectQueryBuilder<Schema, 'orders', O>,
  { by, direction }: ReturnType<typeof orderOf>,
) => ids.orderBy(by, direction).orderBy('id', direction)

const idsAmong = (db: Database, filter: Filter) =>
  db.selectFrom('orders').select('id').where(among(filter))

/** The newest orders that a search finds, the one of its number first unless they are sorted. */
function selectFound(db: Database, { sort, ...filter }: SortedFilter) {
  const number = numberIn(filter.q ?? '')
  const newest = sorted(
    idsAmong(db, filter).$if(number !== null, (ids) =>
      ids.orderBy(sql`orders.number = ${number}`, 'desc'),
    ),
    orderOf(),
  ).limit(MAX_RESULTS)
  if (!sort) return newest.execute()
  const ids = db.selectFrom('orders').select('id').where('id', 'in', newest)
  return sorted(ids, orderOf(sort)).execute()
}

/**
 * A page of the ids of all orders that match, newest first or sorted. With a search text, of the newest that
 * match, after the one of this number.
 */
export async function selectOrderIds(
  db: Database,
  { sort, ...filter }: SortedFilter,
  slice: Slice,
): Promise<ListPage> {
  if (filter.q) return slicePage(await selectFound(db, { sort, ...filter }), slice)
  // few, and to find them costs more than to read all
  if (filter.view === 'needs_attention')
    return slicePage(await sorted(idsAmong(db, filter), orderOf(sort)).execute(), slice)
  const total = await countRows(db.selectFrom('orders').where(among(filter)))
  const { by, direction } = orderOf(sort)
  return selectPage(slice, total, (end, { limit, offset }) =>
    sorted(idsAmong(db, filter), {
      by,
      direction: end === 'desc' ? direction : OPPOSITE[direction],
    })
      .limit(limit)
      .offset(offset)
      .execute(),
  )
}

/** The ids of at most so many orders that match a filter. */
export async function selectMatchingIds(db: Database, filter: Filter, limit: number) {
  const rows = await idsAmong(db, filter).limit(limit).execute()
  return rows.map(({ id }) => id)
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
