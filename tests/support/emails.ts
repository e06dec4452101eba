/** E-mails that a test queues, as what happened does. */

import type { NewEvent } from '#app/shared/server/outbox/events.ts'
import { recordEvents } from '#app/shared/server/outbox/events-store.ts'
import type { Database } from '#db/schema.ts'

/** Queues so many e-mails to the owner of an account. */
export const queueEmailsTo = ({ id: subjectId }: { id: string }, count: number, db: Database) =>
  recordEvents(
    db,
    Array.from(
      { length: count },
      (): NewEvent => ({ kind: 'password_changed', subjectId, facts: {} }),
    ),
  )

/** The kinds of the e-mails about a row, such as an order, the oldest first. */
export const emailKindsAbout = async (db: Database, { _id }: { _id: string }) =>
  (
    await db
      .selectFrom('emails')
      .innerJoin('events', 'events.id', 'event_id')
      .where('subject_id', '=', _id)
      .orderBy('emails.id')
      .select('emails.kind')
      .execute()
  ).map(({ kind }) => kind)
