/** The metrics of a process. This file is loaded only where metrics are enabled. */
import cluster from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from '@prometheus-io/client'
import type { Kysely } from 'kysely'
import type { DatabaseGauge, Invariant } from '#app/shared/server/domain-module.ts'
import { selectViolations } from '#app/shared/server/store.ts'
import { VERSION } from '#db/releases/version.ts'
import type { Schema } from '#db/schema.ts'
import { pingDatabase } from '#db/server-info.ts'

/** The counters that the shop updates. */
export type Meters = {
  answered: (request: { method: string; route: string; status: number }, seconds: number) => void
  /** Counts a lookup in the cache of this name. */
  cacheLookup: (cache: string, found: boolean) => void
}

/** Metrics in a text format of Prometheus. */
export type MetricsText = { type: string; text: () => Promise<string> }

/** Buckets from an answer from memory to a request that timed out. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The library waits five seconds for its workers. */
const DATABASE_TIMEOUT_MS = 3000

/** A count of violations reads whole tables, so a scrape gets the last one, and at most starts the next. */
const COUNT_EVERY_MS = 10 * 60_000

/** The result, or undefined when the database does not answer in time. */
const inTime = <Result>(result: Promise<Result>): Promise<Result | undefined> =>
  Promise.race([
    result.catch(() => undefined),
    setTimeout(DATABASE_TIMEOUT_MS, undefined, { ref: false }),
  ])

/** Adds a gauge that has the same value in every worker. */
type AddGauge = <Label extends string>(
  gauge: Omit<GaugeConfiguration<Label>, 'registers' | 'aggregator'>,
) => Gauge<Label>

/** Gauges read from the database with each scrape. */
function addDatabaseGauges(addGauge: AddGauge, db: Kysely<Schema>, gauges: DatabaseGauge[]) {
  for (const { name, help, count } of gauges)
    addGauge({
      name,
      help,
      labelNames: ['state'],
      async collect() {
        const counts = await inTime(count(db))
        this.reset()
        for (const [state, value] of Object.entries(counts ?? {})) this.set({ state }, value)
      },
    })
  addGauge({
    name: 'haat_database_up',
    help: 'Whether the database answered this scrape',
    async collect() {
      const isUp = await inTime(pingDatabase(db).then(() => true))
      this.set(isUp ? 1 : 0)
    },
  })
}

/**
 * Gauges of the rows that break an invariant, and of the time of the count. A scrape starts a count
 * where the last began ten minutes ago, and does not wait for it; one that fails leaves the last.
 */
function addInvariantGauges(addGauge: AddGauge, db: Kysely<Schema>, invariants: Invariant[]) {
  let last: { violations: Map<string, number>; at: number } | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  async function countViolations() {
    const violations = new Map<string, number>()
    for (const invariant of invariants)
      violations.set(invariant.name, (await selectViolations(db, invariant)).length)
    last = { violations, at: Date.now() / 1000 }
  }
  addGauge({
    name: 'haat_invariant_violations',
    help: 'Rows that break an invariant, at most 100 of each',
    labelNames: ['invariant'],
    collect() {
      if (performance.now() >= startedAt + COUNT_EVERY_MS) {
        startedAt = performance.now()
        // an outage is logged elsewhere, and the time of the count gets old
        countViolations().catch(() => undefined)
      }
      for (const [invariant, count] of last?.violations ?? []) this.set({ invariant }, count)
    },
  })
  addGauge({
    name: 'haat_invariants_checked_timestamp_seconds',
    help: 'When the violations of invariants were counted, as a Unix time',
    collect() {
      if (last) this.set(last.at)
      // without labels it would be 0 before the first count
      else this.remove()
    },
  })
}

function openMeters(registers: Registry[]): Meters {
  const requests = new Counter({
    registers,
    name: 'haat_http_requests_total',
    labelNames: ['method', 'route', 'status'],
    help: 'Answered requests by route',
  })
  const duration = new Histogram({
    registers,
    name: 'haat_http_request_duration_seconds',
    labelNames: ['method', 'route'],
    help: 'Duration of requests',
    buckets: SECONDS,
  })
  const caches = new Counter({
    registers,
    name: 'haat_cache_requests_total',
    labelNames: ['cache', 'result'],
    help: 'Cache lookups by result',
  })
  return {
    answered({ method, route, status }, seconds) {
      requests.inc({ method, route, status })
      duration.observe({ method, route }, seconds)
    },
    cacheLookup: (cache, found) => caches.inc({ cache, result: found ? 'hit' : 'miss' }),
  }
}

/**
 * Creates the metrics of this process, with the gauges and invariants of the modules. In a worker
 * process, the library sends them to the primary at each scrape.
 */
export function openMetrics(
  db: Kysely<Schema>,
  { gauges, invariants }: { gauges: DatabaseGauge[]; invariants: Invariant[] },
): Meters & MetricsText {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  if (cluster.isWorker) {
    new AggregatorRegistry()
    AggregatorRegistry.setRegistries(register)
  }
  const addGauge: AddGauge = (gauge) => new Gauge({ ...gauge, registers, aggregator: 'max' })
  addGauge({
    name: 'haat_build_info',
    labelNames: ['version'],
    help: 'The version of the shop; always 1',
  }).set({ version: VERSION }, 1)
  addDatabaseGauges(addGauge, db, gauges)
  addInvariantGauges(addGauge, db, invariants)
  return {
    ...openMeters(registers),
    type: register.contentType,
    text: () => register.metrics(),
  }
}
