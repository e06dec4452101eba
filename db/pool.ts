import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { isUnprepared, preparedName } from './prepared.ts'
import { VERSION } from './releases/version.ts'

/** Called when the database becomes unreachable, and when it is back: once each per outage. */
export type Watcher = {
  down: (error: Error) => void
  up: () => void
}

/** SQLSTATE connection_failure; the driver's own errors have no code. */
const CONNECTION_FAILURE = '08006'
/** Read-only: the server is a replica, or has become one. A new connection may find the primary. */
const READ_ONLY = '25006'
/** Codes with which the server ends or refuses a connection, and that of a server without writes. */
const ENDED_BY_SERVER = new RegExp(`^(08|57P0|25P03|53300|${READ_ONLY})`)
/** Limit for connecting, and for waiting for a free connection. */
const CONNECT_MS = 10_000
/** The server ends a slow statement this much earlier than this process closes its connection. */
const HEAD_START_MS = 1000
/** A server that starts or ends accepts some connections and refuses others: an outage is over this long after the last loss. */
const SETTLED_MS = 2000
/** The server ends a transaction that is idle for this long. */
const IDLE_IN_TRANSACTION_MS = 60_000

export const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Whether the connection failed, and not the statement. */
function isConnectionError(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return ENDED_BY_SERVER.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  const isSystemError = 'syscall' in error || error instanceof AggregateError
  return isSystemError || /connect|terminated|queryable|timeout/i.test(error.message)
}

const connectionError = (cause: unknown) =>
  Object.assign(new Error(`The database cannot be reached: ${reason(cause)}`, { cause }), {
    code: cause instanceof pg.DatabaseError ? cause.code : CONNECTION_FAILURE,
  })

/** State shared by the connections of a pool. */
type State = {
  limitMs: number
  watcher: Watcher
  isDown: boolean
  /** When a connection was lost or refused, by `performance.now()`. */
  lostAt: number
  /** Whether marked statements are prepared. */
  prepares: boolean
  /** The limits set on each connection. */
  limits: WeakMap<object, number>
  /** The number of outages so far. */
  outages: number
  /** The number of outages before each connection was opened. */
  openedAfter: WeakMap<object, number>
}

/** Whether the connection was opened after the latest outage began. */
const isRecent = ({ openedAfter, outages }: State, client: object) =>
  openedAfter.get(client) === outages

/**
 * Reports a lost connection, or one that could not be opened, and returns the error for it. A server
 * that ends closes its connections one after the other: those opened before the outage say nothing
 * new.
 */
function noteLoss(state: State, error: unknown, client?: object) {
  const lost = connectionError(error)
  state.lostAt = performance.now()
  if (state.isDown || (client && !isRecent(state, client))) return lost
  state.isDown = true
  state.outages += 1
  state.watcher.down(lost)
  return lost
}

/** An outage ends with an answer, once no connection is lost any more. */
function noteAnswer(state: State) {
  if (!state.isDown || performance.now() - state.lostAt < SETTLED_MS) return
  state.isDown = false
  state.watcher.up()
}

/** Sends a statement, prepared by name if it is marked and the server side allows it. */
async function send(
  state: State,
  client: pg.PoolClient,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  const name = state.prepares ? preparedName(text) : undefined
  if (name === undefined) return client.query(text, values)
  try {
    return await client.query({ name, text, values })
  } catch (error) {
    if (!isUnprepared(error)) throw error
    state.prepares = false
    return client.query(text, values)
  }
}

/** Runs a statement, and destroys the connection when no answer arrives in time. */
async function run(
  state: State,
  client: pg.PoolClient,
  text: string,
  parameters: readonly unknown[],
) {
  const { limitMs } = state
  const giveUp = () => client.end().catch((error) => noteLoss(state, error, client))
  const timer = limitMs > 0 ? setTimeout(giveUp, limitMs + HEAD_START_MS) : undefined
  try {
    const result = await send(state, client, text, [...parameters])
    noteAnswer(state)
    return result
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === READ_ONLY) giveUp()
    throw isConnectionError(error) ? noteLoss(state, error, client) : error
  } finally {
    clearTimeout(timer)
  }
}

const limitStatements = (limitMs: number) =>
  limitMs > 0
    ? `set statement_timeout = ${limitMs}; set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};`
    : ''

/** Sets the limits of a connection when they have changed. */
async function applyLimits(state: State, client: pg.PoolClient) {
  const { limitMs, limits } = state
  if (limits.get(client) === limitMs) return
  limits.set(client, limitMs)
  // JIT compilation takes longer than these short statements
  await run(state, client, `${limitStatements(limitMs)} set jit = off`, [])
}

/** The part of a client that Kysely uses, with the limits of the pool. */
function withLimits(state: State, client: pg.PoolClient): PostgresPoolClient {
  function query<R>(text: string, given: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, given: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('Cursors are not supported.')
    return run(state, client, text, given)
  }
  return { query, release: (destroy) => client.release(destroy) }
}

async function connect(state: State, pool: pg.Pool): Promise<PostgresPoolClient> {
  const client = await pool.connect().catch((error) => {
    throw noteLoss(state, error)
  })
  try {
    await applyLimits(state, client)
    return withLimits(state, client)
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * Opens a pool that destroys a connection when a statement takes too long, so that a hanging server
 * blocks nothing. Every lost connection is an error with a code of class 08, 53 or 57; the pool
 * reconnects by itself. Until `watch` is called there is no statement timeout, because migrations
 * may take long.
 */
export function openPool({ prepares, ...settings }: pg.PoolConfig & { prepares: boolean }) {
  const state: State = {
    limitMs: 0,
    isDown: false,
    lostAt: 0,
    prepares,
    limits: new WeakMap(),
    outages: 0,
    openedAfter: new WeakMap(),
    watcher: { down() {}, up() {} },
  }
  const pool = new pg.Pool({
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // in pg_stat_activity and the log of the server
    application_name: `haat ${VERSION}`,
    ...settings,
  })
  // an idle connection that breaks is replaced; without a listener it would end the process
  const onError = (error: Error, client: object) => noteLoss(state, error, client)
  pool.on('error', onError).on('connect', (client) => {
    state.openedAfter.set(client, state.outages)
    client.on('error', (error) => onError(error, client))
  })
  const shared: PostgresPool = {
    connect: () => connect(state, pool),
    end: () => pool.end(),
    options: pool.options,
  }
  /** Sets the outage listener, and the statement timeout from now on, in milliseconds. */
  const watch = (watcher: Watcher, limitMs: number) => Object.assign(state, { watcher, limitMs })
  return { pool: shared, watch }
}
