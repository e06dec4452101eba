import { sql } from 'kysely'
import { changesRow, hasRow } from '#app/shared/server/store.ts'
import type { Database, Row } from '#db/schema.ts'
import { KIND_COLUMNS } from './account-kinds.sql.ts'

/** The purpose of a link in an e-mail. */
export type LinkPurpose = Row<'account_tokens'>['purpose']

export const insertToken = (
  db: Database,
  token: { hash: Buffer; userId: string; purpose: LinkPurpose; seconds: number },
) =>
  db
    .insertInto('account_tokens')
    .values({
      token_hash: token.hash,
      user_id: token.userId,
      purpose: token.purpose,
      expires_at: sql<Date>`now() + make_interval(secs => ${token.seconds})`,
    })
    .execute()

/** The user of a valid token; undefined for one that is unknown, used, expired or of a closed account. */
export const selectTokenUser = (db: Database, hash: Buffer, purpose: LinkPurpose) =>
  db
    .selectFrom('account_tokens')
    .innerJoin('users', 'users.id', 'account_tokens.user_id')
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('closed_at', 'is', null)
    .select(['users.id', ...KIND_COLUMNS, 'email_confirmed_at'])
    .executeTakeFirst()

/** Deletes a valid token; false when another request has used it. */
export const consumeToken = (tx: Database, hash: Buffer, purpose: LinkPurpose): Promise<boolean> =>
  changesRow(
    tx
      .deleteFrom('account_tokens')
      .where('token_hash', '=', hash)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', sql<Date>`now()`),
  )

/** Deletes the tokens of a user, of one purpose or of all. */
export const deleteTokensOfUser = (tx: Database, userId: string, purpose?: LinkPurpose) =>
  tx
    .deleteFrom('account_tokens')
    .where('user_id', '=', userId)
    .$if(purpose !== undefined, (some) => some.where('purpose', '=', purpose ?? 'confirm_email'))
    .execute()

/** Stores when the address was confirmed first; false when it was confirmed before. */
export const updateConfirmed = (tx: Database, userId: string): Promise<boolean> =>
  changesRow(
    tx
      .updateTable('users')
      .set({ email_confirmed_at: sql<Date>`now()` })
      .where('id', '=', userId)
      .where('closed_at', 'is', null)
      .where('email_confirmed_at', 'is', null),
  )

export const insertResetRequest = (db: Database, request: { id: string; email_key: string }) =>
  db.insertInto('reset_requests').values(request).execute()

export const hasResetRequests = (db: Database): Promise<boolean> =>
  hasRow(db.selectFrom('reset_requests'))

/** Deletes the oldest request that no other job has, and returns it. */
export const takeResetRequest = (tx: Database) =>
  tx
    .deleteFrom('reset_requests')
    .where('id', '=', (eb) =>
      eb.selectFrom('reset_requests').select('id').orderBy('id').limit(1).forUpdate().skipLocked(),
    )
    .returning(['email_key', 'created_at'])
    .executeTakeFirst()

export const deleteResetRequests = (tx: Database, emailKey: string) =>
  tx.deleteFrom('reset_requests').where('email_key', '=', emailKey).execute()
