import type { Context, Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Trace } from '#app/shared/server/domain-module.ts'
import type { QueryListener } from '#db/connect.ts'
import { INTERNAL_ADDRESS, routeOf } from './requests.ts'

export type Tracing = {
  /** Traces every request of the app. */
  requests: (app: FastifyInstance) => void
  query: QueryListener
  work: Trace
  /** Exports the remaining spans. */
  close: () => Promise<void>
}

/** The timeout of the last export. */
const LAST_EXPORT_MS = 2000

/** The parent of a trace (W3C Trace Context, version 00). */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** The packages take a while to load, so they are loaded only where tracing is enabled. */
async function loadTracer(endpoint: string) {
  const [api, sdk, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: LAST_EXPORT_MS,
  })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': 'haat' }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const contexts = new AsyncLocalStorageContextManager().enable()
  return { api, provider, contexts, tracer: provider.getTracer('haat') }
}

type Tracer = Awaited<ReturnType<typeof loadTracer>>

/**
 * The parent span of a request: the caller's, or that of the page that makes the internal request.
 */
function parentOf({ api, contexts }: Tracer, { headers, socket }: FastifyRequest): Context {
  if (socket.remoteAddress === INTERNAL_ADDRESS) return contexts.active()
  const [, traceId, spanId, flags] = TRACEPARENT.exec(String(headers.traceparent)) ?? []
  if (!traceId || !spanId || !flags) return api.ROOT_CONTEXT
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return api.trace.setSpanContext(api.ROOT_CONTEXT, remote)
}

function traceRequests(tracer: Tracer, app: FastifyInstance) {
  const { api, contexts } = tracer
  const begun = new WeakMap<FastifyRequest, { span: Span; context: Context }>()
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = parentOf(tracer, request)
    const span = tracer.tracer.startSpan(
      `${request.method} ${routeOf(request)}`,
      { kind: api.SpanKind.SERVER },
      parent,
    )
    const context = api.trace.setSpan(parent, span)
    begun.set(request, { span, context })
    contexts.with(context, done)
  })
  // the body is read in between, in the context of the connection
  app.addHook('preValidation', (request, _reply, done) => {
    contexts.with(begun.get(request)?.context ?? contexts.active(), done)
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = begun.get(request)?.span
    const route = routeOf(request)
    span?.updateName(`${request.method} ${route}`).setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': statusCode,
      'haat.request_id': request.id,
    })
    if (statusCode >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR })
    span?.end()
  })
}

/** The first word of a statement, after comments. */
const statementOf = (text: string) =>
  /^(?:\/\*.*?\*\/|\W)*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'

/** Records a statement as a span at its end, without its parameters. */
function traceQuery({ api, contexts, tracer }: Tracer): QueryListener {
  return ({ level, query, queryDurationMillis }) => {
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.sql }
    const startTime = new Date(Date.now() - queryDurationMillis)
    const options = { kind: api.SpanKind.CLIENT, startTime, attributes }
    const span = tracer.startSpan(`db ${statementOf(query.sql)}`, options, contexts.active())
    if (level === 'error') span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end()
  }
}

function traceWork({ api, contexts, tracer }: Tracer): Trace {
  return async (name, work) => {
    const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT }, contexts.active())
    try {
      return await contexts.with(api.trace.setSpan(contexts.active(), span), work)
    } catch (error) {
      span.setStatus({ code: api.SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}

/** Sends traces to the collector at `endpoint`, by OTLP over HTTP. */
export async function openTracing(endpoint: string): Promise<Tracing> {
  const tracer = await loadTracer(endpoint)
  return {
    requests: (app) => traceRequests(tracer, app),
    query: traceQuery(tracer),
    work: traceWork(tracer),
    // an unreachable collector must not break the shop
    close: () => tracer.provider.shutdown().catch(() => {}),
  }
}
