import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { sendFailure } from '#app/shared/server/errors.ts'
import { unavailable } from '#app/shared/server/failure.ts'
import { isMigrated } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { pingDatabase } from '#db/server-info.ts'

/** However often it is asked, the database is asked so often. */
const CACHE_MS = 1000
/** A database that answers later is not one to send customers to. */
const TIMEOUT_MS = 5000
const RETRY_SECONDS = 5

type Verdict = 'ready' | 'The database does not answer.' | 'The database is not up to date.'

/** Asks the database, and once also whether it is up to date: migrations only go forward. */
function examine(db: Kysely<Schema>) {
  let migrated = false
  return async (): Promise<Verdict> => {
    try {
      if (migrated) await pingDatabase(db)
      else migrated = await isMigrated(db)
    } catch {
      return 'The database does not answer.'
    }
    return migrated ? 'ready' : 'The database is not up to date.'
  }
}

/** The verdict in time, shared by all who ask within a second. */
function readinessOf(db: Kysely<Schema>) {
  const examined = examine(db)
  let verdict: Promise<Verdict> | undefined
  return () => {
    if (verdict) return verdict
    const { promise, resolve } = Promise.withResolvers<Verdict>()
    verdict = promise
    const late = setTimeout(resolve, TIMEOUT_MS, 'The database does not answer.')
    examined().then(resolve)
    promise.then(() => {
      clearTimeout(late)
      setTimeout(() => {
        verdict = undefined
      }, CACHE_MS).unref()
    })
    return promise
  }
}

/**
 * Answers those who watch over the process. `/healthz`: it is alive; else it should be started
 * anew. `/readyz`: it may be sent customers, because the database answers and is up to date; while
 * the process stops it is not.
 */
export function serveHealth(
  app: FastifyInstance,
  { db, isStopping }: { db: Kysely<Schema>; isStopping: () => boolean },
) {
  const readiness = readinessOf(db)
  const options = { schema: { hide: true } }
  app.get('/healthz', options, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )
  app.get('/readyz', options, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const verdict = isStopping() ? 'The shop is stopping.' : await readiness()
    if (verdict === 'ready') return { status: 'ready' }
    return sendFailure(reply, unavailable(verdict, RETRY_SECONDS))
  })
}
