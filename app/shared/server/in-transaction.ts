import type { Kysely, Transaction } from 'kysely'
import type { Database, Schema } from '#db/schema.ts'

const isTransaction = (db: Database): db is Transaction<Schema> => db.isTransaction

/** Does the work in a transaction: the caller's where there is one, else one of its own. */
export const inTransaction = <Result>(
  db: Database,
  work: (tx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> =>
  isTransaction(db) ? work(db) : (db satisfies Kysely<Schema>).transaction().execute(work)
