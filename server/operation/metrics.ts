import cluster from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { DatabaseGauge, Invariant } from '#app/shared/server/domain-module.ts'
import { VERSION } from '#db/releases/version.ts'
import type { Schema } from '#db/schema.ts'
import { pingDatabase } from '#db/server-info.ts'
import { addInvariantGauges } from './invariant-metrics.ts'

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

/** prom-client waits five seconds for its workers. */
const DATABASE_TIMEOUT_MS = 3000

type Client = typeof import('prom-client')

/** The counts, or undefined when the database does not answer in time. */
const inTime = <Count>(count: Promise<Count>): Promise<Count | undefined> =>
  Promise.race([
    count.catch(() => undefined),
    setTimeout(DATABASE_TIMEOUT_MS, undefined, { ref: false }),
  ])

/** Gauges read from the database with each scrape, the same in every worker. */
function addDatabaseGauges(
  { Gauge }: Client,
  registers: Registry[],
  { db, gauges }: { db: Kysely<Schema>; gauges: DatabaseGauge[] },
) {
  const aggregator = 'max'
  for (const { name, help, count } of gauges) {
    new Gauge({
      registers,
      aggregator,
      name,
      help,
      labelNames: ['state'],
      async collect() {
        const counts = await inTime(count(db))
        this.reset()
        for (const [state, value] of Object.entries(counts ?? {})) this.set({ state }, value)
      },
    })
  }
  new Gauge({
    registers,
    aggregator,
    name: 'haat_database_up',
    help: 'Whether the database answered this scrape',
    async collect() {
      const isUp = await inTime(pingDatabase(db).then(() => true))
      this.set(isUp ? 1 : 0)
    },
  })
}

/**
 * Creates the metrics of this process, with the gauges and invariants of the modules. It is loaded
 * only where metrics are enabled. In a worker process, prom-client sends them to the primary at each scrape.
 */
export async function openMetrics(
  db: Kysely<Schema>,
  { gauges, invariants }: { gauges: DatabaseGauge[]; invariants: Invariant[] },
): Promise<Meters & MetricsText> {
  const client = await import('prom-client')
  const registry = new client.Registry()
  const registers = [registry]
  client.collectDefaultMetrics({ register: registry })
  if (cluster.isWorker) {
    new client.AggregatorRegistry()
    client.AggregatorRegistry.setRegistries(registry)
  }
  new client.Gauge({
    registers,
    aggregator: 'max',
    name: 'haat_build_info',
    labelNames: ['version'],
    help: 'The version of the shop; always 1',
  }).set({ version: VERSION }, 1)
  const requests = new client.Counter({
    registers,
    name: 'haat_http_requests_total',
    labelNames: ['method', 'route', 'status'],
    help: 'Answered requests by route',
  })
  const duration = new client.Histogram({
    registers,
    name: 'haat_http_request_duration_seconds',
    labelNames: ['method', 'route'],
    help: 'Duration of requests',
    buckets: SECONDS,
  })
  const caches = new client.Counter({
    registers,
    name: 'haat_cache_requests_total',
    labelNames: ['cache', 'result'],
    help: 'Cache lookups by result',
  })
  addDatabaseGauges(client, registers, { db, gauges })
  addInvariantGauges(client, registers, { db, invariants })
  return {
    answered({ method, route, status }, seconds) {
      requests.inc({ method, route, status })
      duration.observe({ method, route }, seconds)
    },
    cacheLookup: (cache, found) => caches.inc({ cache, result: found ? 'hit' : 'miss' }),
    type: registry.contentType,
    text: () => registry.metrics(),
  }
}
