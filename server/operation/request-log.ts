import {
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { causeOf } from '#app/shared/server/errors.ts'

/** Slower requests are logged. */
const SLOW_MS = 1000

/** Fields that are redacted at every depth of a log line. */
const SECRETS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-xsrf-token',
  'password',
  'newPassword',
  'currentPassword',
  'answer',
  'token',
  'secret',
  'razorpay_signature',
]
const DEPTHS = ['', '*.', '*.*.', '*.*.*.']
const pathsOf = (name: string) =>
  DEPTHS.map((place) =>
    /^\w+$/.test(name) ? `${place}${name}` : `${place.slice(0, -1)}["${name}"]`,
  )

type SerializedError = {
  type: string
  message: string
  stack: string
  code?: unknown
  cause?: SerializedError
}

/**
 * Serializes an error for the log. A database error also carries the statement's parameters and the
 * refused row, which contain personal data, so they are omitted.
 */
function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' }
  const { name, message, stack = '', cause } = error
  return {
    type: name,
    message,
    stack,
    ...('code' in error && { code: error.code }),
    ...('constraint' in error && { constraint: error.constraint }),
    ...(cause instanceof Error && { cause: serializeError(cause) }),
  }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0]

/** Log format: JSON, with request ids and without secrets. */
export const logOptions = (level: string): Exclude<FastifyServerOptions['logger'], boolean> => ({
  level,
  redact: { paths: SECRETS.flatMap(pathsOf), censor: '[secret]' },
  serializers: {
    err: serializeError,
    req: (request: FastifyRequest) => ({
      method: request.method,
      // the query may contain personal data
      path: pathOf(request),
      from: request.ip,
    }),
    res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
  },
})

/**
 * Logs at most one line a request, at its end: an error when the shop failed, a warning when a
 * dependency was unavailable, info when it was slow. All others are logged at `debug`.
 */
function logRequest(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply) {
  const { statusCode, elapsedTime } = reply
  const cause = error ?? causeOf(request)
  const facts = {
    req: request,
    route: request.routeOptions.url,
    res: reply,
    ms: Math.round(elapsedTime),
  }
  // there may be many, and their stack is not useful
  const why = cause instanceof Error ? cause.message : undefined
  if (statusCode === 503) reply.log.warn({ ...facts, why }, 'request could not be served')
  else if (error || statusCode >= 500)
    reply.log.error({ ...facts, ...(cause !== undefined && { err: cause }) }, 'request failed')
  else if (elapsedTime > SLOW_MS) reply.log.info(facts, 'request was slow')
  else reply.log.debug(facts, 'request')
}

/** Clients disconnect at any time; only failures of the shop are logged as warnings. */
function logBrokenStream(error: Error & { code?: string }, _request: unknown, reply: FastifyReply) {
  const isTheirs = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
  if (isTheirs) reply.log.debug({ res: reply }, 'client disconnected')
  else reply.log.warn({ err: error }, 'response aborted')
}

/** Fastify logs a request at its beginning and its end; this controller logs one line. */
export const oneLineEach = Object.assign(new LogController({ requestIdLogLabel: 'requestId' }), {
  incomingRequest() {},
  routeNotFound() {},
  requestCompleted: logRequest,
  streamError: logBrokenStream,
})
