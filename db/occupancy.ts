import { setTimeout } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import pg from 'pg'
import { LOCKS, tryLock, trySharedLockQuery } from './locks.ts'
import type { Schema } from './schema.ts'

const CONNECT_MS = 10_000
/** A network that has gone silent is noticed by asking. */
const BEAT_MS = 30_000
const PAUSE_MS = 1000

/** The transaction lasts as long as the shop, whatever the server's limits. */
const NO_LIMITS = `select set_config(name, '0', true) from pg_settings
  where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`
const SHARE = `${trySharedLockQuery(LOCKS.instance)} /* this shop is open */`

const isReplaced = Symbol('replaced')
const replaced = () =>
  Object.assign(
    new Error('A backup is being put in the place of this database. Start the shop after that.'),
    { [isReplaced]: true },
  )

/**
 * Shares the lock in a transaction of its own that never ends, and not in a session: behind a pooler
 * that gives each transaction another session (PgBouncer) it holds as well.
 */
async function enter(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({
    ...{ connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS, keepAlive: true },
    ...settings,
  })
  // it is followed by its end
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('begin')
    await client.query(NO_LIMITS)
    const { rows } = await client.query<{ acquired: boolean }>(SHARE)
    if (!rows[0]?.acquired) throw replaced()
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * Lets everybody on this server know that a shop runs on the database, until the answer is called;
 * a connection that is lost is made anew. Throws a sentence when a backup is being put in its place;
 * `gone` hears when that is found later.
 */
export async function occupy(
  settings: pg.ClientConfig,
  gone: (error: Error) => void,
): Promise<() => Promise<void>> {
  const over = new AbortController()
  let client = await enter(settings)

  const comeBack = async () => {
    while (!over.signal.aborted) {
      try {
        client = await enter(settings)
        return stay()
      } catch (error) {
        if (error instanceof Error && isReplaced in error) return gone(error)
        await setTimeout(PAUSE_MS, undefined, { ref: false })
      }
    }
  }
  const stay = () => {
    const here = client
    const beat = () => here.query('select 1').catch(() => here.end())
    const beats = setInterval(beat, BEAT_MS).unref()
    here.once('end', () => {
      clearInterval(beats)
      comeBack()
    })
    if (over.signal.aborted) return here.end()
  }
  stay()
  return async () => {
    over.abort()
    await client.end()
  }
}

/** Has the database for itself until the transaction ends. Throws a sentence while a shop runs. */
export async function haveAlone(tx: Transaction<Schema>): Promise<void> {
  if (!(await tryLock(tx, LOCKS.instance)))
    throw new Error(
      'A shop is running on this database. Stop every process of it first. Nothing was changed.',
    )
}
