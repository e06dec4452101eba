import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

const found = (db: Database, text: string) =>
  db
    .selectFrom('users')
    .$if(text !== '', (users) => users.where('search', 'like', sql<string>`containing(${text})`))

/**
 * A page of the users whose name or e-mail has a text, newest first: ids are UUIDv7, so their order
 * is that of creation. Rows are fetched only for those that the page shows.
 */
export const selectUsers = (
  db: Database,
  text: string,
  { limit, offset }: { limit: number; offset: number },
) =>
  db
    .selectFrom('users')
    .leftJoin('user_sales', 'user_sales.user_id', 'users.id')
    .where(
      'users.id',
      'in',
      found(db, text).select('id').orderBy('id', 'desc').limit(limit).offset(offset),
    )
    .orderBy('users.id', 'desc')
    .selectAll('users')
    .select(['user_sales.orders', 'user_sales.spent_minor'])
    .execute()

export async function countUsers(db: Database, text: string): Promise<number> {
  const { total } = await found(db, text)
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export const selectUser = (db: Database, id: string) =>
  db.selectFrom('users').where('id', '=', id).selectAll().executeTakeFirst()

/**
 * Who is an admin, held until the transaction ends: whoever else wants to change a role waits, and
 * then sees who is left. In the order of their ids, so that two never wait for each other.
 */
export async function lockAdmins(tx: Database): Promise<string[]> {
  const admins = await tx
    .selectFrom('users')
    .where('is_admin', '=', true)
    .orderBy('id')
    .select('id')
    .forNoKeyUpdate()
    .execute()
  return admins.map(({ id }) => id)
}

export const updateRole = (tx: Database, id: string, is_admin: boolean) =>
  tx.updateTable('users').set({ is_admin }).where('id', '=', id).returningAll().executeTakeFirst()
