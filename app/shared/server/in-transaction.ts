import type { Kysely, Transaction } from 'kysely'
import type { Database, Schema } from '#db/schema.ts'
import type { Actor } from './actor/actor.ts'
import { setActor } from './actor/actor-store.ts'

const isTransaction = (db: Database): db is Transaction<Schema> => db.isTransaction

/**
 * Does the work in a transaction, whose changes are the actor's in the audit log; in the caller's
 * where there is one, and then they are whoever's began it.
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
