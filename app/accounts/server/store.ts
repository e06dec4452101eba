import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { auditedColumn, hasRow } from '#app/shared/server/store.ts'
import { PREPARED } from '#db/prepared.ts'
import type { Database, Row, Schema, StoredAddress } from '#db/schema.ts'
import { ADMINS, KIND_COLUMNS } from './account-kinds.sql.ts'

/** The unique constraint on the e-mail. */
export const EMAIL_TAKEN = 'users_email_key_key'

export const insertUser = (db: Database, user: Insertable<Schema['users']>) =>
  db.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()

/** A closed account has no e-mail, so no log-in finds it. */
const openUsersByEmail = (db: Database, emailKey: string) =>
  db
    .selectFrom('users')
    .where('email_key', '=', emailKey)
    .where('closed_at', 'is', null)
    .selectAll()

export const selectUserByEmail = (db: Database, emailKey: string) =>
  openUsersByEmail(db, emailKey).executeTakeFirst()

/** Selects and locks an open account, so that its requests are answered one after the other. */
export const lockUserByEmail = (tx: Database, emailKey: string) =>
  openUsersByEmail(tx, emailKey).forNoKeyUpdate().executeTakeFirst()

/** The user of an open account, by id. */
export const selectUser = (db: Database, id: string) =>
  db
    .selectFrom('users')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .selectAll()
    .executeTakeFirst()

export const selectHasAdmin = (db: Database): Promise<boolean> =>
  hasRow(db.selectFrom('users').where(ADMINS))

type Changes = Pick<
  Updateable<Schema['users']>,
  'name' | 'phone' | 'address' | 'password_hash' | 'answer_hash'
> & { delivery?: StoredAddress | null | undefined }

/** Updates the given columns. */
export const updateUser = (db: Database, id: string, changes: Changes) =>
  db
    .updateTable('users')
    .set(({ ref }) => ({
      name: changes.name ?? ref('name'),
      phone: changes.phone ?? ref('phone'),
      address: changes.address ?? ref('address'),
      password_hash: changes.password_hash ?? ref('password_hash'),
      answer_hash: changes.answer_hash ?? ref('answer_hash'),
    }))
    .$if(changes.delivery !== undefined, (update) =>
      update.set({ delivery: changes.delivery ? JSON.stringify(changes.delivery) : null }),
    )
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The expiry of a session used now: in seven days, at most thirty days after its creation. */
const nextEnd = (createdAt: RawBuilder<unknown>) =>
  sql<Date>`least(now() + interval '168 hours', ${createdAt} + interval '720 hours')`

/**
 * Inserts a session only if the password is still the one that was checked. The row lock waits for
 * a concurrent password change, which would otherwise end every session but this one.
 */
export async function insertSession(
  db: Database,
  tokenHash: Buffer,
  { id, password_hash }: Pick<Row<'users'>, 'id' | 'password_hash'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('sessions')
    .columns(['token_hash', 'expires_at', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([
          sql<Buffer>`${tokenHash}::bytea`.as('token_hash'),
          nextEnd(sql`now()`).as('expires_at'),
          'id',
        ])
        .where('id', '=', id)
        .where('password_hash', '=', password_hash)
        .forShare(),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

const CREATED_AT = sql.ref('sessions.created_at')

/** The user of a session, and whether its last use has to be stored (once an hour). */
export const selectCaller = (db: Database, tokenHash: Buffer) =>
  db
    .selectFrom('sessions')
    .modifyFront(PREPARED)
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .select(['users.id', ...KIND_COLUMNS])
    .select(
      sql<boolean>`sessions.expires_at < ${nextEnd(CREATED_AT)} - interval '1 hour'`.as('is_due'),
    )
    .executeTakeFirst()

/** Stores the use of a session, which postpones its expiry. */
export const extendSession = (db: Database, tokenHash: Buffer) =>
  db
    .updateTable('sessions')
    .set({ expires_at: nextEnd(CREATED_AT) })
    .where('token_hash', '=', tokenHash)
    .execute()

export const deleteSession = (db: Database, tokenHash: Buffer) =>
  db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()

/** Ends the sessions of a user, except the given one. */
export const deleteSessionsOfUser = (db: Database, userId: string, except: Buffer | null = null) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== null, (others) => others.where('token_hash', '!=', except))
    .execute()

/** Deletes a limited number of expired sessions or links, skipping locked rows, so that no log-in waits. */
export const deleteExpired = (db: Database, table: 'sessions' | 'account_tokens') =>
  sql`
    delete from ${sql.table(table)}
    where token_hash in (
      select token_hash from ${sql.table(table)}
      where expires_at <= now() limit 1000 for update skip locked
    )`.execute(db)

/** The name of a closed account, also as the buyer of its orders. */
export const CLOSED_ACCOUNT_NAME = 'Closed account'

/**
 * Selects and locks an open account until the transaction ends. Log-ins, orders and changes of it
 * wait.
 */
export const lockAccount = (tx: Database, id: string) =>
  tx
    .selectFrom('users')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .select(['name', 'email_key', ...KIND_COLUMNS])
    .forUpdate()
    .executeTakeFirst()

/** No e-mail contains a blank, so no registration can take this replacement key. */
export const anonymiseAccount = (tx: Database, id: string, hash: string) =>
  tx
    .updateTable('users')
    .set({
      name: CLOSED_ACCOUNT_NAME,
      email: '',
      email_key: `closed ${id}`,
      phone: '',
      address: '',
      delivery: null,
      password_hash: hash,
      answer_hash: hash,
      email_confirmed_at: null,
      closed_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()

/** The user's own columns for the export, without password and answer hashes. */
export const selectFacts = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['id as _id', 'name', 'email', 'phone', 'address', 'delivery', 'is_admin as admin'])
    .select(['created_at as createdAt', 'email_confirmed_at as emailConfirmedAt'])
    .executeTakeFirst()

/** The names of users in the history. */
export const AUDITED_USERS: AuditedRows = {
  users: {
    name: auditedColumn('users'),
    // of a secret and an e-mail only that they have changed
    stored: ['answer_hash', 'closed_at', 'email', 'is_admin', 'password_hash'],
  },
}
