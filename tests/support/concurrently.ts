import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { onServer } from './database.ts'

type Rows = RawBuilder<unknown>

/** Resolves when so many transactions wait for a lock. */
async function whenWaiting(tx: Kysely<Schema>, many: number) {
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  for (;;) {
    if ((await waiting.execute(tx)).rows.length >= many) return
    // a transaction would see the snapshot of its first query
    await sql`select pg_stat_clear_snapshot()`.execute(tx)
    await yieldToEventLoop()
  }
}

/**
 * Runs the works concurrently. On PostgreSQL at least two really overlap: the rows locked by
 * `holding`, which all of them need, are released only when two wait. The embedded database has one
 * connection, so nothing overlaps.
 */
export async function atOnce<Result>(
  db: Kysely<Schema>,
  holding: Rows,
  works: (() => Promise<Result>)[],
): Promise<Result[]> {
  const doAll = () => Promise.all(works.map((work) => work()))
  if (!onServer) return doAll()
  const { all } = await db.transaction().execute(async (tx) => {
    await holding.execute(tx)
    const all = doAll()
    await whenWaiting(tx, 2)
    return { all }
  })
  return all
}
