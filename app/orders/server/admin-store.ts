import { type ExpressionBuilder, sql } from 'kysely'
import { startOfDay } from '#app/shared/server/day/day-store.ts'
import type { Database, Schema } from '#db/schema.ts'
import type { OrderFilter } from '../contract.ts'
import { type OrderRow, orders } from './store.ts'

export type Filter = Omit<OrderFilter, 'page'>

const [FIRST_ID, LAST_ID] = ['0', 'f'].map((digit) =>
  [8, 4, 4, 4, 12].map((digits) => digit.repeat(digits)).join('-'),
) as [string, string]

/** The ids that begin with a text, as the first and the last there could be; null if none can. */
function idsFrom(beginning: string): [string, string] | null {
  const first = beginning + FIRST_ID.slice(beginning.length)
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(first)) return null
  return [first, beginning + LAST_ID.slice(beginning.length)]
}

/** Part of the buyer's name or e-mail, beginning of the order's id, or the payment's id. */
const foundBy = (eb: ExpressionBuilder<Schema, 'orders'>, text: string) => {
  const ids = idsFrom(text)
  return eb.or([
    eb('orders.search', 'like', sql<string>`containing(${text})`),
    eb(
      'orders.payment_id',
      '=',
      eb
        .selectFrom('provider_payments')
        .select('payment_id')
        .where('id', '=', text)
        .where('state', '=', 'kept'),
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

/**
 * A page of all orders, newest first. Rows are fetched only for those that the page shows. What is
 * searched for is found first and sorted then (`offset 0` keeps the two apart): PostgreSQL would
 * expect to meet it soon on the way through all orders, and walk to the end.
 */
export const selectOrders = (
  db: Database,
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
): Promise<OrderRow[]> =>
  orders(db)
    .where('orders.id', 'in', (eb) =>
      eb
        .selectFrom((from) =>
          from
            .selectFrom('orders')
            .select(['orders.id', 'orders.created_at'])
            .where(among(filter))
            .$if(Boolean(filter.q), (searched) => searched.offset(0))
            .as('found'),
        )
        .select('found.id')
        .orderBy('found.created_at', 'desc')
        .orderBy('found.id', 'desc')
        .limit(limit)
        .offset(offset),
    )
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc')
    .execute()

/** From the counts that the database keeps by status. */
async function sumOfCounts(db: Database, { status }: Filter): Promise<number> {
  const { total } = await db
    .selectFrom('order_counts')
    .select(sql<number>`coalesce(sum(orders), 0)::integer`.as('total'))
    .$if(status !== undefined, (counts) => counts.where('status', '=', status ?? 'cancel'))
    .executeTakeFirstOrThrow()
  return total
}

/** How many orders a list has; rows are counted only for days and what is searched. */
export async function countOrders(db: Database, filter: Filter): Promise<number> {
  if (!filter.from && !filter.to && !filter.q) return sumOfCounts(db, filter)
  const { total } = await db
    .selectFrom('orders')
    .select(sql<number>`count(*)::integer`.as('total'))
    .where(among(filter))
    .executeTakeFirstOrThrow()
  return total
}
