/** The job that makes the deliveries of a reader, each by one process at a time. */
import { addAbortListener } from 'node:events'
import type { Log } from '#app/shared/server/domain-module.ts'
import type { Database } from '#db/schema.ts'
import {
  type Attempt,
  type DeliveryTable,
  extendLeases,
  failExpired,
  type Outcome,
  returnDeliveries,
  takeDeliveries,
  updateOutcomes,
} from './deliveries-store.ts'

/**
 * Another job takes a delivery after this time, unless its lease is extended: when a process has died,
 * or the end of an attempt could not be stored during an outage of the database.
 */
const LEASE_SECONDS = 90
const EXTENSION_MS = 30_000
/** When the shop closes, an attempt has this long to end. */
const GRACE_MS = 3000

const EXPIRED = 'It could not be sent in time.'

const FIRST_PAUSE_SECONDS = 60
const MAX_PAUSE_SECONDS = 6 * 60 * 60

/** Seconds until the next attempt after so many: a minute, doubled with each, at most six hours. */
export const pauseAfter = (attempts: number): number =>
  Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempts - 1), MAX_PAUSE_SECONDS)

/** The end of an attempt, and whether the receiver is up for other deliveries. */
export type Attempted = { outcome: Outcome; isReceiverUp: boolean }

/** Makes deliveries, while some are due. */
export type Carrier<Delivery extends Attempt, Sources> = {
  /** Reads the sources of some deliveries, at once. */
  sourcesOf: (deliveries: Delivery[]) => Promise<Sources>
  /** Tries to deliver. Does not throw. */
  attempt: (delivery: Delivery, sources: Sources, signal: AbortSignal) => Promise<Attempted>
  close: () => void
}

/** A reader of events: its deliveries, and how they are made. */
export type Deliverer<Delivery extends Attempt, Sources> = {
  db: Database
  log: Log
  table: DeliveryTable
  /** How many are made at a time. */
  concurrency: number
  /** An attempt is aborted after this time. */
  maxAttemptMs: number
  open: () => Promise<Carrier<Delivery, Sources>>
}

/** A run of the job. */
type Run<Delivery extends Attempt, Sources> = Deliverer<Delivery, Sources> & {
  carrier: Carrier<Delivery, Sources>
  /** Takes no more deliveries. */
  closing: AbortSignal
  /** Aborts those in progress. */
  late: AbortSignal
  /** The deliveries that are taken and not made yet. */
  taken: Map<string, Attempt>
  store: (outcome: Attempt & Outcome) => Promise<void>
}

/**
 * Extends the leases of the taken deliveries until the returned function is called. A delivery that is deleted
 * meanwhile, or that another job has taken, is not taken any more.
 */
function keepLeases<Delivery extends Attempt, Sources>({
  db,
  log,
  table,
  taken,
}: Run<Delivery, Sources>): () => void {
  async function extend() {
    const attempts = [...taken.values()]
    const kept = await extendLeases(db, table, attempts, LEASE_SECONDS)
    for (const { id } of attempts) if (!kept.has(id)) taken.delete(id)
  }
  const timer = setInterval(
    () =>
      extend().catch((err) =>
        log.warn({ err, [table]: taken.size }, `the leases of ${table} could not be extended`),
      ),
    EXTENSION_MS,
  )
  return () => clearInterval(timer)
}

/**
 * Stores outcomes, each time all that have come meanwhile. Those that could not be stored, as during an
 * outage of the database, are stored with the next ones: what is delivered must not stay queued.
 */
function storing(
  db: Database,
  table: DeliveryTable,
): (outcome: Attempt & Outcome) => Promise<void> {
  const waiting: (Attempt & Outcome)[] = []
  async function storeWaiting() {
    const outcomes = [...waiting]
    if (outcomes.length === 0) return
    await updateOutcomes(db, table, outcomes)
    waiting.splice(0, outcomes.length)
  }
  let last = Promise.resolve()
  return (outcome) => {
    waiting.push(outcome)
    // a failure rejects the call whose turn it was
    last = last.then(storeWaiting, storeWaiting)
    return last
  }
}

type Due<Delivery, Sources> = { delivery: Delivery; sources: Sources }

/** The deliveries that are due, each once, with their sources. Those that are not tried are returned. */
async function* dueDeliveries<Delivery extends Attempt, Sources>(
  { db, table, carrier, taken, closing }: Run<Delivery, Sources>,
  first: Delivery[],
): AsyncGenerator<Due<Delivery, Sources>> {
  let deliveries = first
  while (deliveries.length > 0) {
    for (const { id, attempts } of deliveries) taken.set(id, { id, attempts })
    const untried = new Set(deliveries)
    try {
      const sources = await carrier.sourcesOf(deliveries)
      for (const delivery of deliveries) {
        if (closing.aborted) return
        untried.delete(delivery)
        if (taken.has(delivery.id)) yield { delivery, sources }
      }
    } finally {
      const attempts = [...untried].map(({ id, attempts }) => ({ id, attempts }))
      for (const { id } of attempts) taken.delete(id)
      if (attempts.length > 0) await returnDeliveries(db, table, attempts)
    }
    if (closing.aborted) return
    deliveries = await takeDeliveries(db, table, LEASE_SECONDS)
  }
}

/** Makes one delivery after the other, until none is due, the receiver is down, or the shop closes. */
async function deliverEach<Delivery extends Attempt, Sources>(
  run: Run<Delivery, Sources>,
  due: AsyncGenerator<Due<Delivery, Sources>>,
): Promise<void> {
  for await (const { delivery, sources } of due) {
    const { id, attempts } = delivery
    const signal = AbortSignal.any([run.late, AbortSignal.timeout(run.maxAttemptMs)])
    const { outcome, isReceiverUp } = await run.carrier.attempt(delivery, sources, signal)
    await run.store({ id, attempts, ...outcome })
    run.taken.delete(id)
    if (!isReceiverUp) return
  }
}

/**
 * Makes the deliveries that are due, each at least once: when the process dies after the receiver has accepted one
 * and before that is stored, it is made again, with the same id, once the lease ends.
 */
export async function deliverDue<Delivery extends Attempt, Sources>(
  deliverer: Deliverer<Delivery, Sources>,
  closing: AbortSignal,
): Promise<void> {
  const { db, table } = deliverer
  await failExpired(db, table, EXPIRED)
  const first = await takeDeliveries<Delivery>(db, table, LEASE_SECONDS)
  if (first.length === 0) return
  const carrier = await deliverer.open()
  const late = new AbortController()
  const grace = addAbortListener(closing, () => setTimeout(() => late.abort(), GRACE_MS).unref())
  const run: Run<Delivery, Sources> = {
    ...deliverer,
    carrier,
    closing,
    late: late.signal,
    taken: new Map(),
    store: storing(db, table),
  }
  const endLeases = keepLeases(run)
  const due = dueDeliveries(run, first)
  const ended = await Promise.allSettled(
    Array.from({ length: deliverer.concurrency }, () => deliverEach(run, due)),
  )
  grace[Symbol.dispose]()
  endLeases()
  carrier.close()
  const failed = ended.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
