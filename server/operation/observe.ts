import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { modules } from '#app/modules.ts'
import type { Schema } from '#db/schema.ts'
import type { Meters } from './metrics.ts'
import { countRequests, serveMetrics } from './serve-metrics.ts'
import { openTracing, type Tracing } from './tracing.ts'

/** Metrics and traces; where they are not enabled, nothing is loaded or counted. */
export type Observers = { meters?: Meters | undefined; tracing?: Tracing | undefined }

type Settings = {
  METRICS_HOST: string
  METRICS_PORT?: number
  OTEL_EXPORTER_OTLP_ENDPOINT?: string
}

export const tracingOf = async ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Settings) =>
  endpoint ? openTracing(endpoint) : undefined

/** Opens the metrics where a port is set; the primary serves those of its workers. */
export async function metricsOf(
  { METRICS_HOST, METRICS_PORT }: Settings,
  db: Kysely<Schema>,
  { isWorker }: { isWorker: boolean },
) {
  if (METRICS_PORT === undefined) return undefined
  const { openMetrics } = await import('./metrics.ts')
  const meters = openMetrics(db, {
    gauges: modules.flatMap((module) => module.gauges ?? []),
    invariants: modules.flatMap((module) => module.invariants ?? []),
  })
  if (isWorker) return { meters, lines: [], close: async () => {} }
  const { line, close } = await serveMetrics({ METRICS_HOST, METRICS_PORT }, meters)
  return { meters, lines: [line], close }
}

/** Adds the hooks that observe every request, before all other hooks. */
export function observe(app: FastifyInstance, { meters, tracing }: Observers) {
  if (meters) countRequests(app, meters)
  tracing?.requests(app)
}
