import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify'
import { FAILURES, type FailureBody } from '../contract/failure.ts'
import { isOutage } from './database-errors.ts'
import {
  Failure,
  noSuchAddress,
  notUnderstood,
  requestTooLarge,
  unreachable,
  unsupportedMedia,
} from './failure.ts'
import { invalidInput } from './input/validation.ts'

/** Messages for the framework's own errors, by status. */
function ofFramework(status = 500): Failure {
  if (status === 404 || status === 414) return noSuchAddress()
  if (status === 413) return requestTooLarge()
  if (status === 415) return unsupportedMedia('This content type is not supported.')
  if (status >= 400 && status < 500) return notUnderstood()
  return new Failure('internal', 'Something went wrong')
}

/** A malformed id or an overlong slug in the path is answered 404, an invalid page number 400. */
export function validationFailure(
  errors: FastifySchemaValidationError[],
  part: string | undefined,
): Failure {
  const naming = errors[0]?.keyword === 'pattern' || errors[0]?.keyword === 'maxLength'
  return part === 'params' && naming ? noSuchAddress() : invalidInput(errors)
}

export function asFailure(error: FastifyError | Failure): Failure {
  if (error instanceof Failure) return error
  if (isOutage(error)) return unreachable()
  return error.validation
    ? validationFailure(error.validation, error.validationContext)
    : ofFramework(error.statusCode)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Failures of this endpoint repeat their message as `error`. */
    repeatsMessage?: boolean
  }
}

/** The body of a failure, with the request id of the log. */
export const failureBody = (
  { code, message, details }: Failure,
  requestId: string,
): FailureBody => ({
  success: false,
  code,
  message,
  ...details,
  requestId,
})

export function sendFailure(reply: FastifyReply, failure: Failure) {
  const { code, message, headers } = failure
  const repeated = reply.request.routeOptions.config?.repeatsMessage && { error: message }
  const body = { ...failureBody(failure, reply.request.id), ...repeated }
  return reply.status(FAILURES[code]).headers(headers).send(body)
}

const causes = new WeakMap<FastifyRequest, unknown>()

/** Stores the cause of a failed request, for the request log. */
export const noteCause = (request: FastifyRequest, error: unknown) => causes.set(request, error)

/** The cause of a failed request, if known. */
export const causeOf = (request: FastifyRequest): unknown => causes.get(request)

/**
 * A refusal because of too many requests is delayed by this, so that a client cannot repeat at once:
 * Node accepts about one new connection per event-loop iteration, and each refusal takes one. Requests
 * above 1 s are logged.
 */
const REFUSAL_MS = 700

/** Whether the request came through a connection, and not from the process itself. */
const isFromOutside = ({ socket }: FastifyRequest) => socket instanceof Socket

const isRefusal = ({ code }: Failure) => code === 'rate_limited' || code === 'unavailable'

/** The only error handler: turns every error into an answer. */
export function addErrorHandler(app: FastifyInstance) {
  app.setErrorHandler(async (error: FastifyError | Failure, request, reply) => {
    const failure = asFailure(error)
    if (failure.status >= 500) noteCause(request, error)
    if (isRefusal(failure) && isFromOutside(request)) await setTimeout(REFUSAL_MS)
    return sendFailure(reply, failure)
  })
}
