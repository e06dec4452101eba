/** Traces of requests. This file is loaded only where they are enabled: its packages take a while. */
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Trace } from '#app/shared/server/domain-module.ts'
import type { QueryListener } from '#db/connect.ts'
import { INTERNAL_ADDRESS, routeOf } from './requests.ts'
import type { IsTrusted } from './trusted-proxies.ts'

export type Tracing = ReturnType<typeof openTracing>

/** The timeout of the last export. */
const LAST_EXPORT_MS = 2000

type Tracers = { tracer: Tracer; contexts: AsyncLocalStorageContextManager }

/**
 * The parent span of a request: that of a trusted proxy, or of the page that makes the internal request. A client
 * chooses no trace.
 */
function parentOf(
  { contexts }: Tracers,
  isTrusted: IsTrusted,
  { headers, socket: { remoteAddress } }: FastifyRequest,
): Context {
  if (remoteAddress === INTERNAL_ADDRESS) return contexts.active()
  if (!isTrusted(remoteAddress)) return ROOT_CONTEXT
  return new W3CTraceContextPropagator().extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
}

function traceRequests(tracers: Tracers, app: FastifyInstance, isTrusted: IsTrusted) {
  const { tracer, contexts } = tracers
  const begun = new WeakMap<FastifyRequest, { span: Span; context: Context }>()
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = parentOf(tracers, isTrusted, request)
    const span = tracer.startSpan(
      `${request.method} ${routeOf(request)}`,
      { kind: SpanKind.SERVER },
      parent,
    )
    const context = trace.setSpan(parent, span)
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
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}

/** The first word of a statement, after comments. */
const statementOf = (text: string) =>
  /^(?:\/\*.*?\*\/|\W)*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'

/** Records a statement as a span at its end, without its parameters. */
function traceQuery({ contexts, tracer }: Tracers): QueryListener {
  return ({ level, query, queryDurationMillis }) => {
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.sql }
    const startTime = new Date(Date.now() - queryDurationMillis)
    const options = { kind: SpanKind.CLIENT, startTime, attributes }
    const span = tracer.startSpan(`db ${statementOf(query.sql)}`, options, contexts.active())
    if (level === 'error') span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}

function traceWork({ contexts, tracer }: Tracers): Trace {
  return async (name, work) => {
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, contexts.active())
    try {
      return await contexts.with(trace.setSpan(contexts.active(), span), work)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}

/** Sends traces to the collector at `endpoint`, by OTLP over HTTP. */
export function openTracing(endpoint: string) {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: LAST_EXPORT_MS })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'haat' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const contexts = new AsyncLocalStorageContextManager().enable()
  const tracers = { contexts, tracer: provider.getTracer('haat') }
  return {
    /** Traces every request of the app. */
    requests: (app: FastifyInstance, isTrusted: IsTrusted) =>
      traceRequests(tracers, app, isTrusted),
    query: traceQuery(tracers),
    work: traceWork(tracers),
    /** Exports the remaining spans; an unreachable collector must not break the shop. */
    close: () => provider.shutdown().catch(() => {}),
  }
}
