/** Settings as documents: one row of JSON each, and a version that counts the changes. */
import { sql } from 'kysely'
import type { Database, Schema } from '#db/schema.ts'

type Name = Schema['settings']['name']

/** Undefined before the first save. */
export const selectDocument = (db: Database, name: Name) =>
  db.selectFrom('settings').where('name', '=', name).select(['version', 'value']).executeTakeFirst()

/** Does nothing when the document is stored already. */
export const insertDocument = (tx: Database, name: Name, value: object) =>
  tx
    .insertInto('settings')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((stored) => stored.doNothing())
    .execute()

/** Replaces these keys of a document. Undefined when it has another version than the given one. */
export const updateDocument = (tx: Database, name: Name, changes: object, version?: number) =>
  tx
    .updateTable('settings')
    .set({
      value: sql`value || ${JSON.stringify(changes)}::jsonb`,
      version: sql`version + 1`,
    })
    .where('name', '=', name)
    .where('version', '=', version ?? sql<number>`version`)
    .returning('version')
    .executeTakeFirst()

/** The settings that the defaults have, without what else a client has sent. */
export const onlyKnown = <Value extends object>(defaults: Value, sent: Value): Value =>
  Object.fromEntries(
    Object.entries(sent).filter(([name]) => Object.hasOwn(defaults, name)),
  ) as Value
