import type { Kysely, Transaction } from 'kysely'
import type { Database, Schema } from '#db/schema.ts'
import type { Actor } from './actor/actor.ts'
import { setActor } from './actor/actor-store.ts'

const isTransaction = (db: Database): db is Transaction<Schema> => db.isTransaction

/**
 * Runs the work in a transaction with this actor for the audit log. Inside a transaction of the
 * caller it joins that, with that transaction's actor.
 */
export const inTransaction = <Result>(
  db: Database,
  actor: Actor,
  work: (tx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> => {
  if (isTransaction(db)) return work(db)
  return (db satisfies Kysely<Schema>).transaction().execute(async (tx) => {
    await setActor(tx, actor)
    return work(tx)
  })
}
