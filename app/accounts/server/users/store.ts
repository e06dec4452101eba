/** What the back office shows of one user, and its notes. */
import { sql } from 'kysely'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { sectionOf } from '#app/shared/server/personal-data-store.ts'
import { auditedColumn, changesRow, countRows } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'

const ordersOf = (db: Database, userId: string) =>
  db.selectFrom('orders').where('user_id', '=', userId)

export const countOrders = (db: Database, userId: string): Promise<number> =>
  countRows(ordersOf(db, userId))

export const selectLatestOrders = (db: Database, userId: string) =>
  ordersOf(db, userId)
    .orderBy('id', 'desc')
    .limit(5)
    .select(['id', 'number', 'created_at', 'status', 'total_minor', 'currency'])
    .select(
      sql<{ name: string; quantity: number }[]>`(
        select coalesce(json_agg(json_build_object('name', name, 'quantity', quantity) order by position), '[]')
        from order_lines where order_id = orders.id)`.as('products'),
    )
    .execute()

/** The addresses of the orders of a user, the latest first. */
export const selectAddresses = (db: Database, userId: string) =>
  ordersOf(db, userId)
    .where('buyer_address', '<>', '')
    .groupBy('buyer_address')
    .orderBy(sql`max(id::text)`, 'desc')
    .limit(5)
    .select(['buyer_address as address'])
    .execute()

/** The coupons that payments and orders of a user use. */
export const selectUsedCoupons = (db: Database, userId: string) =>
  db
    .selectFrom('coupon_uses')
    .innerJoin('coupons', 'coupons.id', 'coupon_id')
    .where('user_id', '=', userId)
    .groupBy('coupons.id')
    .orderBy(sql`max(payment_id::text)`, 'desc')
    .limit(20)
    .select([
      'coupons.id',
      sql<string>`coalesce(title, code)`.as('name'),
      sql<boolean>`deleted_at is not null`.as('is_deleted'),
      sql<number>`count(*)::integer`.as('uses'),
    ])
    .execute()

export const selectSessions = (db: Database, userId: string) =>
  db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .select(['created_at', 'expires_at'])
    .execute()

export const selectPlaces = (db: Database, userId: string) =>
  db
    .selectFrom('known_places')
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .select(['kind', 'seen_at'])
    .execute()

export const selectNotes = (db: Database, userId: string) =>
  db
    .selectFrom('user_notes')
    .innerJoin('users', 'users.id', 'author_id')
    .where('user_id', '=', userId)
    .orderBy('user_notes.id', 'desc')
    .select(['user_notes.id', 'text', 'users.name as author', 'user_notes.created_at'])
    .execute()

type Note = Pick<Row<'user_notes'>, 'id' | 'user_id' | 'author_id' | 'text'>

/** False when the account is closed, or is being closed, or there is none. */
export const insertNote = (
  tx: Database,
  { id, user_id, author_id, text }: Note,
): Promise<boolean> =>
  changesRow(
    tx
      .insertInto('user_notes')
      .columns(['id', 'user_id', 'author_id', 'text'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .where('users.id', '=', user_id)
          .where('closed_at', 'is', null)
          .select([
            sql<string>`${id}::uuid`.as('id'),
            'users.id as user_id',
            sql<string>`${author_id}::uuid`.as('author_id'),
            sql<string>`${text}::text`.as('text'),
          ])
          .forKeyShare(),
      ),
  )

export const deleteNote = (tx: Database, id: string): Promise<boolean> =>
  changesRow(tx.deleteFrom('user_notes').where('id', '=', id))

export const deleteNotesOfUser = (tx: Database, userId: string) =>
  tx.deleteFrom('user_notes').where('user_id', '=', userId).execute()

/** The notes about a user, without their authors. */
export const notesOfUser = sectionOf(
  (userId) => sql`
    select id::text as key, to_jsonb(user_notes) - 'author_id' as item
    from user_notes where user_id = ${userId}::uuid`,
)

/** The names of notes in the history: those of their users. */
export const AUDITED_NOTES: AuditedRows = {
  user_notes: { name: auditedColumn('users'), stored: ['author_id'] },
}
