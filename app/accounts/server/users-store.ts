import { sql } from 'kysely'
import {
  NET_REVENUE_SHARE,
  ORDER_MONEY,
  REVENUE_SHARE,
} from '#app/orders/server/net-revenue.sql.ts'
import { MAX_RESULTS } from '#app/shared/contract/fields.ts'
import { type ListPage, type Slice, selectPage, slicePage } from '#app/shared/server/pagination.ts'
import { containing, countRows } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'

/** Ids are UUIDv7, so their order is that of creation. */
const idsInOrder = (db: Database, direction: 'asc' | 'desc') =>
  db.selectFrom('users').select('id').orderBy('id', direction)

/**
 * A page of all ids, or, with a search text, of the newest users whose name or e-mail contains it.
 */
export async function selectUserIds(db: Database, text: string, slice: Slice): Promise<ListPage> {
  if (text !== '') {
    const found = idsInOrder(db, 'desc').where('search', 'like', containing(text))
    return slicePage(await found.limit(MAX_RESULTS).execute(), slice)
  }
  return selectPage(
    slice,
    await countRows(db.selectFrom('users')),
    (direction, { limit, offset }) =>
      idsInOrder(db, direction).limit(limit).offset(offset).execute(),
  )
}

/**
 * Users with the number of their orders, and what was received for those in this currency less refunds, newest first.
 * Cancelled, wholly refunded and test orders do not count.
 */
export async function selectUsers(db: Database, ids: string[], currency: string) {
  if (ids.length === 0) return []
  return db
    .selectFrom('users')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('orders')
          .innerJoinLateral(ORDER_MONEY, (join) => join.onTrue())
          .whereRef('orders.user_id', '=', 'users.id')
          .where('status', '!=', 'cancel')
          .where('orders.test', '=', false)
          .select([
            sql<number>`(count(*) filter (where ${NET_REVENUE_SHARE} > 0))::integer`.as('orders'),
            sql<number>`coalesce(sum(round(total_minor * ${REVENUE_SHARE}))
              filter (where orders.currency = ${currency}::text), 0)::bigint`.as('spent_minor'),
          ])
          .as('sales'),
      (join) => join.onTrue(),
    )
    .where('users.id', 'in', ids)
    .orderBy('users.id', 'desc')
    .selectAll('users')
    .select(['sales.orders', 'sales.spent_minor'])
    .execute()
}

/**
 * Locks all admins and the user whose role changes until the transaction ends, and returns the
 * admins' ids. Concurrent role changes wait and then see the result. Rows are locked in the order
 * of their ids, so two transactions never deadlock.
 */
export async function lockAdmins(tx: Database, andUser: string): Promise<string[]> {
  const locked = await tx
    .selectFrom('users')
    .where(({ or, eb }) => or([eb('is_admin', '=', true), eb('id', '=', andUser)]))
    .orderBy('id')
    .select(['id', 'is_admin'])
    .forNoKeyUpdate()
    .execute()
  return locked.filter(({ is_admin }) => is_admin).map(({ id }) => id)
}

export const updateRole = (tx: Database, id: string, is_admin: boolean) =>
  tx
    .updateTable('users')
    .set({ is_admin })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
