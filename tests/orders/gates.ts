/** Gates: the points at which the requests and jobs of a story wait for the scheduler, or crash. */
import { setImmediate } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import type { Scheduler } from 'fast-check'
import { type Dialect, type Driver, Kysely, PGliteDialect } from 'kysely'
import type { Database, Schema } from '#db/schema.ts'

/** A process has crashed: none of its statements or calls run any more. */
export class Crash extends Error {}

/** Changes the text of a statement: a planted bug. */
export type Rewrite = (text: string) => string

/** A statement in a few words: what it writes, or else reads. */
export function summaryOf(text: string): string | undefined {
  const written = /(?<!for |key )\b(insert into|update|delete from) "?(\w+)/.exec(text)
  const [, verb, table] = written ?? /\b(from) "?([a-z_]+)/.exec(text) ?? []
  if (!table) return text.includes('set_config') ? undefined : text.trim().slice(0, 20)
  return `${verb === 'from' ? 'select' : verb} ${table}`
}

/** The driver with a gate before each transaction or single statement, and none inside. */
function gatedDriver(driver: Driver, enter: () => Promise<void>, leave: () => void): Driver {
  const acquire = driver.acquireConnection.bind(driver)
  return Object.assign(driver, {
    acquireConnection: async () => {
      await enter()
      return acquire()
    },
    releaseConnection: async () => leave(),
  })
}

/** A dialect whose statements are rewritten before they are sent. */
const rewriting = (pglite: PGlite, rewrite: Rewrite) =>
  new PGliteDialect({
    pglite,
    onCreateConnection: async (connection) => {
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query, options) =>
        execute({ ...query, sql: rewrite(query.sql) }, options)
    },
  })

export type Gates = ReturnType<typeof openGates>

/**
 * Gates of one story. Each is a task of the scheduler, so that one process at a time goes on, until its
 * next gate. The process that passes the gate of number `crashAt` crashes there: its transactions are
 * single steps, so the gate after one is the gate before the next, or before the answer.
 */
export function openGates(scheduler: Scheduler, crashAt: number | null) {
  /** The steps in their order. */
  const log: string[] = []
  const crashed = new Set<string>()
  const waiting: string[] = []
  let isOpen = false
  let passed = 0
  let events = 0
  let inFlight = 0
  let hasWritten = false

  const note = (process: string, step: string) => {
    events += 1
    log.push(`${process}: ${step}`)
  }

  /** A step of somebody who cannot crash, such as a buyer. */
  async function waitFor(step: string) {
    events += 1
    if (isOpen) return
    waiting.push(step)
    await scheduler.schedule(Promise.resolve(), step)
    waiting.splice(waiting.indexOf(step), 1)
    events += 1
  }

  async function pass(process: string, step: string) {
    if (crashed.has(process)) throw new Crash(process)
    await waitFor(`${process}: ${step}`)
    if (crashed.has(process)) throw new Crash(process)
    if (passed === crashAt && !isOpen) {
      crashed.add(process)
      note(process, `crashes before ${step}`)
    }
    passed += 1
    if (crashed.has(process)) throw new Crash(process)
  }

  /** The database as one process uses it. */
  function databaseOf(process: string, pglite: PGlite, rewrite: Rewrite): Database {
    const dialect = rewriting(pglite, rewrite)
    let statements: string[] = []
    const enter = async () => {
      await pass(process, 'database')
      inFlight += 1
      statements = []
    }
    const leave = () => {
      inFlight -= 1
      hasWritten ||= statements.some((statement) => !statement.startsWith('select'))
      note(process, statements.join(', '))
    }
    const gated: Dialect = {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => gatedDriver(dialect.createDriver(), enter, leave),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    }
    const onStatement = (text: string) => {
      const brief = summaryOf(text)
      if (brief) statements.push(brief)
    }
    return new Kysely<Schema>({ dialect: gated, log: ({ query }) => onStatement(query.sql) })
  }

  /** Resolves when every process is at a gate, or has ended. */
  async function whenIdle() {
    for (let turns = 0; turns < 3; ) {
      const before = events
      await setImmediate()
      turns = events === before && inFlight === 0 ? turns + 1 : 0
    }
  }

  /**
   * Lets the processes go on in the order of the scheduler until all have ended. Afterwards the gates
   * are open.
   */
  async function run(afterStep: (hasWritten: boolean) => Promise<void>) {
    await whenIdle()
    while (scheduler.count() > 0) {
      await scheduler.waitOne()
      await whenIdle()
      await afterStep(hasWritten)
      hasWritten = false
    }
    isOpen = true
  }

  const hasCrashed = (process: string) => crashed.has(process)
  return {
    log,
    note,
    waitFor,
    pass,
    databaseOf,
    run,
    hasCrashed,
    passed: () => passed,
    isOpen: () => isOpen,
    /** Whether a process stands before this step. */
    isWaitingFor: (step: string) => waiting.some((one) => one.endsWith(`: ${step}`)),
  }
}
