import {
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { causeOf } from '#app/shared/server/errors.ts'

/** Whoever waits longer than this is told of. */
const SLOW_MS = 1000

/** What no line may show, wherever it stands in what is logged. */
const SECRETS = [
  ...['authorization', 'cookie', 'set-cookie', 'x-xsrf-token'],
  ...[
    'password',
    'newPassword',
    'currentPassword',
    'answer',
    'token',
    'secret',
    'razorpay_signature',
  ],
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
 * What is told of an error. A database's error also carries the statement's parameters and the
 * row that was refused: hashes and addresses of customers, which no log needs.
 */
function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' }
  const { name, message, stack = '', cause } = error
  return {
    ...{ type: name, message, stack },
    ...('code' in error && { code: error.code }),
    ...('constraint' in error && { constraint: error.constraint }),
    ...(cause instanceof Error && { cause: serializeError(cause) }),
  }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0]

/** How lines are written: JSON, a request known by its id, and nothing that is secret. */
export const logOptions = (level: string): Exclude<FastifyServerOptions['logger'], boolean> => ({
  level,
  redact: { paths: SECRETS.flatMap(pathsOf), censor: '[secret]' },
  serializers: {
    err: serializeError,
    req: (request: FastifyRequest) => ({
      method: request.method,
      // what is asked for there may be anybody's name
      path: pathOf(request),
      from: request.ip,
    }),
    res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
  },
})

/**
 * At most one line a request, when it is over: an error when it failed on our side, a warning when
 * something outside was out of reach, information when it was slow. All others only at `debug`.
 */
function logRequest(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply) {
  const { statusCode, elapsedTime } = reply
  const cause = error ?? causeOf(request)
  const facts = {
    ...{ req: request, route: request.routeOptions.url, res: reply },
    ms: Math.round(elapsedTime),
  }
  // many at once, and where it was noticed tells nothing
  const why = cause instanceof Error ? cause.message : undefined
  if (statusCode === 503) reply.log.warn({ ...facts, why }, 'request could not be served')
  else if (error || statusCode >= 500)
    reply.log.error({ ...facts, ...(cause !== undefined && { err: cause }) }, 'request failed')
  else if (elapsedTime > SLOW_MS) reply.log.info(facts, 'request was slow')
  else reply.log.debug(facts, 'request')
}

/** Visitors leave before all has come, at any time; only what broke on our side is told. */
function logBrokenStream(error: Error & { code?: string }, _request: unknown, reply: FastifyReply) {
  const isTheirs = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
  if (isTheirs) reply.log.debug({ res: reply }, 'somebody left')
  else reply.log.warn({ err: error }, 'an answer broke off')
}

/** The framework tells of a request when it comes, and again when it is over; one line will do. */
export const oneLineEach = Object.assign(new LogController({ requestIdLogLabel: 'requestId' }), {
  incomingRequest() {},
  routeNotFound() {},
  requestCompleted: logRequest,
  streamError: logBrokenStream,
})
