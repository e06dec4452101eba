import { sql } from 'kysely'
import {
  NET_REVENUE_SHARE,
  ORDER_MONEY,
  REVENUE_SHARE,
} from '#app/orders/server/net-revenue.sql.ts'
import { counts } from '#app/settings/server/demo.sql.ts'
import type { AccountKind } from '#app/shared/contract/access.ts'
import { MAX_RESULTS } from '#app/shared/contract/fields.ts'
import { type ListPage, type Slice, selectPage, slicePage } from '#app/shared/server/pagination.ts'
import { SHOP_CURRENCY } from '#app/shared/server/settings/currency-store.ts'
import { containing, countRows, inOrderOf } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import type { UserFilter } from '../admin-contract.ts'
import {
  ADMINS,
  accountsInView,
  columnsOfKind,
  isAdmin,
  KIND_COLUMNS,
  NO_CUSTOMERS,
} from './account-kinds.sql.ts'

type Filter = Omit<UserFilter, 'page'>

/** The beginning of the name by which users are sorted, as in their index. */
const SORT_NAME = sql`left(folded(name), 100)`

const usersIn = (db: Database, view?: Filter['view']) =>
  db
    .selectFrom('users')
    .$if(view === 'admins', (users) => users.where(accountsInView('admins')))
    .$if(view === 'closed', (users) => users.where('closed_at', 'is not', null))
    .$if(view === 'customers', (users) =>
      users.where(accountsInView('customers')).where('closed_at', 'is', null),
    )

/** The customers are all but the staff and closed accounts: these are counted faster. */
async function countUsers(db: Database, view: Filter['view']): Promise<number> {
  const count = (part?: Filter['view']) => countRows(usersIn(db, part))
  if (view !== 'customers') return count(view)
  const staff = usersIn(db).where(NO_CUSTOMERS).where('closed_at', 'is', null)
  const [all, ofStaff, closed] = await Promise.all([count(), countRows(staff), count('closed')])
  return all - ofStaff - closed
}

/**
 * A page of the ids of a view, or, with a search text, of the newest users whose name or e-mail contains it. Ids
 * are UUIDv7, so their order is that of creation.
 */
export async function selectUserIds(
  db: Database,
  { q = '', view, sort = '-since' }: Filter,
  slice: Slice,
): Promise<ListPage> {
  const isByName = sort.endsWith('name')
  const isAscending = !sort.startsWith('-')
  const text = q.trim()
  if (text !== '') {
    const newest = usersIn(db, view)
      .where('search', 'like', containing(text))
      .orderBy('id', 'desc')
      .limit(MAX_RESULTS)
      .select(['id', 'name'])
    const direction = isAscending ? 'asc' : 'desc'
    const found = db
      .selectFrom(newest.as('newest'))
      .$if(isByName, (users) => users.orderBy(SORT_NAME, direction))
      .orderBy('id', direction)
      .select('id')
    return slicePage(await found.execute(), slice)
  }
  return selectPage(slice, await countUsers(db, view), (end, { limit, offset }) => {
    // `desc` is the order of the list
    const direction = (end === 'desc') === isAscending ? 'asc' : 'desc'
    return usersIn(db, view)
      .$if(isByName, (users) => users.orderBy(SORT_NAME, direction))
      .orderBy('id', direction)
      .limit(limit)
      .offset(offset)
      .select('id')
      .execute()
  })
}

/**
 * Users with the number of their orders, and what was received for those in the shop's currency less refunds, in
 * the order of these ids. Cancelled, wholly refunded and test orders do not count.
 */
export async function selectUsers(db: Database, ids: string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('orders')
          .innerJoinLateral(ORDER_MONEY, (join) => join.onTrue())
          .whereRef('orders.user_id', '=', 'users.id')
          .where('status', '!=', 'cancel')
          .where(counts('orders.test'))
          .select([
            sql<number>`(count(*) filter (where ${NET_REVENUE_SHARE} > 0))::integer`.as('orders'),
            sql<number>`coalesce(sum(round(total_minor * ${REVENUE_SHARE}))
              filter (where orders.currency = ${SHOP_CURRENCY}), 0)::bigint`.as('spent_minor'),
          ])
          .as('sales'),
      (join) => join.onTrue(),
    )
    .where('users.id', 'in', ids)
    .selectAll('users')
    .select(['sales.orders', 'sales.spent_minor', SHOP_CURRENCY.as('currency')])
    .execute()
  return inOrderOf(ids, rows)
}

/**
 * Locks all admins and the user whose role changes until the transaction ends, and returns the
 * admins' ids. Concurrent role changes wait and then see the result. Rows are locked in the order
 * of their ids, so two transactions never deadlock.
 */
export async function lockAdmins(tx: Database, andUser: string): Promise<string[]> {
  const locked = await tx
    .selectFrom('users')
    .where(({ or, eb }) => or([ADMINS, eb('id', '=', andUser)]))
    .orderBy('id')
    .select(['id', ...KIND_COLUMNS])
    .forNoKeyUpdate()
    .execute()
  return locked.filter(isAdmin).map(({ id }) => id)
}

/** Makes an open account one of this kind. */
export const updateKind = (tx: Database, id: string, kind: AccountKind) =>
  tx
    .updateTable('users')
    .set(columnsOfKind(kind))
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
