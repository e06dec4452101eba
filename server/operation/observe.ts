import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { type Meters, type Metrics, openMetrics } from './metrics.ts'
import { countRequests, serveMetrics } from './serve-metrics.ts'
import { openTracing, type Tracing } from './tracing.ts'

/** Who looks at the requests of the app from outside; without any, nothing is loaded or counted. */
export type Observers = { meters?: Meters | undefined; tracing?: Tracing | undefined }

type Settings = {
  METRICS_HOST: string
  METRICS_PORT?: number
  OTEL_EXPORTER_OTLP_ENDPOINT?: string
}

export const tracingOf = async ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Settings) =>
  endpoint ? openTracing(endpoint) : undefined

/**
 * Counts where a port for metrics is set. Tells the counts on that port, or hands them to whoever
 * tells them there for several processes.
 */
export async function metricsOf(
  { METRICS_HOST, METRICS_PORT }: Settings,
  db: Kysely<Schema>,
  handOver?: (metrics: Metrics) => void,
) {
  if (METRICS_PORT === undefined) return undefined
  const meters = await openMetrics(db)
  if (handOver) {
    handOver(meters)
    return { meters, lines: [], close: async () => {} }
  }
  const { line, close } = await serveMetrics({ METRICS_HOST, METRICS_PORT }, meters)
  return { meters, lines: [line], close }
}

/** Lets the observers see every request; before all other hooks. */
export function observe(app: FastifyInstance, { meters, tracing }: Observers) {
  if (meters) countRequests(app, meters)
  tracing?.requests(app)
}
