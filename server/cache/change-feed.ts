import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { type Change, EVERYTHING_TAG } from '#app/shared/server/cache/change-feed-store.ts'
import type { Schema } from '#db/schema.ts'
import { startJobs } from '../jobs.ts'
import {
  deleteOldChanges,
  type Poll,
  RETENTION_SECONDS,
  selectChanges,
} from './change-feed-store.ts'

const POLL_MS = 500
const DELETE_MS = 60_000

export type ChangeFeed = {
  /** The time of the last successful poll, by performance.now(); -Infinity before the first. */
  lastPolledAt: () => number
  /** Polls now. When it resolves, every change committed before is applied. */
  catchUp: () => Promise<void>
  close: () => Promise<void>
}

type Log = Parameters<typeof startJobs>[1]

/** Whether no change can be lost between two polls. */
const isContinuous = (previous: Poll | null, { source, seconds }: Poll) =>
  previous?.source === source && seconds - previous.seconds < RETENTION_SECONDS / 2

/** Runs `work` one call at a time. Calls during a run share the next run. */
function serialized(work: () => Promise<void>) {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        running = work()
        return running
      })
    return next
  }
}

/**
 * Polls the change feed and passes changes to `apply`, until it is closed. When changes may have
 * been lost, everything is invalidated. It needs no connection of its own, so it works with every
 * pool and pooler.
 */
export function followChanges(
  db: Kysely<Schema>,
  apply: (changes: Change[]) => void,
  log: Log,
): ChangeFeed {
  let previous: Poll | null = null
  let lastPolledAt = Number.NEGATIVE_INFINITY
  const catchUp = serialized(async () => {
    const began = performance.now()
    const poll = await selectChanges(db, previous?.snapshot ?? null)
    const everything = [{ tag: EVERYTHING_TAG, stale_ms: 0 }]
    apply(isContinuous(previous, poll) ? poll.changes : everything)
    previous = poll
    lastPolledAt = began
  })
  const jobs = [
    { name: 'polling the change feed', everyMs: POLL_MS, run: catchUp },
    { name: 'deleting old changes', everyMs: DELETE_MS, run: () => deleteOldChanges(db) },
  ]
  const { close } = startJobs(jobs, log, 0)
  return { lastPolledAt: () => lastPolledAt, catchUp, close }
}

/** Delays the last piece of a stream: an import reports its end when its changes are applied. */
async function* beforeItsEnd(stream: Readable, wait: () => Promise<void>) {
  for await (const piece of stream) {
    if ('writableEnded' in stream && stream.writableEnded) await wait()
    yield piece
  }
}

/** Calls `done` after a call that changes pages, before the response is sent. */
export function afterPageChanges(
  app: FastifyInstance,
  done: (request: FastifyRequest) => Promise<void>,
) {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!request.routeOptions.config?.changesPages || reply.statusCode >= 400) return payload
    if (payload instanceof Readable)
      return Readable.from(beforeItsEnd(payload, () => done(request)))
    await done(request)
    return payload
  })
}
