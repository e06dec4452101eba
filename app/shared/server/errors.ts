import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { FAILURES, type FailureBody, type FailureCode } from '../contract/failure.ts'
import { Failure, invalid, notFound } from './failure.ts'
import { validationMessage } from './validation.ts'

/** What the framework refuses by itself, in our words. */
const SENTENCES: Partial<Record<number, [FailureCode, string]>> = {
  400: ['invalid', 'The request could not be understood.'],
  404: ['not_found', 'There is nothing at this address.'],
  413: ['too_large', 'The request is too large.'],
  414: ['invalid', 'The address is too long.'],
  415: ['unsupported_media', 'This content type is not supported.'],
}

/** A malformed id or over-long slug in the path names nothing: 404. A page that is none: 400. */
function ofValidation(error: FastifyError): Failure {
  const [first] = error.validation ?? []
  if (!first) return invalid('The request is not valid.')
  const naming = first.keyword === 'pattern' || first.keyword === 'maxLength'
  if (error.validationContext === 'params' && naming)
    return notFound('There is nothing at this address.')
  return invalid(validationMessage(first))
}

function asFailure(error: FastifyError | Failure): Failure {
  if (error instanceof Failure) return error
  if (error.validation) return ofValidation(error)
  const [code, message] = SENTENCES[error.statusCode ?? 500] ?? ['internal', 'Something went wrong']
  return new Failure(code, message)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Failures of this call carry their message once more, as `error`. */
    repeatsMessage?: boolean
  }
}

export function sendFailure(reply: FastifyReply, { code, message, headers }: Failure) {
  const repeated = reply.request.routeOptions.config?.repeatsMessage && { error: message }
  const body: FailureBody = { success: false, code, message, ...repeated }
  return reply.status(FAILURES[code]).headers(headers).send(body)
}

/** The one place where what went wrong becomes an answer; only the unexpected is logged. */
export function addErrorHandler(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError | Failure, request, reply) => {
    const failure = asFailure(error)
    if (failure.code === 'internal') request.log.error({ err: error }, 'request failed')
    return sendFailure(reply, failure)
  })
}
