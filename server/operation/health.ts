import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
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

const NO_ANSWER = 'The database does not answer.'

/** A check whose result is shared by all who ask within `ttl` ms after it. */
function sharedFor<Result extends string>(ttl: number, check: () => Promise<Result>) {
  const results = new LRUCache<'result', Result>({ max: 1, ttl, fetchMethod: check })
  return () => results.forceFetch('result')
}

/**
 * The reason why the shop is not ready, or `ready`. Whether the migrations are up to date is queried
 * until they are: they only go forward.
 */
function readinessOf(db: Kysely<Schema>): () => Promise<string> {
  const diskSpace = sharedFor(DISK_CACHE_MS, async () =>
    (await hasDiskSpace(db)) ? 'ready' : 'The disk of the database is full.',
  )
  let migrated = false
  const examine = async () => {
    if (migrated) await pingDatabase(db)
    else migrated = await isMigrated(db)
    return migrated ? diskSpace() : 'The database is not up to date.'
  }
  return sharedFor(CACHE_MS, () =>
    Promise.race([
      examine().catch(() => NO_ANSWER),
      setTimeout(TIMEOUT_MS, NO_ANSWER, { ref: false }),
    ]),
  )
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
