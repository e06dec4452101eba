import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'

/**
 * Hears when the database cannot be reached, and when it is back: once each, however many ask; and
 * when the embedded one is gone for good, and only a new process can open it again.
 */
export type Watcher = {
  down: (error: Error) => void
  up: () => void
  gone: (error: Error) => void
}

/** What PostgreSQL calls a connection that failed (SQLSTATE); the driver's own errors have no name. */
const CONNECTION_FAILURE = '08006'
/** By these codes the server itself ends a connection, or lets nobody in. */
const ENDED_BY_SERVER = /^(08|57P0|25P03|53300)/
/** A connect that takes longer, or a wait for a free connection, has failed. */
const CONNECT_MS = 10_000
/** The server ends a statement a little earlier than we give the connection up. */
const HEAD_START_MS = 1000
/** A transaction in which nothing happens for so long is nobody's any more. */
const ABANDONED_MS = 60_000

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Whether it was the connection that failed, and not the statement. */
function isLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return ENDED_BY_SERVER.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  const isOfSystem = 'syscall' in error || error instanceof AggregateError
  return isOfSystem || /connect|terminated|queryable|timeout/i.test(error.message)
}

const loss = (cause: unknown) =>
  Object.assign(new Error(`The database cannot be reached: ${reason(cause)}`, { cause }), {
    code: cause instanceof pg.DatabaseError ? cause.code : CONNECTION_FAILURE,
  })

/** What the connections of a pool share. */
type State = { limitMs: number; watcher: Watcher; isDown: boolean; told: WeakMap<object, number> }

/** Notes that a connection is lost, and answers the error that says so. */
function noteLoss(state: State, error: unknown) {
  const lost = loss(error)
  if (!state.isDown) state.watcher.down(lost)
  state.isDown = true
  return lost
}

function noteAnswer(state: State) {
  if (state.isDown) state.watcher.up()
  state.isDown = false
}

/** Runs a statement, and ends the connection when no answer comes in time. */
async function run(
  state: State,
  client: pg.PoolClient,
  text: string,
  parameters: readonly unknown[],
) {
  const { limitMs } = state
  const giveUp = () => client.end().catch((error) => noteLoss(state, error))
  const timer = limitMs > 0 ? setTimeout(giveUp, limitMs + HEAD_START_MS) : undefined
  try {
    const result = await client.query(text, [...parameters])
    noteAnswer(state)
    return result
  } catch (error) {
    throw isLoss(error) ? noteLoss(state, error) : error
  } finally {
    clearTimeout(timer)
  }
}

const limitsOf = (limitMs: number) =>
  limitMs > 0
    ? `set statement_timeout = ${limitMs}; set idle_in_transaction_session_timeout = ${ABANDONED_MS};`
    : ''

/** The server is told once a connection. */
async function tellLimits(state: State, client: pg.PoolClient) {
  const { limitMs, told } = state
  if (told.get(client) === limitMs) return
  told.set(client, limitMs)
  // the statements are short: to compile one takes longer than to run it
  await run(state, client, `${limitsOf(limitMs)} set jit = off`, [])
}

function patient(state: State, client: pg.PoolClient): PostgresPoolClient {
  function query<R>(text: string, given: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, given: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('There are no cursors here.')
    return run(state, client, text, given)
  }
  return { query, release: (destroy) => client.release(destroy) }
}

async function connect(state: State, pool: pg.Pool): Promise<PostgresPoolClient> {
  const client = await pool.connect().catch((error) => {
    throw noteLoss(state, error)
  })
  try {
    await tellLimits(state, client)
    return patient(state, client)
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * A pool whose connections are given up when a statement takes too long, so that a server that
 * hangs holds nobody. Every loss of a connection is an error with a code of PostgreSQL's class 08,
 * 53 or 57; the pool makes new connections by itself. Until it is watched a statement may take as
 * long as it needs, because migrations do.
 */
export function openPool(settings: pg.PoolConfig) {
  const state: State = {
    ...{ limitMs: 0, isDown: false, told: new WeakMap() },
    watcher: { down() {}, up() {}, gone() {} },
  }
  const pool = new pg.Pool({ connectionTimeoutMillis: CONNECT_MS, keepAlive: true, ...settings })
  // a connection that breaks while it is idle, or between two statements, is replaced; unheard, it
  // would end the process
  const hear = (error: Error) => noteLoss(state, error)
  pool.on('error', hear).on('connect', (client) => client.on('error', hear))
  const shared: PostgresPool = {
    ...{ connect: () => connect(state, pool), end: () => pool.end(), options: pool.options },
  }
  /** Says who hears of outages, and how long a statement may take from now on, in milliseconds. */
  const watch = (watcher: Watcher, limitMs: number) => Object.assign(state, { watcher, limitMs })
  return { pool: shared, watch }
}
