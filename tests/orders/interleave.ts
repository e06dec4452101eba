/** Runs two pieces of work on two connections of PostgreSQL in every order of their statements. */
import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  sql,
} from 'kysely'
import { openPool } from '#db/pool.ts'
import type { Database, Schema } from '#db/schema.ts'
import { type Rewrite, summaryOf } from './gates.ts'

/**
 * Statements that no other transaction of a pair can see, or whose rows none writes: they run with the next
 * one.
 */
const LOCAL =
  /^(begin|start transaction|savepoint|rollback to|\s*select set_config|insert into "change_feed"|\s*select value\b[\s\S]*\bfrom settings\b)/

/** A session of the database whose statements wait to be released. */
type Session = {
  name: string
  db: Kysely<Schema>
  pid: number
  state: 'running' | 'waiting' | 'blocked' | 'done'
  isInTransaction: boolean
  /** Whether it wrote what others see since the last check. */
  hasCommitted: boolean
  /** Lets the waiting statement run. */
  release: () => void
  statement: string
}

type Observer = {
  /** The sessions whose statement waits for a lock of another one. */
  blocked: (pids: number[]) => Promise<number[]>
  /** Called after each statement that changes what others see. */
  check: () => Promise<void>
  /** Called when no session can go on. */
  whenStuck: () => Promise<void>
}

/** Opens a session on a connection of its own. Its statements wait only while it runs a work. */
async function openSession(url: string, name: string, settings: { rewrite: Rewrite }) {
  const { pool } = openPool({ connectionString: url, max: 1, prepares: true })
  const session: Session = {
    name,
    pid: 0,
    state: 'done',
    isInTransaction: false,
    hasCommitted: false,
    statement: '',
    release() {},
    db: new Kysely<Schema>({
      dialect: new PostgresDialect({ pool, onCreateConnection: async (one) => gate(one) }),
    }),
  }
  const arrive = (statement: string) =>
    new Promise<void>((resolve) => {
      Object.assign(session, { state: 'waiting', statement, release: resolve })
    })
  function gate(connection: DatabaseConnection) {
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async <R>(
      query: CompiledQuery,
      options?: AbortableOperationOptions,
    ) => {
      if (session.state !== 'done' && !LOCAL.test(query.sql))
        await arrive(summaryOf(query.sql) ?? query.sql)
      const answer = await execute<R>({ ...query, sql: settings.rewrite(query.sql) }, options)
      if (/^(begin|start transaction)/.test(query.sql)) session.isInTransaction = true
      else if (/^(commit|rollback(?! to))/.test(query.sql)) session.isInTransaction = false
      if (!session.isInTransaction && !/^\s*select/.test(query.sql)) session.hasCommitted = true
      return answer
    }
  }
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session.db)
  session.pid = rows[0]?.pid ?? 0
  return session
}

/** Resolves when every session waits at a statement, is blocked by another one, or is done. */
async function whenStopped(sessions: Session[], { blocked }: Observer) {
  const isMoving = ({ state }: Session) => state === 'running' || state === 'blocked'
  for (;;) {
    const moving = sessions.filter(isMoving)
    if (moving.length === 0) return
    const pids = await blocked(moving.map(({ pid }) => pid))
    // one that stopped meanwhile may have let another one go on: the answer says nothing of that one
    if (!moving.every(isMoving)) continue
    for (const session of moving) session.state = pids.includes(session.pid) ? 'blocked' : 'running'
    if (moving.every(({ state }) => state === 'blocked')) return
  }
}

/** A point at which one of several sessions could go on. */
type Choice = { taken: number; of: number }

type Work = (db: Database) => Promise<unknown>
export type Run = {
  outcomes: PromiseSettledResult<unknown>[]
  /** The statements in their order. */
  log: string[]
  choices: Choice[]
}

type Exploration = {
  max: number
  /** Prepares the database, and answers the works. */
  arrange: () => Promise<Work[]>
  /** Locks rows that both works need, until both wait: then their statements have begun at the same time. */
  lock?: RawBuilder<unknown> | undefined
  afterWrite: () => Promise<void>
  isRight: (run: Run) => Promise<boolean>
}

/** Runs the works, taking these choices, and then always the first. */
async function runOnce(
  sessions: Session[],
  works: Work[],
  { prefix, observer }: { prefix: number[]; observer: Observer },
): Promise<Run> {
  const log: string[] = []
  const choices: Choice[] = []
  const all = Promise.allSettled(
    works.map(async (work, n) => {
      const session = sessions[n]
      if (!session) throw new Error('Each work needs a session.')
      session.state = 'running'
      await work(session.db).finally(() => {
        session.state = 'done'
      })
    }),
  )
  for (;;) {
    await whenStopped(sessions, observer)
    if (sessions.some(({ hasCommitted }) => hasCommitted)) await observer.check()
    for (const session of sessions) session.hasCommitted = false
    if (sessions.every(({ state }) => state === 'done'))
      return { outcomes: await all, log, choices }
    const waiting = sessions.filter(({ state }) => state === 'waiting')
    if (waiting.length === 0) await observer.whenStuck()
    if (waiting.length === 0) continue
    const taken = prefix[choices.length] ?? 0
    const next = waiting[taken]
    if (!next) throw new Error('The same choices led to another state.')
    choices.push({ taken, of: waiting.length })
    log.push(`${next.name}: ${next.statement}`)
    next.state = 'running'
    next.release()
  }
}

/** The choices of the next run, depth first; null after the last. */
function nextPrefix(choices: Choice[]): number[] | null {
  const left = [...choices]
  while (left.length > 0) {
    const { taken, of } = left.pop() ?? { taken: 0, of: 0 }
    if (taken + 1 < of) return [...left.map((choice) => choice.taken), taken + 1]
  }
  return null
}

export type Interleaver = Awaited<ReturnType<typeof openInterleaver>>

export async function openInterleaver(url: string) {
  const settings: { rewrite: Rewrite } = { rewrite: (text) => text }
  const sessions = [
    await openSession(url, 'first', settings),
    await openSession(url, 'second', settings),
  ]
  const openOther = () => {
    const { pool } = openPool({ connectionString: url, max: 1, prepares: true })
    return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  }
  const watcher = openOther()
  const holder = openOther()
  const blocked = async (pids: number[]) => {
    const { rows } = await sql<{ pid: number }>`
      select pid from unnest(${pids}::integer[]) as pid
      where cardinality(pg_blocking_pids(pid)) > 0`.execute(watcher)
    return rows.map(({ pid }) => pid)
  }

  /**
   * Runs two works in every order of their statements, at most so many, until a run is not right; answers
   * how many there were.
   */
  async function everyOrder({ max, arrange, lock, ...callbacks }: Exploration): Promise<number> {
    let prefix: number[] | null = []
    let orders = 0
    while (prefix && orders < max) {
      orders += 1
      const works = await arrange()
      const held = lock && (await holder.startTransaction().execute())
      if (held) await lock.execute(held)
      // without a lock, it is a deadlock: the server ends one of the two
      const whenStuck = async () => {
        if (held && !held.isCommitted) await held.commit().execute()
      }
      const observer = { blocked, check: callbacks.afterWrite, whenStuck }
      const run: Run = await runOnce(sessions, works, { prefix, observer })
      await whenStuck()
      prefix = (await callbacks.isRight(run)) ? nextPrefix(run.choices) : null
    }
    return orders
  }

  const close = () =>
    Promise.all([...sessions.map(({ db }) => db), watcher, holder].map((db) => db.destroy()))
  return { everyOrder, settings, close }
}
