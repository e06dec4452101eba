import type { Dialect } from 'kysely'

/** What PostgreSQL calls a server that lets nobody in just now (SQLSTATE). */
const NOT_NOW = '57P03'

const notNow = () =>
  Object.assign(new Error('The embedded database is busy with a command of its owner.'), {
    code: NOT_NOW,
  })

export type Turns = ReturnType<typeof openTurns>

/** Whoever wants the one session of the embedded database waits for it in a row. */
export function openTurns() {
  const waiting: { come: () => void; fail: (error: Error) => void }[] = []
  let isTaken = false
  let isShut = false
  return {
    /** Waits for a turn. Throws an outage while the row is shut. */
    async take() {
      if (isShut) throw notNow()
      if (isTaken) await new Promise<void>((come, fail) => waiting.push({ come, fail }))
      isTaken = true
    },
    give() {
      const next = waiting.shift()
      if (next) next.come()
      else isTaken = false
    },
    /** Sends away all who wait, and all who come, until it is opened again. */
    shut() {
      isShut = true
      for (const { fail } of waiting.splice(0)) fail(notNow())
    },
    open() {
      isShut = false
    },
  }
}

/** The same dialect, whose one connection is had by turns. */
export const byTurns = (dialect: Dialect, { take, give }: Turns): Dialect => ({
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  // Kysely's own row, which nobody can be sent away from, is for those that say they have one
  createAdapter: () =>
    Object.defineProperty(dialect.createAdapter(), 'supportsMultipleConnections', { value: true }),
  createDriver() {
    const driver = dialect.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    const release = driver.releaseConnection.bind(driver)
    driver.acquireConnection = async (options) => {
      await take()
      return acquire(options)
    }
    driver.releaseConnection = async (connection, options) => {
      await release(connection, options)
      give()
    }
    return driver
  },
})
