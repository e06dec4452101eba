import { type Insertable, sql } from 'kysely'
import type { Database, Schema } from '#db/schema.ts'

export const insertSession = (db: Database, session: Insertable<Schema['sessions']>) =>
  db.insertInto('sessions').values(session).execute()

export const selectCaller = (db: Database, tokenHash: Buffer) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .select(['users.id', 'users.is_admin'])
    .executeTakeFirst()
