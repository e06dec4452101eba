import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { type Meters, openMetrics } from './metrics.ts'
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

/** Counts, and tells the counts on a port of their own, where one is set. */
export async function metricsOf(settings: Settings, db: Kysely<Schema>) {
  const { METRICS_HOST, METRICS_PORT } = settings
  if (METRICS_PORT === undefined) return undefined
  const meters = await openMetrics(db)
  return { meters, ...(await serveMetrics({ METRICS_HOST, METRICS_PORT }, meters)) }
}

/** Lets the observers see every request; before all other hooks. */
export function observe(app: FastifyInstance, { meters, tracing }: Observers) {
  if (meters) countRequests(app, meters)
  tracing?.requests(app)
}
