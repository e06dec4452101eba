import { type EmailState, RETRYABLE_STATES } from '#app/emails/admin-contract.ts'
import { changesRow, containing, countRows } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { type EmailRow, QUEUED_ANEW } from '../store.ts'

type Filter = { state?: EmailState | undefined; q: string }
type Slice = { limit: number; offset: number }

/** With a text, the e-mails of users whose name or e-mail contains it, who are found by an index. */
const among = (db: Database, { state, q }: Filter) =>
  db
    .selectFrom('emails')
    .$if(state !== undefined, (all) => all.where('state', '=', state ?? 'queued'))
    .$if(q !== '', (all) =>
      all.where('user_id', 'in', (eb) =>
        eb.selectFrom('users').where('search', 'like', containing(q)).select('users.id'),
      ),
    )

/** A page of e-mails, newest first: ids are UUIDv7, so their order is that of creation. */
export const selectEmails = async (
  db: Database,
  filter: Filter,
  { limit, offset }: Slice,
): Promise<EmailRow[]> =>
  (await among(db, filter)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .selectAll()
    .execute()) as EmailRow[]

export const countEmails = (db: Database, filter: Filter): Promise<number> =>
  countRows(among(db, filter))

export const selectEmail = async (db: Database, id: string): Promise<EmailRow | undefined> =>
  (await db.selectFrom('emails').where('id', '=', id).selectAll().executeTakeFirst()) as
    | EmailRow
    | undefined

/** Queues an e-mail again, for three days. False when it is in no such state. */
export const requeueEmail = (tx: Database, id: string): Promise<boolean> =>
  changesRow(
    tx
      .updateTable('emails')
      .set(QUEUED_ANEW)
      .where('id', '=', id)
      .where('state', 'in', [...RETRYABLE_STATES]),
  )
