import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { sendFailure } from '#app/shared/server/errors.ts'
import { unavailable } from '#app/shared/server/failure.ts'
import { isMigrated } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { hasDiskSpace, pingDatabase } from '#db/server-info.ts'

/** The database is queried at most once in this time. */
const CACHE_MS = 1000
/** The disk is written to at most once in this time. */
const DISK_CACHE_MS = 5000
/** A slower database counts as not ready. */
const TIMEOUT_MS = 5000
const RETRY_SECONDS = 5

type Verdict =
  | 'ready'
  | 'The database does not answer.'
  | 'The database is not up to date.'
  | 'The disk of the database is full.'

/** Whether the disk has space, as it was a few seconds ago at most. */
function diskSpaceOf(db: Kysely<Schema>) {
  let hasSpace = true
  let staleAt = 0
  return async () => {
    if (performance.now() < staleAt) return hasSpace
    hasSpace = await hasDiskSpace(db)
    staleAt = performance.now() + DISK_CACHE_MS
    return hasSpace
  }
}

/**
 * Queries the database, and once also whether its migrations are up to date: migrations only go
 * forward.
 */
function examine(db: Kysely<Schema>) {
  const hasSpace = diskSpaceOf(db)
  let migrated = false
  return async (): Promise<Verdict> => {
    try {
      if (migrated) await pingDatabase(db)
      else migrated = await isMigrated(db)
      if (!migrated) return 'The database is not up to date.'
      return (await hasSpace()) ? 'ready' : 'The disk of the database is full.'
    } catch {
      return 'The database does not answer.'
    }
  }
}

/** The verdict, with a timeout, shared by all requests within a second. */
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
 * Health checks. `/healthz`: the process is alive, else it should be restarted. `/readyz`: it may
 * receive customers, because the database answers, is up to date and has space on its disk, and the
 * process is not stopping.
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
